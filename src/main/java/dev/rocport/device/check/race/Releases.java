package dev.rocport.device.check.race;

import dev.rocport.device.check.VectorClock;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * What the host of a process has let other processes know, for example when it called MPI. Such
 * moments of all processes are numbered in the order in which they happen: who has come to hear of
 * one may know of all before it. That may order too much, and never too little.
 */
final class Releases {
  /** For each line of operations, by number: the last operation that had ended then. */
  private final Map<Long, NavigableMap<Long, Long>> lines = new HashMap<>();

  /** By number: how many launches and the like had begun on the device. */
  private final NavigableMap<Long, Integer> begun = new TreeMap<>();

  /**
   * The host lets others know.
   *
   * @param known for each line the last operation that it knows to have ended
   */
  synchronized void add(long number, Map<Long, Long> known, int begunBefore) {
    begun.put(number, begunBefore);
    known.forEach(
        (line, sequence) -> {
          NavigableMap<Long, Long> all = lines.computeIfAbsent(line, _ -> new TreeMap<>());
          if (all.isEmpty() || all.lastEntry().getValue() < sequence) {
            all.put(number, sequence);
          }
        });
  }

  /** The numbers of launches and the like begin anew. */
  synchronized void forgetBegun() {
    begun.replaceAll((number, launches) -> 0);
  }

  /** Whether the host has let others know anything, so that its process has ways to do so. */
  synchronized boolean any() {
    return !begun.isEmpty();
  }

  /** Whether who has heard of what was told up to a number knows that an operation has ended. */
  synchronized boolean cover(VectorClock operation, long number) {
    NavigableMap<Long, Long> all = lines.get(operation.stream());
    Map.Entry<Long, Long> last = all == null ? null : all.floorEntry(number);
    return last != null && last.getValue() >= operation.sequence();
  }

  /** Whether the host has told others something up to a number when an operation had begun. */
  synchronized boolean anyAfter(int happening, long number) {
    Map.Entry<Long, Integer> last = begun.floorEntry(number);
    return last != null && last.getValue() >= happening;
  }
}
