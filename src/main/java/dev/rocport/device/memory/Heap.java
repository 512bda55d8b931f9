package dev.rocport.device.memory;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Memory of this process outside the Java heap, for LDS and scratch: malloc and free. */
public final class Heap {
  private static final MethodHandle MALLOC =
      CLibrary.function(
          "malloc", FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));
  private static final MethodHandle FREE =
      CLibrary.function("free", FunctionDescriptor.ofVoid(ValueLayout.JAVA_LONG));

  private Heap() {}

  /**
   * The address of {@code size} new bytes.
   *
   * @throws OutOfMemoryError where the system has none
   */
  public static long take(long size) {
    long address = CLibrary.call(() -> (long) MALLOC.invokeExact(size));
    if (address == 0) {
      throw new OutOfMemoryError("no memory for " + size + " bytes of LDS or scratch");
    }
    return address;
  }

  public static void give(long address) {
    CLibrary.call(
        () -> {
          FREE.invokeExact(address);
          return 0;
        });
  }
}
