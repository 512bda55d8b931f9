package dev.rocport.device.server;

import dev.rocport.device.memory.Allocation;
import dev.rocport.device.memory.Ranges;
import dev.rocport.device.memory.SharedArena;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;

/**
 * A part of the arena: the memory of a GPU, or the host's. What was freed last is not handed out
 * again for a while, so that uses after free are found.
 */
final class Pool {
  private static final long GRANULE = 256;
  private static final int MOST_RESTING = 1024;

  private record Range(long base, long size) {
    /** The size that {@link Ranges} reserves for it: whole granules, and a gap of one. */
    long footprint() {
      return ((Math.max(size, 1) + GRANULE - 1) & -GRANULE) + GRANULE;
    }
  }

  private final SharedArena arena;
  private final Ranges ranges;
  private final String owner;
  private final long mostBytes;
  private final Deque<Range> resting = new ArrayDeque<>();
  private long restingBytes;

  Pool(SharedArena arena, Ranges ranges, String owner) {
    this.arena = arena;
    this.ranges = ranges;
    this.owner = owner;
    this.mostBytes = ranges.available() / 8;
  }

  synchronized long take(long size, long align) {
    OptionalLong at = ranges.take(size, align);
    if (at.isEmpty()) {
      while (!resting.isEmpty()) {
        wake();
      }
      at = ranges.take(size, align);
    }
    if (at.isEmpty()) {
      throw new RequestException(
          Status.OUT_OF_MEMORY,
          "%d bytes requested; %s has %d left".formatted(size, owner, ranges.available()));
    }
    return at.getAsLong();
  }

  /** Fills memory that was taken with zeros. */
  void clear(long address, long size) {
    arena.clear(address, size);
  }

  void give(Allocation allocation) {
    give(allocation.base(), allocation.size());
  }

  /**
   * Takes memory back.
   *
   * @param size bytes that were asked for
   */
  synchronized void give(long address, long size) {
    arena.release(address, size);
    Range range = new Range(address, size);
    resting.addLast(range);
    restingBytes += range.footprint();
    while (resting.size() > MOST_RESTING || restingBytes > mostBytes) {
      wake();
    }
  }

  /** Gives the pages of an allocation back to the system; its addresses stay taken. */
  void drop(Allocation allocation) {
    arena.release(allocation.base(), allocation.size());
  }

  private void wake() {
    Range oldest = resting.removeFirst();
    restingBytes -= oldest.footprint();
    ranges.give(oldest.base());
  }

  /** Bytes that can be handed out. */
  synchronized long available() {
    return ranges.available() + restingBytes;
  }
}
