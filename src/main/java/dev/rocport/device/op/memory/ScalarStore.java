package dev.rocport.device.op.memory;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.memory.Memory;
import dev.rocport.device.memory.MemoryFault.Access;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;

/** Stores of scalar registers. */
final class ScalarStore extends Op {
  private final ScalarAddress address;
  private final int dwords;
  private final int source;

  ScalarStore(Instruction instruction, ScalarAddress address, Width width, int source) {
    super(instruction);
    this.address = address;
    this.dwords = width.dwords();
    this.source = source;
  }

  @Override
  public void execute(Wave wave) {
    long at = address.of(wave, instruction(), 4 * dwords, Access.STORE);
    int inside = at == Space.NOWHERE ? 0 : address.inside(wave, at, 4 * dwords) >> 2;
    int d = 0;
    for (; d + 1 < inside; d += 2) {
      Memory.storeLong(at + 4L * d, wave.s64(source + d));
    }
    for (; d < inside; d++) {
      Memory.storeInt(at + 4L * d, wave.s[source + d]);
    }
  }
}
