package dev.rocport.device.check.order;

import dev.rocport.device.wave.Wave;
import java.util.ArrayDeque;
import java.util.Deque;

/** Registers that were loaded, and are to look as before until the load has returned. */
final class LateRegisters extends Late {
  /** Vector registers that one access sets, at most. */
  static final int MOST = 16;

  /** What was done at once, and is only counted. */
  static final LateRegisters NONE = new LateRegisters(new ArrayDeque<>(0), new int[0]);

  private final Deque<LateRegisters> home;
  private final int[] values;
  private int[] registers = {};
  private int count;

  /** Whether others of its kind may return before it. */
  private boolean inOrder = true;

  private LateRegisters(Deque<LateRegisters> home, int[] values) {
    this.home = home;
    this.values = values;
  }

  /**
   * Registers whose new values are hidden from now on.
   *
   * @param home where lie those that are not needed any more
   * @param from the first of the registers
   * @param before what they held; only read here
   */
  static LateRegisters of(
      Deque<LateRegisters> home,
      int[] registers,
      int from,
      int count,
      int[] before,
      boolean inOrder) {
    LateRegisters late = home.pollFirst();
    if (late == null || late.values.length < count) {
      late = new LateRegisters(home, new int[Math.max(count, 4 * Wave.LANES)]);
    }
    late.registers = registers;
    late.first = from;
    late.count = count;
    late.inOrder = inOrder;
    System.arraycopy(registers, from, late.values, 0, count);
    System.arraycopy(before, 0, registers, from, count);
    return late;
  }

  boolean isInOrder() {
    return inOrder;
  }

  @Override
  void work() {}

  @Override
  boolean writes(int[] file, int from, int to) {
    return false; // lgkmcnt counts them, which another load's registers wait for by themselves
  }

  @Override
  void deliver() {
    System.arraycopy(values, 0, registers, (int) first, count);
  }

  @Override
  void recycle() {
    if (count > 0) {
      home.addFirst(this);
    }
  }
}
