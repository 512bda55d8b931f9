package dev.rocport.device.nativecode;

import dev.rocport.device.wave.BlockCompiler;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;
import jdk.incubator.vector.IntVector;

/** Which engine runs kernels without checks. */
public sealed interface NativeEngine {
  /** The interpreter alone. */
  NativeEngine NONE = new Interpret();

  /** Entries after which code is worth its compilation. */
  int HOT = 50;

  /** The interpreter and its blocks. */
  record Interpret() implements NativeEngine {
    @Override
    public BlockCompiler compiler(BlockCompiler first) {
      return first;
    }
  }

  /**
   * Native code for what it knows, and single instructions of the interpreter for the rest.
   *
   * @param clang a compiler of LLVM IR for the host
   * @param entries how often waves enter code before it is compiled; 1: at once, and waves wait
   */
  record Native(Path clang, int entries) implements NativeEngine {
    @Override
    public BlockCompiler compiler(BlockCompiler first) {
      return new NativeBlocks(new HostCompiler(clang), entries);
    }
  }

  /**
   * The interpreter and its blocks at first, and native code where a kernel runs long.
   *
   * @param clang finds a compiler of LLVM IR for the host, when one is needed for the first time
   */
  record Auto(Supplier<Optional<Path>> clang) implements NativeEngine {
    @Override
    public BlockCompiler compiler(BlockCompiler first) {
      return new Tiers(first, clang);
    }
  }

  /** Whether this processor has the vectors that native code uses. */
  static boolean isSupported() {
    return IntVector.SPECIES_PREFERRED.length() >= 8;
  }

  /**
   * A compiler for the code of one code object.
   *
   * @param first compiles the interpreter's blocks
   */
  BlockCompiler compiler(BlockCompiler first);
}
