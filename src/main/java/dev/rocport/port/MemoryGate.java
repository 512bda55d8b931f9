package dev.rocport.port;

import java.util.concurrent.Semaphore;

/**
 * Keeps the files in work within the heap: a worker asks before it reads a file. Tokens and edits
 * of a file take a multiple of its size, so that a few huge files at once would not fit where each
 * alone does.
 */
final class MemoryGate {
  /**
   * Bytes of heap for each byte of source. Measured on files of 100 MB: 40 for a table of numbers,
   * 58 for API calls and launches side by side, which no real file of that size has.
   */
  private static final int FACTOR = 40;

  private static final int UNIT = 64 * 1024;

  private final int units;
  private final long largest;
  private final Semaphore free;

  MemoryGate(long budget, long largest) {
    this.units = (int) Math.max(1, budget / UNIT);
    this.largest = largest;
    this.free = new Semaphore(units, true);
  }

  /**
   * A gate for this program's heap.
   *
   * @param largest bytes of the largest file that is to be ported
   */
  static MemoryGate ofHeap(long largest) {
    return new MemoryGate(Runtime.getRuntime().maxMemory() / 10 * 7, largest);
  }

  /** True if a file of this size is not to be ported, or cannot be in this heap at all. */
  boolean isTooLarge(long bytes) {
    return bytes > largest || units(bytes) > units;
  }

  /** Largest file that is ported, in bytes. */
  long limit() {
    return Math.min(largest, (long) units * UNIT / FACTOR);
  }

  /** Waits until a file of this size fits. */
  void enter(long bytes) {
    free.acquireUninterruptibly((int) Math.min(units, units(bytes)));
  }

  void leave(long bytes) {
    free.release((int) Math.min(units, units(bytes)));
  }

  /** Waits until no other file is in work. */
  void enterAlone() {
    free.acquireUninterruptibly(units);
  }

  void leaveAlone() {
    free.release(units);
  }

  private static long units(long bytes) {
    return Math.max(1, bytes * FACTOR / UNIT);
  }
}
