package dev.rocport.device.op.memory;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.memory.MemoryFault.Access;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;

/** Atomics of the scalar unit on 32 bits. The old value is written to the data register. */
final class ScalarAtomic32 extends Op {
  private final ScalarAddress address;
  private final IntUpdate update;
  private final int data;
  private final int second;
  private final boolean returns;

  ScalarAtomic32(
      Instruction instruction,
      ScalarAddress address,
      IntUpdate update,
      int data,
      int second,
      boolean returns) {
    super(instruction);
    this.address = address;
    this.update = update;
    this.data = data;
    this.second = second;
    this.returns = returns;
  }

  @Override
  public void execute(Wave wave) {
    long at = address.of(wave, instruction(), 4, Access.ATOMIC);
    int old = at == Space.NOWHERE ? 0 : Atomic32.exchange(update, at, wave.s[data], wave.s[second]);
    if (returns) {
      wave.s[data] = old;
    }
  }
}
