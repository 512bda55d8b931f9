package dev.rocport.device.nativecode;

import dev.rocport.device.wave.Code;
import dev.rocport.device.wave.HotCode;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Makes native functions of what waves have entered often enough, on a thread of its own. */
final class NativeBlocks extends HotCode {
  private static final Executor WORKER = worker("native-compiler");

  private final HostCompiler compiler;

  /** Entries of regions that could not be compiled. */
  private final Set<Integer> never = new HashSet<>();

  /**
   * @param hot entries after which a region is compiled; 1: at once
   */
  NativeBlocks(HostCompiler compiler, int hot) {
    super(hot, WORKER);
    this.compiler = compiler;
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

  @Override
  protected synchronized void compile(Code code, int pc) {
    if (code.hasBlock(pc) || never.contains(pc)) {
      return;
    }
    try {
      Region region = Region.of(code, pc);
      if (region.instructions() < 2 || !region.begins(pc)) {
        return;
      }
      WaveFunction.Written written = WaveFunction.write(region, HostVectors.LANES);
      Optional<Path> library = compiler.compile(written.text());
      if (library.isEmpty()) {
        System.err.println(
            "rocport: a kernel is interpreted: clang did not compile its translation");
        never.addAll(written.entries());
        return;
      }
      MemorySegment function = load(library.get());
      if (function == null) {
        never.addAll(written.entries());
        return;
      }
      for (int i = 0; i < written.entries().size(); i++) {
        int at = written.entries().get(i);
        if (!code.hasBlock(at)) {
          code.put(at, NativeBlock.of(function, i, written));
        }
      }
    } catch (IOException e) {
      System.err.println("rocport: kernels are interpreted: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
