package dev.rocport.device.op.memory;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.memory.Memory;
import dev.rocport.device.memory.MemoryFault.Access;
import dev.rocport.device.wave.Wave;

/**
 * ds_append and ds_consume: a counter in LDS at M0[15:0] + offset moves by the number of active
 * lanes, and all get its old value.
 */
final class Append extends LaneOp {
  private final int offset;
  private final int sign;
  private final Rows result;

  Append(Instruction instruction, int offset, int sign) {
    super(instruction);
    this.offset = offset;
    this.sign = sign;
    this.result = Rows.required(instruction, "vdst");
  }

  @Override
  void run(Wave wave, long lanes) {
    long at = ((wave.s[Wave.M0] & 0xffffL) + offset) & ~3L;
    long address = LocalSpace.address(wave, -1, at, 4, Access.ATOMIC);
    int old = 0;
    if (address != Space.NOWHERE) {
      counter(wave, lanes, address);
      old = Memory.loadInt(address);
      Memory.storeInt(address, old + sign * Long.bitCount(lanes));
    }
    int[] registers = result.of(wave);
    for (long m = lanes; m != 0; m &= m - 1) {
      registers[result.first() + Long.numberOfTrailingZeros(m)] = old;
    }
  }
}
