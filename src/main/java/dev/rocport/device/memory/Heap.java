package dev.rocport.device.memory;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Memory of this process outside of Java's heap, for LDS and scratch: malloc and free. */
public final class Heap {
  private static final Linker LINKER = Linker.nativeLinker();
  private static final MethodHandle MALLOC =
      function("malloc", FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));
  private static final MethodHandle FREE =
      function("free", FunctionDescriptor.ofVoid(ValueLayout.JAVA_LONG));

  private Heap() {}

  @SuppressWarnings("restricted")
  private static MethodHandle function(String name, FunctionDescriptor descriptor) {
    return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), descriptor);
  }

  /**
   * The address of {@code size} new bytes.
   *
   * @throws OutOfMemoryError where the system has none
   */
  public static long take(long size) {
    try {
      long address = (long) MALLOC.invokeExact(size);
      if (address == 0) {
        throw new OutOfMemoryError("no memory for " + size + " bytes of LDS or scratch");
      }
      return address;
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  public static void give(long address) {
    try {
      FREE.invokeExact(address);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
