package dev.rocport.device.isa;

import java.util.Map;

/** Registers and constants as LLVM writes them. */
final class OperandText {
  private static final Map<Integer, String> NAMED =
      Map.ofEntries(
          Map.entry(102, "flat_scratch"),
          Map.entry(104, "xnack_mask"),
          Map.entry(106, "vcc"),
          Map.entry(126, "exec"),
          Map.entry(235, "src_shared_base"),
          Map.entry(236, "src_shared_limit"),
          Map.entry(237, "src_private_base"),
          Map.entry(238, "src_private_limit"),
          Map.entry(239, "src_pops_exiting_wave_id"),
          Map.entry(251, "src_vccz"),
          Map.entry(252, "src_execz"),
          Map.entry(253, "src_scc"));

  private static final String[] REALS = {
    "0.5", "-0.5", "1.0", "-1.0", "2.0", "-2.0", "4.0", "-4.0"
  };

  private OperandText() {}

  static String of(Operand operand, DataType type) {
    return switch (operand) {
      case Operand.Scalar(int code, int dwords) -> scalar(code, dwords);
      case Operand.Vector(int register, int dwords) -> tuple("v", register, dwords);
      case Operand.Accumulator(int register, int dwords) -> tuple("a", register, dwords);
      case Operand.Special(int code) -> NAMED.getOrDefault(code, "?");
      case Operand.Inline(int code) -> inline(code, type);
      case Operand.Literal(int bits) -> literal(bits, type);
      case Operand.Immediate(int value) -> Integer.toString(value);
      case Operand.Off() -> "off";
    };
  }

  /** A literal whose bits are those of an inline constant is printed as that one. */
  private static String literal(int bits, DataType type) {
    DataType seenAs =
        switch (type) {
          case F16, PK_F16 -> DataType.F16;
          case F64 -> DataType.F64;
          case B64, I64, U64 -> DataType.B64;
          default -> DataType.F32;
        };
    int wide = type == DataType.F16 ? (short) bits : bits;
    boolean small = wide <= 64 && wide >= (seenAs == DataType.B64 ? 0 : -16);
    if (seenAs == DataType.F64 ? bits == 0 : small) {
      return Integer.toString(wide);
    }
    long value =
        switch (type) {
          case F64 -> (long) bits << 32;
          case F16 -> bits & 0xffffL;
          default -> bits & 0xffffffffL;
        };
    for (int code = 240; seenAs != DataType.B64 && code <= 248; code++) {
      if (seenAs.constant(new Operand.Inline(code)) == value) {
        return inline(code, seenAs);
      }
    }
    return hex(type.isHalf() ? bits & 0xffff : bits);
  }

  static String hex(int bits) {
    return "0x" + Integer.toHexString(bits);
  }

  private static String scalar(int code, int dwords) {
    if (code == 124) {
      return "m0";
    }
    if (code >= 108 && code < 124) {
      return tuple("ttmp", code - 108, dwords);
    }
    if (code < 102) {
      return tuple("s", code, dwords);
    }
    String pair = NAMED.get(code & ~1);
    return dwords == 2 ? pair + "" : pair + (code % 2 == 0 ? "_lo" : "_hi");
  }

  private static String tuple(String file, int register, int dwords) {
    return dwords == 1
        ? file + register
        : file + "[" + register + ":" + (register + dwords - 1) + "]";
  }

  private static String inline(int code, DataType type) {
    if (code <= 208) {
      return Integer.toString(code <= 192 ? code - 128 : 192 - code);
    }
    if (type.isHalf() && !type.isFloat()) {
      return hex((int) type.constant(new Operand.Inline(code)));
    }
    if (code == 248) {
      return type.elementBits() == 64 ? "0.15915494309189532" : "0.15915494";
    }
    return REALS[code - 240];
  }
}
