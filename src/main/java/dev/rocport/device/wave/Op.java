package dev.rocport.device.wave;

import dev.rocport.device.isa.Instruction;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An instruction prepared for execution: operands are resolved to offsets and the operation is
 * selected. One object serves all waves and threads, so it holds no wave state.
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

  /** Its length in 32-bit words. */
  public final int words() {
    return words;
  }

  /**
   * What {@link #execute} does, one after the other, for compilers of {@link Block}s; null where
   * only {@code execute} will do. This may take long.
   */
  public @Nullable List<Action> actions() {
    return null;
  }

  /**
   * Executes the operation. {@link Wave#pc} already points after this instruction; a branch sets
   * it.
   *
   * @throws dev.rocport.device.memory.MemoryFault if it accesses memory that it must not access
   * @throws WaveTrap if the program cannot continue
   */
  public abstract void execute(Wave wave);
}
