package dev.rocport.device.check.race;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntPredicate;

/**
 * What very many waves have released, where clocks that name each of them would be too long: eight
 * bytes a wave, kept until its launch is forgotten. A clock that has looked at the crowd at a
 * moment is ordered after all that had joined it by then; of a wave that joins again and again, the
 * first time counts. That may order too much, and never too little.
 */
final class Crowd {
  private static final int CHUNK = 1 << 12;
  private static final int MOMENT_SHIFT = Epoch.TICK_BITS;

  private final ConcurrentHashMap<Integer, AtomicReferenceArray<long[]>> launches =
      new ConcurrentHashMap<>();

  /** When the first wave of each launch joined. */
  private final ConcurrentHashMap<Integer, Long> firsts = new ConcurrentHashMap<>();

  private long now;

  /** Takes in what some waves have released; the moment from which on that is known. */
  synchronized long join(long[] actors, int[] ticks) {
    now++;
    for (int i = 0; i < actors.length; i++) {
      AtomicReferenceArray<long[]> chunks =
          launches.computeIfAbsent(
              Epoch.launch(actors[i]),
              launch -> {
                firsts.put(launch, now);
                return new AtomicReferenceArray<>(Epoch.MOST_WAVES / CHUNK);
              });
      int wave = Epoch.wave(actors[i]);
      long[] chunk = chunks.get(wave / CHUNK);
      if (chunk == null) {
        chunk = new long[CHUNK];
        chunks.set(wave / CHUNK, chunk);
      }
      long before = chunk[wave % CHUNK];
      long clock = before == 0 ? now : before >>> MOMENT_SHIFT;
      int tick = Math.max((int) before & Epoch.MOST_TICKS, ticks[i]);
      chunk[wave % CHUNK] = clock << MOMENT_SHIFT | tick;
    }
    return now;
  }

  synchronized boolean covers(long actor, int tick, long clock) {
    AtomicReferenceArray<long[]> chunks = launches.get(Epoch.launch(actor));
    if (chunks == null) {
      return false;
    }
    int wave = Epoch.wave(actor);
    long[] chunk = chunks.get(wave / CHUNK);
    long entry = chunk == null ? 0 : chunk[wave % CHUNK];
    return entry != 0
        && entry >>> MOMENT_SHIFT <= clock
        && ((int) entry & Epoch.MOST_TICKS) >= tick;
  }

  /** Whether some wave of a launch of which a condition holds had joined by a moment. */
  boolean hasLaunch(IntPredicate condition, long clock) {
    return firsts.entrySet().stream()
        .anyMatch(first -> first.getValue() <= clock && condition.test(first.getKey()));
  }

  /** A launch is so long ago that nobody asks for it. */
  void forget(int launch) {
    launches.remove(launch);
    firsts.remove(launch);
  }

  /** No kernel runs: whatever comes is ordered after all that were. */
  void clear() {
    launches.clear();
    firsts.clear();
  }
}
