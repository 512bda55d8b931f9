package dev.rocport.device.op.scalar;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;
import org.jspecify.annotations.Nullable;

/** s_sendmsg_rtn of RDNA: a message with an answer. The time is the only one that kernels ask. */
final class Ask extends Op {
  private static final int REAL_TIME = 0x83;

  private final int to;
  private final boolean pair;

  private Ask(Instruction instruction) {
    super(instruction);
    this.to = Operands.register(instruction, 0);
    this.pair = instruction.name().endsWith("b64");
  }

  /** The operation; null for other messages, which this device does not have. */
  static @Nullable Op of(Instruction instruction) {
    return Operands.immediate(instruction, 1) == REAL_TIME ? new Ask(instruction) : null;
  }

  @Override
  public void execute(Wave wave) {
    long ticks = wave.group.environment().realTime();
    if (pair) {
      wave.s64(to, ticks);
    } else {
      wave.s[to] = (int) ticks;
    }
  }
}
