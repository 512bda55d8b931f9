package dev.rocport.device.check.order;

import dev.rocport.device.wave.Wave;
import java.util.ArrayDeque;
import java.util.Deque;

/** Registers that were loaded, and are to look as before until the load has returned. */
final class LateRegisters extends Late {
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
   * Registers that are about to be set, as they are before that.
   *
   * @param home where lie those that are not needed any more
   * @param from the first of the registers
   */
  static LateRegisters of(
      Deque<LateRegisters> home, int[] registers, int from, int count, boolean inOrder) {
    LateRegisters late = home.pollFirst();
    if (late == null || late.values.length < count) {
      late = new LateRegisters(home, new int[Math.max(count, 4 * Wave.LANES)]);
    }
    late.registers = registers;
    late.first = from;
    late.count = count;
    late.inOrder = inOrder;
    System.arraycopy(registers, from, late.values, 0, count);
    return late;
  }

  /** They have been set; until {@link #deliver}, they look as before. */
  void hide() {
    int[] file = registers;
    int[] kept = values;
    int from = (int) first;
    for (int i = 0; i < count; i++) {
      int value = file[from + i];
      file[from + i] = kept[i];
      kept[i] = value;
    }
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
