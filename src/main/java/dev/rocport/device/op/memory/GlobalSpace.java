package dev.rocport.device.op.memory;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.memory.MemoryFault.Access;
import dev.rocport.device.wave.AccessObserver.Kind;
import dev.rocport.device.wave.Wave;

/**
 * Global memory by address: a 64-bit address a lane, or a scalar base and an unsigned 32-bit offset
 * a lane.
 */
final class GlobalSpace implements Space {
  private static final int NONE = -1;

  private final int base;
  private final int low;
  private final int offset;
  private final Permission permission = new Permission();

  /**
   * @param base the code of the scalar base, or NONE
   * @param low the index of lane 0 of the vector address
   */
  private GlobalSpace(int base, int low, int offset) {
    this.base = base;
    this.low = low;
    this.offset = offset;
  }

  static GlobalSpace of(Instruction instruction, Modifiers.Memory modifiers) {
    int base = NONE;
    if (instruction.opcode().slots().stream().anyMatch(s -> s.name().equals("saddr"))
        && instruction.operand("saddr") instanceof Operand.Scalar(int code, _)) {
      base = code;
    }
    return new GlobalSpace(base, Rows.required(instruction, "vaddr").first(), modifiers.offset());
  }

  @Override
  public int resolve(Wave wave, long lanes, int bytes, Access access, long[] addresses) {
    int[] v = wave.v;
    int at = low;
    if (base == NONE) {
      int high = at + Wave.LANES;
      long add = offset;
      for (int l = 0; l < Wave.LANES; l++) {
        addresses[l] = ((v[at + l] & 0xffffffffL) | (long) v[high + l] << 32) + add;
      }
    } else {
      long start = wave.s64(base) + offset;
      for (int l = 0; l < Wave.LANES; l++) {
        addresses[l] = start + (v[at + l] & 0xffffffffL);
      }
    }
    permission.require(wave, lanes, bytes, access, addresses);
    return 4;
  }

  @Override
  public Kind kind() {
    return Kind.GLOBAL;
  }
}
