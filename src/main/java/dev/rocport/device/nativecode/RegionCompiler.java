package dev.rocport.device.nativecode;

import dev.rocport.device.wave.Block;
import dev.rocport.device.wave.Code;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** Makes native functions of regions of one code object, and installs them. */
final class RegionCompiler {
  /** Compiles for all code objects, one region at a time. It does not keep the process alive. */
  static final Executor WORKER =
      Executors.newSingleThreadExecutor(
          work -> Thread.ofPlatform().daemon().name("native-compiler").unstarted(work));

  private final HostCompiler compiler;

  /** Entries of regions that could not be compiled. */
  private final Set<Integer> never = new HashSet<>();

  RegionCompiler(HostCompiler compiler) {
    this.compiler = compiler;
  }

  /** Installs the function of the region that begins at an index, if it has none. */
  void compile(Code code, int pc) {
    install(code, pc, true);
  }

  /**
   * Installs the function of a region if an earlier run has compiled it.
   *
   * @return whether nothing is left to do
   */
  boolean installKept(Code code, int pc) {
    return install(code, pc, false);
  }

  private synchronized boolean install(Code code, int pc, boolean compiles) {
    if (code.block(pc) instanceof NativeBlock || never.contains(pc)) {
      return true;
    }
    try {
      Region region = Region.of(code, pc);
      if (region.instructions() < 2 || !region.begins(pc)) {
        never.add(pc);
        return true;
      }
      WaveFunction.Written written = WaveFunction.write(region, HostVectors.LANES);
      Optional<Path> library =
          compiles ? compiler.compile(written.text()) : compiler.kept(written.text());
      if (library.isEmpty()) {
        if (compiles) {
          never.addAll(written.entries());
          System.err.println(
              "rocport: a kernel is interpreted: clang did not compile its translation");
        }
        return compiles;
      }
      MemorySegment function = load(library.get());
      if (function == null) {
        never.addAll(written.entries());
        return true;
      }
      for (int i = 0; i < written.entries().size(); i++) {
        int at = written.entries().get(i);
        Block before = code.block(at);
        if (region.begins(at) && !(before instanceof NativeBlock)) {
          code.put(at, NativeBlock.of(function, i, written, before));
        }
      }
    } catch (IOException e) {
      never.add(pc);
      System.err.println("rocport: a kernel is interpreted: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return true;
  }

  /** Loads a library; null if it is damaged: it is deleted then. */
  private static @Nullable MemorySegment load(Path library) throws IOException {
    try {
      return NativeBlock.load(library);
    } catch (IllegalArgumentException | NoSuchElementException e) {
      System.err.println(
          "rocport: " + library + " is damaged and deleted; a kernel is interpreted");
      Files.deleteIfExists(library);
      return null;
    }
  }
}
