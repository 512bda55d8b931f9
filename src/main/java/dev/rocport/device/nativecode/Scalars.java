package dev.rocport.device.nativecode;

import dev.rocport.device.isa.DataType;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.wave.Wave;
import org.jspecify.annotations.Nullable;

/** Operands of instructions that read scalars. */
final class Scalars {
  private Scalars() {}

  /** Whether an operand can be read. */
  static boolean knows(Operand operand) {
    return switch (operand) {
      case Operand.Scalar _, Operand.Inline _, Operand.Literal _, Operand.Immediate _ -> true;
      case Operand.Special(int code) -> code != 239;
      default -> false;
    };
  }

  /** An i32: for an operand of two registers the low one. */
  static String word(WaveFunction f, Operand operand, DataType type) {
    return word(f, operand, type, 0);
  }

  /** One i32 of an operand. */
  static String word(WaveFunction f, Operand operand, DataType type, int word) {
    return switch (operand) {
      case Operand.Scalar(int code, int _) when code == Operand.NULL -> "0";
      case Operand.Scalar(int code, int _) -> f.scalar(code + word);
      case Operand.Immediate(int value) -> Integer.toString(word == 0 ? value : value >> 31);
      case Operand.Special(int code) -> special(f, code, word);
      default -> Integer.toString((int) (type.constant(operand) >>> (32 * word)));
    };
  }

  /** An i64: a single register comes with zeros above. */
  static String pair(WaveFunction f, Operand operand, DataType type) {
    return switch (operand) {
      case Operand.Scalar(int code, int _) when code == Operand.NULL -> "0";
      case Operand.Scalar(int code, int dwords) ->
          dwords == 1 ? f.ir.value("zext i32 %s to i64", f.scalar(code)) : f.pair(code);
      case Operand.Immediate(int value) -> Integer.toString(value);
      case Operand.Special(int code) when code < 251 -> Long.toString(aperture(code));
      case Operand.Special(int code) -> f.ir.value("zext i32 %s to i64", special(f, code, 0));
      default -> Long.toString(type.constant(operand));
    };
  }

  private static long aperture(int code) {
    long low = code == 236 || code == 238 ? 0xffffffffL : 0;
    return (long) (code <= 236 ? Wave.SHARED_APERTURE : Wave.PRIVATE_APERTURE) << 32 | low;
  }

  private static String special(WaveFunction f, int code, int word) {
    if (code < 251) {
      return Integer.toString((int) (aperture(code) >>> (32 * word)));
    }
    if (word > 0) {
      return "0";
    }
    String bit =
        switch (code) {
          case 251 -> f.ir.value("icmp eq i64 %s, 0", f.bits(Wave.VCC));
          case 252 -> f.ir.value("icmp eq i64 %s, 0", f.exec());
          default -> f.scc();
        };
    return f.ir.value("zext i1 %s to i32", bit);
  }

  /** The code of a scalar register in a slot, or -1. */
  static int register(Instruction i, int slot) {
    return i.operands().get(slot) instanceof Operand.Scalar(int code, int _) ? code : -1;
  }

  static @Nullable Integer immediate(Instruction i, int slot) {
    return i.operands().get(slot) instanceof Operand.Immediate(int value) ? value : null;
  }
}
