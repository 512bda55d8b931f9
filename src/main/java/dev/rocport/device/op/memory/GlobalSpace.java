package dev.rocport.device.op.memory;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.memory.Allocation;
import dev.rocport.device.memory.MemoryFault.Access;
import dev.rocport.device.wave.AccessObserver.Kind;
import dev.rocport.device.wave.Wave;
import org.jspecify.annotations.Nullable;

/**
 * Global memory by address: a 64-bit address a lane, or a scalar base and an unsigned 32-bit offset
 * a lane.
 *
 * @param base the code of the scalar base, or NONE
 * @param low the index of lane 0 of the vector address
 */
record GlobalSpace(int base, int low, int offset, Permission permission) implements LinearSpace {
  private static final int NONE = -1;

  static GlobalSpace of(Instruction instruction, Modifiers.Memory modifiers) {
    int base = NONE;
    if (instruction.opcode().has("saddr")
        && instruction.operand("saddr") instanceof Operand.Scalar(int code, _)) {
      base = code;
    }
    return new GlobalSpace(
        base, Rows.required(instruction, "vaddr").first(), modifiers.offset(), new Permission());
  }

  @Override
  public int row() {
    return low;
  }

  @Override
  public int add() {
    return 0;
  }

  @Override
  public @Nullable Window window(Wave wave, long lanes, int bytes, Access access) {
    int[] v = wave.v;
    int lane = Long.numberOfTrailingZeros(lanes);
    long start;
    if (base != NONE) {
      start = wave.s64(base) + offset;
    } else if (Moves.isUniform(v, low + Wave.LANES, lanes)) {
      start = ((long) v[low + Wave.LANES + lane] << 32) + offset;
    } else {
      return null;
    }
    Allocation of = permission.holder(wave, start + (v[low + lane] & 0xffffffffL), bytes, access);
    if (of == null) {
      return null;
    }
    long least = Math.max(0, of.base() - start);
    long most = Math.min(0xffffffffL, of.lastWordEnd() - bytes - start);
    return new Window(start, (int) least, (int) most);
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
