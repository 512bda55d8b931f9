package dev.rocport.port;

import java.util.concurrent.Semaphore;

/**
 * Limits the files that are processed at once to what fits into the heap: a worker asks before it
 * reads a file. Tokens and edits need a multiple of the file size, so several huge files may not
 * fit together although each one fits alone.
 */
final class MemoryGate {
  /**
   * Bytes of heap for each byte of source. Measured on files of 100 MB: 40 for a table of numbers,
   * 58 for consecutive API calls and launches, which no real file of that size has.
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
   * Returns a gate for the heap of this program.
   *
   * @param largest size in bytes of the largest file to port
   */
  static MemoryGate ofHeap(long largest) {
    return new MemoryGate(Runtime.getRuntime().maxMemory() / 10 * 7, largest);
  }

  /** Returns whether a file of this size exceeds the limit or the heap. */
  boolean isTooLarge(long bytes) {
    return bytes > largest || units(bytes) > units;
  }

  /** Returns the size of the largest file that is ported, in bytes. */
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

  /** Waits until no other file is being processed. */
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
