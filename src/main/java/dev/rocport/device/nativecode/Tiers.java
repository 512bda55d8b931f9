package dev.rocport.device.nativecode;

import dev.rocport.device.wave.Block;
import dev.rocport.device.wave.BlockCompiler;
import dev.rocport.device.wave.Code;
import dev.rocport.device.wave.HotCode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Enters native code at once where an earlier run has compiled it. Everything else begins with the
 * blocks of a first tier; where they run long, native code replaces those that run often.
 */
final class Tiers implements BlockCompiler {
  /** Instructions that a block has run before native code may replace it. */
  private static final long OFTEN = 200_000;

  /**
   * Instructions that all blocks have run before clang is worth its start: half a second, about as
   * long as a compilation takes.
   */
  private static final long LONG = 20_000_000;

  /** Instructions after which this is considered again. */
  private static final long LOOK = 1 << 20;

  /** Nanoseconds after which a code object has run for long, however little that was. */
  private static final long WAIT = 400_000_000;

  /**
   * Nanoseconds from the start of the process in which entries count, not instructions: the virtual
   * machine has compiled little of the first tiers, so each instruction takes many times as long.
   */
  private static final long COLD = 5_000_000_000L;

  /** Entries of cold code before native code may run it. */
  private static final int COLD_ENTRIES = 128;

  /** Instructions of a block that is entered while the process is cold, likewise. */
  private static final long COLD_OFTEN = 1 << 12;

  private static final long START = System.nanoTime();

  private final HotCode first;
  private final Supplier<Optional<Path>> clang;
  private final Supplier<Optional<KeptRegions>> keptRegions;
  private final Executor worker;

  /** What earlier runs have compiled, by the index of each entry; null before the first entry. */
  private volatile @Nullable Map<Integer, KeptRegions.Kept> kept;

  private Optional<KeptRegions> file = Optional.empty();

  /** When the first wave came, of {@link System#nanoTime}. */
  private volatile long began;

  /** What all blocks have run. */
  private long sum;

  private final Worth worth;

  /** Where blocks begin that await their compilation. */
  private final Set<Integer> waiting = ConcurrentHashMap.newKeySet();

  /** The worker's; null before its first use, and where there is no compiler. */
  private @Nullable RegionCompiler regions;

  private boolean isWithoutCompiler;

  /**
   * @param first makes the blocks of the first tier
   * @param clang finds a compiler of LLVM IR when one is needed; empty where there is none
   * @param keptRegions finds what earlier runs have compiled of the code object
   * @param worker looks for what runs long, and compiles it
   * @param worth of compilations, which are counted there
   */
  Tiers(
      HotCode first,
      Supplier<Optional<Path>> clang,
      Supplier<Optional<KeptRegions>> keptRegions,
      Executor worker,
      Worth worth) {
    this.first = first;
    this.clang = clang;
    this.keptRegions = keptRegions;
    this.worker = worker;
    this.worth = worth;
  }

  @Override
  public void entered(Code code, int pc) {
    Map<Integer, KeptRegions.Kept> known = kept;
    if (known == null) {
      known = read();
    }
    if (!known.isEmpty() && known.containsKey(pc) && install(code, pc, known)) {
      return;
    }
    int entries = first.count(code, pc);
    if (entries >= COLD_ENTRIES && Integer.bitCount(entries) == 1 && isCold()) {
      runsOften(code, pc);
    }
  }

  private synchronized Map<Integer, KeptRegions.Kept> read() {
    Map<Integer, KeptRegions.Kept> known = kept;
    if (known == null) {
      file = keptRegions.get();
      known = file.map(KeptRegions::regions).orElse(Map.of());
      began = System.nanoTime();
      kept = known;
    }
    return known;
  }

  private synchronized boolean install(Code code, int pc, Map<Integer, KeptRegions.Kept> known) {
    KeptRegions.Kept region = known.get(pc);
    if (region == null || code.block(pc) instanceof NativeBlock) {
      return true;
    }
    boolean installed = false;
    try {
      installed = RegionCompiler.install(code, region);
    } catch (IOException e) {
      System.err.println("rocport: a kernel is compiled again: " + e);
    }
    if (!installed || code.block(pc) == null) {
      // Others may be reading the map.
      kept = Map.of();
      return false;
    }
    return true;
  }

  @Override
  public void ran(Code code, int pc, Block block, long count) {
    if (block instanceof NativeBlock installed) {
      installed.ran(code, pc, count);
      return;
    }
    long before = block.count(count);
    long now = before + count;
    if (before < OFTEN && (now >= OFTEN || (before / COLD_OFTEN != now / COLD_OFTEN && isCold()))) {
      runsOften(code, pc);
    }
    long all = sum;
    sum = all + count;
    if (all / LOOK != (all + count) / LOOK) {
      worker.execute(() -> compileWaiting(code));
    }
  }

  private static boolean isCold() {
    return System.nanoTime() - START < COLD;
  }

  private void runsOften(Code code, int pc) {
    waiting.add(pc);
    worker.execute(() -> compileWaiting(code));
  }

  private void compileWaiting(Code code) {
    boolean isLong =
        sum >= LONG || ((sum >= LOOK || isCold()) && System.nanoTime() - began >= WAIT);
    RegionCompiler compiler = isLong && !waiting.isEmpty() ? regions() : null;
    if (compiler == null) {
      return;
    }
    for (Optional<Integer> next = next(code); next.isPresent(); next = next(code)) {
      int pc = next.get();
      waiting.remove(pc);
      if (compiler.compile(code, pc)) {
        worth.compiled();
      }
    }
  }

  /** The block that has run most of those that are worth their compilation. */
  private Optional<Integer> next(Code code) {
    waiting.removeIf(pc -> code.block(pc) instanceof NativeBlock);
    return waiting.stream()
        .filter(pc -> ran(code, pc) >= worth.instructions())
        .max(Comparator.comparingLong(pc -> ran(code, pc)));
  }

  private static long ran(Code code, int pc) {
    Block block = code.block(pc);
    return block == null ? 0 : block.count(0);
  }

  private @Nullable RegionCompiler regions() {
    if (regions == null && !isWithoutCompiler) {
      Optional<Path> found = clang.get();
      isWithoutCompiler = found.isEmpty();
      regions =
          found.map(c -> new RegionCompiler(HostCompiler.here(c), file, false, false)).orElse(null);
    }
    return regions;
  }
}
