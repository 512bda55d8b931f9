package dev.rocport.device.op.memory;

import dev.rocport.device.isa.Generation;
import dev.rocport.device.memory.Memory;
import java.util.Optional;

/**
 * The data that a load or store moves for one lane.
 *
 * @param bytes 1 or 2, or a multiple of 4
 * @param signed a part of a register is sign extended
 * @param half a load sets a half of the register; the other becomes 0 on CDNA, as it does where
 *     memory has ECC (CDNA3 ISA, 9.1.6)
 * @param high the half is the upper one
 */
public record Width(int bytes, boolean signed, boolean half, boolean high) {
  static final Width DWORD = new Width(4, false, false, false);

  /** The width that ends a mnemonic: {@code ubyte_d16} or {@code dwordx2}, of LDS {@code b64}. */
  public static Optional<Width> of(String suffix) {
    return Optional.ofNullable(
        switch (suffix) {
          case "ubyte", "u8", "byte", "b8" -> new Width(1, false, false, false);
          case "sbyte", "i8" -> new Width(1, true, false, false);
          case "ushort", "u16", "short", "b16" -> new Width(2, false, false, false);
          case "sshort", "i16" -> new Width(2, true, false, false);
          case "ubyte_d16", "u8_d16" -> new Width(1, false, true, false);
          case "sbyte_d16", "i8_d16" -> new Width(1, true, true, false);
          case "short_d16", "u16_d16" -> new Width(2, false, true, false);
          case "ubyte_d16_hi", "u8_d16_hi", "byte_d16_hi", "b8_d16_hi" ->
              new Width(1, false, true, true);
          case "sbyte_d16_hi", "i8_d16_hi" -> new Width(1, true, true, true);
          case "short_d16_hi", "u16_d16_hi", "b16_d16_hi" -> new Width(2, false, true, true);
          case "dword", "b32" -> DWORD;
          case "dwordx2", "b64" -> new Width(8, false, false, false);
          case "dwordx3", "b96" -> new Width(12, false, false, false);
          case "dwordx4", "b128" -> new Width(16, false, false, false);
          default -> null;
        });
  }

  /** Registers. */
  public int dwords() {
    return (bytes + 3) >> 2;
  }

  /** The bits of a register that a load leaves alone. */
  public int kept(Generation generation) {
    return !half || generation == Generation.CDNA ? 0 : high ? 0xffff : 0xffff0000;
  }

  /** The register that a loaded part of it makes. */
  public int extend(int part) {
    int value = part;
    if (bytes == 1) {
      value = signed ? (byte) part : part & 0xff;
    } else if (bytes == 2) {
      value = signed ? (short) part : part & 0xffff;
    }
    if (half) {
      value = high ? value << 16 : value & 0xffff;
    }
    return value;
  }

  /** The part of a register that is stored, in the low bits. */
  public int part(int register) {
    return high ? register >>> 16 : register;
  }

  /** Loads a register, or a part of one, and extends it. */
  public int load(long address) {
    return switch (bytes) {
      case 1 -> extend(Memory.loadByte(address));
      case 2 -> extend(Memory.loadShort(address));
      default -> Memory.loadInt(address);
    };
  }

  /** Stores a register, or a part of one. */
  public void store(long address, int register) {
    switch (bytes) {
      case 1 -> Memory.storeByte(address, (byte) part(register));
      case 2 -> Memory.storeShort(address, (short) part(register));
      default -> Memory.storeInt(address, register);
    }
  }
}
