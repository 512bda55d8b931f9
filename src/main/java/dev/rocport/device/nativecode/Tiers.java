package dev.rocport.device.nativecode;

import dev.rocport.device.wave.Block;
import dev.rocport.device.wave.BlockCompiler;
import dev.rocport.device.wave.Code;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Begins with the blocks of a first tier. What they run decides which of them native code replaces:
 * early where an earlier run has compiled it, and later where clang must.
 */
final class Tiers implements BlockCompiler {
  /** Instructions that a block has run before kept native code replaces it: some 20 ms. */
  private static final long OFTEN = 1_000_000;

  /**
   * Instructions that all blocks have run before clang is worth its start: some 0.5 s, which is
   * what a compilation takes at least.
   */
  private static final long LONG = 20_000_000;

  private final BlockCompiler first;
  private final Supplier<Optional<Path>> clang;
  private final Executor worker;

  /** By the index of each block, what it has run. Threads may lose counts to each other. */
  private long @Nullable [] instructions;

  /** What all blocks have run. */
  private long sum;

  /** Where blocks begin that await their compilation. The worker's. */
  private final List<Integer> waiting = new ArrayList<>();

  /** The worker's; null before its first use, and where there is no compiler. */
  private @Nullable RegionCompiler regions;

  private boolean isWithoutCompiler;

  /**
   * @param first makes the blocks of the first tier
   * @param clang finds a compiler of LLVM IR when one is needed; empty where there is none
   */
  Tiers(BlockCompiler first, Supplier<Optional<Path>> clang) {
    this(first, clang, RegionCompiler.WORKER);
  }

  Tiers(BlockCompiler first, Supplier<Optional<Path>> clang, Executor worker) {
    this.first = first;
    this.clang = clang;
    this.worker = worker;
  }

  @Override
  public void entered(Code code, int pc) {
    first.entered(code, pc);
  }

  @Override
  public void ran(Code code, int pc, Block block, long count) {
    if (block instanceof NativeBlock installed) {
      installed.ran(code, pc, count);
      return;
    }
    long[] counts = instructions;
    if (counts == null) {
      counts = new long[code.words()];
      instructions = counts;
    }
    long before = counts[pc];
    counts[pc] = before + count;
    if (before < OFTEN && before + count >= OFTEN) {
      worker.execute(() -> isOften(code, pc));
    }
    long all = sum;
    sum = all + count;
    if (all < LONG && all + count >= LONG) {
      worker.execute(() -> isLong(code));
    }
  }

  private void isOften(Code code, int pc) {
    RegionCompiler compiler = regions();
    if (compiler == null || compiler.installKept(code, pc)) {
      return;
    }
    if (sum >= LONG) {
      compiler.compile(code, pc);
    } else {
      waiting.add(pc);
    }
  }

  private void isLong(Code code) {
    RegionCompiler compiler = regions();
    if (compiler != null) {
      waiting.forEach(pc -> compiler.compile(code, pc));
    }
    waiting.clear();
  }

  private @Nullable RegionCompiler regions() {
    if (regions == null && !isWithoutCompiler) {
      Optional<Path> found = clang.get();
      isWithoutCompiler = found.isEmpty();
      regions = found.map(c -> new RegionCompiler(new HostCompiler(c))).orElse(null);
    }
    return regions;
  }
}
