package dev.rocport.device.memory;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

/** Functions of the C library, and calls to them. */
public final class CLibrary {
  private static final Linker LINKER = Linker.nativeLinker();

  /** A call of a {@link MethodHandle}, which by its type may throw anything. */
  @FunctionalInterface
  public interface Call {
    long run() throws Throwable;
  }

  private CLibrary() {}

  /** A function by its name. */
  @SuppressWarnings("restricted")
  public static MethodHandle function(
      String name, FunctionDescriptor descriptor, Linker.Option... options) {
    return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), descriptor, options);
  }

  /** The result of a call. */
  public static long call(Call call) {
    try {
      return call.run();
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
