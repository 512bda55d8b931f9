package dev.rocport.device.check.order;

import java.util.Arrays;

/** Registers that were loaded, and are to look as before until the load has returned. */
final class LateRegisters extends Late {
  /** What was done at once, and is only counted. */
  static final LateRegisters NONE = new LateRegisters(new int[0], 0, 0, new int[0], true);

  private final int[] registers;
  private final int[] values;

  /** Whether others of its kind may return before it. */
  private final boolean inOrder;

  /**
   * @param from the first of the registers
   * @param before what they held; only read here
   */
  LateRegisters(int[] registers, int from, int count, int[] before, boolean inOrder) {
    this.registers = registers;
    this.first = from;
    this.values = Arrays.copyOfRange(registers, from, from + count);
    this.inOrder = inOrder;
    System.arraycopy(before, 0, registers, from, count);
  }

  boolean isInOrder() {
    return inOrder;
  }

  @Override
  void work() {}

  @Override
  void deliver() {
    System.arraycopy(values, 0, registers, (int) first, values.length);
  }
}
