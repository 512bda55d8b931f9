package dev.rocport.device.check.order;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * A table of lines of 64 bytes, each with masks of its bytes. A line has one slot where it can be;
 * another one with the same slot takes its place.
 */
final class Lines {
  static final int BYTES = 64;

  /** Lines that follow each other in memory and in the table, as a power of two. */
  private final int together;

  private final int shift;
  private final MemorySegment contents;
  private final long base;

  /** The number of the line in each slot: its address divided by 64; 0 for none. */
  final long[] numbers;

  /** Bytes that are here. */
  final long[] valid;

  /** Bytes that are not yet where others see them. */
  final long[] dirty;

  /** Dirty bytes that have to go further than the next cache. */
  final long[] through;

  /** What memory each line is of. */
  final Kind[] kinds;

  /** Slots with dirty bytes. */
  int dirtySlots;

  /** A table of 2^bits slots. */
  Lines(int bits) {
    this(bits, 0);
  }

  /** The same with 2^together lines side by side, for the caches of the processor. */
  Lines(int bits, int together) {
    int slots = 1 << bits;
    this.together = together;
    this.shift = 64 - bits + together;
    this.numbers = new long[slots];
    this.valid = new long[slots];
    this.dirty = new long[slots];
    this.through = new long[slots];
    this.kinds = new Kind[slots];
    Arrays.fill(kinds, Kind.COARSE);
    this.contents = Arena.ofAuto().allocate((long) slots * BYTES, BYTES);
    this.base = contents.address();
  }

  int slots() {
    return numbers.length;
  }

  /** The only slot where a line can be. */
  int slot(long number) {
    int group = (int) (((number >>> together) * 0x9e37_79b9_7f4a_7c15L) >>> shift);
    return group << together | ((int) number & (1 << together) - 1);
  }

  /** The address of the bytes of a slot. */
  long data(int slot) {
    return base + (long) slot * BYTES;
  }

  boolean holds(int slot, long number) {
    return numbers[slot] == number;
  }

  /** Gives a slot to a line, of which nothing is here yet. What was there must not be dirty. */
  void take(int slot, long number, Kind kind) {
    numbers[slot] = number;
    kinds[slot] = kind;
    valid[slot] = 0;
  }

  void soil(int slot, long mask, boolean goesThrough) {
    if (dirty[slot] == 0) {
      dirtySlots++;
    }
    valid[slot] |= mask;
    dirty[slot] |= mask;
    through[slot] = goesThrough ? through[slot] | mask : through[slot] & ~mask;
  }

  /** Bytes have become visible to others. */
  void settle(int slot, long mask) {
    if (dirty[slot] != 0 && (dirty[slot] & ~mask) == 0) {
      dirtySlots--;
    }
    dirty[slot] &= ~mask;
    through[slot] &= ~mask;
  }

  /** Forgets what is not dirty. */
  void invalidate() {
    System.arraycopy(dirty, 0, valid, 0, valid.length);
  }
}
