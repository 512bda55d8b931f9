package dev.rocport.device.op.memory;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.memory.MemoryFault;
import dev.rocport.device.memory.MemoryFault.Access;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;

/** Atomics of the scalar unit on 64 bits; see {@link ScalarAtomic32}. */
final class ScalarAtomic64 extends Op {
  private final ScalarAddress address;
  private final LongUpdate update;
  private final int data;
  private final int second;
  private final boolean returns;

  ScalarAtomic64(
      Instruction instruction,
      ScalarAddress address,
      LongUpdate update,
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
    long at = address.of(wave, instruction(), 8, Access.ATOMIC);
    if ((at & 7) != 0) {
      throw new MemoryFault(Access.ATOMIC, at, 8, "not aligned to 8 bytes");
    }
    long old =
        at == Space.NOWHERE ? 0 : Atomic64.exchange(update, at, wave.s64(data), wave.s64(second));
    if (returns) {
      wave.s64(data, old);
    }
  }
}
