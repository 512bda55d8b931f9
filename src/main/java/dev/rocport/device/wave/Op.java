package dev.rocport.device.wave;

import dev.rocport.device.isa.Instruction;

/**
 * An instruction made ready to run: operands resolved to offsets, the work chosen. One object
 * serves all waves and threads, so it keeps no state of a wave.
 */
public abstract class Op {
  private final Instruction instruction;

  /** Its length in 32-bit words. */
  final int words;

  protected Op(Instruction instruction) {
    this.instruction = instruction;
    this.words = instruction.size() >> 2;
  }

  /** What was decoded. */
  public final Instruction instruction() {
    return instruction;
  }

  /**
   * Does the work. {@link Wave#pc} already points behind this instruction; a branch sets it.
   *
   * @throws dev.rocport.device.memory.MemoryFault where memory is touched that must not be
   * @throws WaveTrap where the program cannot go on
   */
  public abstract void execute(Wave wave);
}
