package dev.rocport.device.nativecode;

import dev.rocport.device.wave.BlockCompiler;
import java.nio.file.Path;
import jdk.incubator.vector.IntVector;

/**
 * Which engine runs kernels without checks: the native one for what it knows, or the interpreter
 * alone.
 */
public final class NativeEngine {
  /** The interpreter alone. */
  public static final NativeEngine NONE = new NativeEngine(Path.of(""), 0);

  /** Entries after which code is worth its compilation. */
  public static final int HOT = 50;

  private final Path clang;
  private final int entries;

  private NativeEngine(Path clang, int entries) {
    this.clang = clang;
    this.entries = entries;
  }

  /**
   * The native engine.
   *
   * @param clang a compiler of LLVM IR for the host
   * @param entries how often waves enter code before it is compiled; 1: at once, and waves wait
   */
  public static NativeEngine of(Path clang, int entries) {
    return new NativeEngine(clang, entries);
  }

  /** Whether this processor has the vectors that native code uses. */
  public static boolean isSupported() {
    return IntVector.SPECIES_PREFERRED.length() >= 8;
  }

  public boolean isNative() {
    return !clang.equals(NONE.clang);
  }

  /** A compiler for the code of one code object. Only for {@link #isNative native} engines. */
  public BlockCompiler compiler() {
    return new NativeBlocks(new HostCompiler(clang), entries);
  }
}
