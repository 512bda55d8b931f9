package dev.rocport.device.nativecode;

import dev.rocport.device.wave.BlockCompiler;
import dev.rocport.device.wave.HotCode;
import dev.rocport.io.ProgramFile;
import dev.rocport.io.Sha256;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;
import jdk.incubator.vector.IntVector;

/** The engine that runs kernels without checks: the interpreter, native code, or both. */
public sealed interface NativeEngine {
  /** The interpreter alone. */
  NativeEngine NONE = new Interpret();

  /** Entries after which code is worth its compilation. */
  int HOT = 50;

  /** The interpreter and its blocks. */
  record Interpret() implements NativeEngine {
    @Override
    public BlockCompiler compiler(HotCode first, byte[] image) {
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
    public BlockCompiler compiler(HotCode first, byte[] image) {
      return new NativeBlocks(HostCompiler.here(clang), entries, false);
    }
  }

  /**
   * Native code for all that it knows, each pass of which the interpreter repeats. A difference
   * stops the kernel.
   *
   * @param clang a compiler of LLVM IR for the host
   */
  record Compare(Path clang) implements NativeEngine {
    @Override
    public BlockCompiler compiler(HotCode first, byte[] image) {
      return new NativeBlocks(HostCompiler.here(clang), 1, true);
    }
  }

  /**
   * The interpreter and its blocks at first, and native code where a kernel runs long.
   *
   * @param clang finds a compiler of LLVM IR for the host, when one is needed for the first time
   */
  record Auto(Supplier<Optional<Path>> clang) implements NativeEngine {
    @Override
    public BlockCompiler compiler(HotCode first, byte[] image) {
      return new Tiers(first, clang, () -> kept(image), RegionCompiler.WORKER, Worth.SHARED);
    }
  }

  /** What earlier runs of this program have compiled of a code object. */
  private static Optional<KeptRegions> kept(byte[] image) {
    return ProgramFile.build().flatMap(build -> kept(image, build));
  }

  private static Optional<KeptRegions> kept(byte[] image, String build) {
    try {
      String settings =
          String.join(
              "\n", build, NativeFolder.processor(), HostVectors.here().flag, Sha256.of(image));
      return Optional.of(new NativeFolder().regions(Sha256.fingerprint(settings)));
    } catch (IOException e) {
      return Optional.empty();
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
   * @param image the code object
   */
  BlockCompiler compiler(HotCode first, byte[] image);
}
