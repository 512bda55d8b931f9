package dev.rocport.device.wave;

import dev.rocport.device.isa.Instruction;

/** A conditional jump. */
public final class Branch extends Op {
  /** Whether a branch is taken. */
  @FunctionalInterface
  public interface Test {
    boolean holds(Wave wave);
  }

  private final int offset;
  private final Test test;

  /**
   * @param offset words from the next instruction on
   */
  public Branch(Instruction instruction, int offset, Test test) {
    super(instruction);
    this.offset = offset;
    this.test = test;
  }

  public int offset() {
    return offset;
  }

  public Test test() {
    return test;
  }

  @Override
  public void execute(Wave wave) {
    if (test.holds(wave)) {
      wave.pc += offset;
    }
  }
}
