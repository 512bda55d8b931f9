package dev.rocport.device.check.sync;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.memory.Memory;
import dev.rocport.device.memory.MemoryFault.Access;
import dev.rocport.device.wave.Wave;
import org.jspecify.annotations.Nullable;

/** What stores and atomics of 4 and 8 bytes would leave in memory. */
final class Stored {
  private Stored() {}

  /** What a lane's access would leave; null where that is not known, or nothing. */
  static @Nullable Long value(Wave wave, Instruction i, Accesses.One one, int lane) {
    int bytes = one.bytes();
    Long data = data(wave, i, lane, bytes, 0);
    if (data == null) {
      return null;
    }
    if (one.access() == Access.STORE) {
      return data;
    }
    long old = load(one.addresses()[lane], bytes);
    String name = i.name();
    if (name.contains("cmp")) {
      boolean local = name.startsWith("ds_");
      Long second =
          local ? slot(wave, i, "data1", lane, bytes, 0) : data(wave, i, lane, bytes, bytes / 4);
      if (second == null) {
        return null;
      }
      // LDS has what to compare with first, global memory the new value.
      long compare = local ? data : second;
      return compare == old ? (local ? second : data) : null;
    }
    long result =
        name.contains("swap") || name.contains("wrxchg")
            ? data
            : name.contains("_add")
                ? old + data
                : name.contains("_sub")
                    ? old - data
                    : name.contains("_or")
                        ? old | data
                        : name.contains("_and")
                            ? old & data
                            : name.contains("_xor")
                                ? old ^ data
                                : name.contains("_inc")
                                    ? (Long.compareUnsigned(old, data) >= 0 ? 0 : old + 1)
                                    : old;
    result = bytes == 4 ? result & 0xffffffffL : result;
    return result == old ? null : result;
  }

  private static @Nullable Long data(Wave wave, Instruction i, int lane, int bytes, int dword) {
    Long data = slot(wave, i, "vdata", lane, bytes, dword);
    return data == null ? slot(wave, i, "data0", lane, bytes, dword) : data;
  }

  private static @Nullable Long slot(
      Wave wave, Instruction i, String slot, int lane, int bytes, int dword) {
    for (int n = 0; n < i.operands().size(); n++) {
      if (i.opcode().slots().get(n).name().equals(slot)) {
        return switch (i.operands().get(n)) {
          case Operand.Vector(int r, _) -> word(wave.v, r + dword, lane, bytes);
          case Operand.Accumulator(int r, _) -> word(wave.a, r + dword, lane, bytes);
          default -> null;
        };
      }
    }
    return null;
  }

  private static long word(int[] rows, int register, int lane, int bytes) {
    long low = rows[register * Wave.LANES + lane] & 0xffffffffL;
    return bytes == 4 ? low : low | (long) rows[(register + 1) * Wave.LANES + lane] << 32;
  }

  /** What memory holds. */
  static long load(long address, int bytes) {
    long value = 0;
    for (int b = Math.min(bytes, 8) - 1; b >= 0; b--) {
      value = value << 8 | (Memory.loadByte(address + b) & 0xff);
    }
    return value;
  }

  /** Sets a lane's result of a load or an atomic of 4 or 8 bytes. */
  static void result(Instruction i, Wave wave, int lane, int bytes, long value) {
    if (bytes != 4 && bytes != 8) {
      return;
    }
    switch (i.operands().getFirst()) {
      case Operand.Vector(int r, _) -> set(wave.v, r, lane, bytes, value);
      case Operand.Accumulator(int r, _) -> set(wave.a, r, lane, bytes, value);
      default -> {}
    }
  }

  private static void set(int[] rows, int register, int lane, int bytes, long value) {
    rows[register * Wave.LANES + lane] = (int) value;
    if (bytes == 8) {
      rows[(register + 1) * Wave.LANES + lane] = (int) (value >>> 32);
    }
  }
}
