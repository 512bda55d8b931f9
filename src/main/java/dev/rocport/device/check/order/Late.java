package dev.rocport.device.check.order;

import dev.rocport.device.wave.Wave;

/** An access that was issued: it is performed at some time, and its result delivered later. */
abstract class Late {
  /** Which of the wave's accesses it is. */
  int time;

  /** Whether it is counted with the stores. */
  boolean store;

  private boolean performed;

  /** It may not be late: it acts as on coherent memory. */
  private boolean prompt;

  /** No accessed byte lies outside these addresses. */
  long first;

  long last;

  final boolean isPerformed() {
    return performed;
  }

  final boolean isPrompt() {
    return prompt;
  }

  final void again() {
    performed = false;
    prompt = false;
  }

  /** Sees and changes memory, where that has not happened yet. */
  final void perform() {
    if (!performed) {
      performed = true;
      work();
    }
  }

  /** Is over when it is issued, and never looked at again. */
  final void performAtOnce() {
    prompt = true;
    perform();
    deliver();
    recycle();
  }

  abstract void work();

  /** Writes the result to the registers. */
  abstract void deliver();

  /** Whether its result goes to one of these places in a file of registers. */
  abstract boolean writes(int[] registers, int from, int to);

  /** Is never looked at again. */
  void recycle() {}

  final boolean touches(long from, long to) {
    return from <= last && first <= to;
  }

  /** Sets the range of some lanes' accesses. */
  final void spans(long lanes, long[] addresses, int bytes) {
    long min = Long.MAX_VALUE;
    long max = Long.MIN_VALUE;
    if (lanes == -1) {
      for (int l = 0; l < Wave.LANES; l++) {
        min = Math.min(min, addresses[l]);
        max = Math.max(max, addresses[l]);
      }
    } else {
      for (long m = lanes; m != 0; m &= m - 1) {
        long address = addresses[Long.numberOfTrailingZeros(m)];
        min = Math.min(min, address);
        max = Math.max(max, address);
      }
    }
    first = min;
    last = max + bytes - 1;
  }
}
