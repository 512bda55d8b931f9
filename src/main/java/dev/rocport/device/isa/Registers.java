package dev.rocport.device.isa;

import java.util.Optional;

/** Reads the fields that name registers and constants. Empty: no operand of that kind. */
final class Registers {
  static final Operand VCC = new Operand.Scalar(106, 2);

  private Registers() {}

  /** A scalar register; tuples start at a multiple of 2 or 4, within one file. */
  static Optional<Operand> scalar(int code, int dwords) {
    int align = Math.min(dwords, 4);
    boolean sgpr = code + dwords <= 102 && code % align == 0;
    boolean trap = code >= 108 && code + dwords <= 124 && (code - 108) % align == 0;
    boolean pair = code >= 102 && code < 108 && dwords <= 2 && code % dwords == 0;
    boolean m0 = code == 124 && dwords == 1;
    boolean exec = code >= 126 && code < 128 && dwords <= 2 && code % dwords == 0;
    return sgpr || trap || pair || m0 || exec
        ? Optional.of(new Operand.Scalar(code, dwords))
        : Optional.empty();
  }

  /** Vector registers; tuples start at an even one. */
  static Optional<Operand> vector(int register, int dwords) {
    return tuple(register, dwords)
        ? Optional.of(new Operand.Vector(register, dwords))
        : Optional.empty();
  }

  static Optional<Operand> accumulator(int register, int dwords) {
    return tuple(register, dwords)
        ? Optional.of(new Operand.Accumulator(register, dwords))
        : Optional.empty();
  }

  /** A register of memory instructions' data: of either file. */
  static Optional<Operand> data(int register, int dwords, boolean accumulator) {
    return accumulator ? accumulator(register, dwords) : vector(register, dwords);
  }

  private static boolean tuple(int register, int dwords) {
    return register + dwords <= 256 && (dwords == 1 || register % 2 == 0);
  }

  /** A source of 8 bits, without literal. */
  static Optional<Operand> scalarSource(int code, int dwords) {
    if (code < 128) {
      return scalar(code, dwords);
    }
    if (code <= 208 || (code >= 240 && code <= 248)) {
      return Optional.of(new Operand.Inline(code));
    }
    boolean special = (code >= 235 && code <= 239) || (code >= 251 && code <= 253);
    return special ? Optional.of(new Operand.Special(code)) : Optional.empty();
  }

  /** A source of 9 bits, without literal. */
  static Optional<Operand> source(int code, int dwords) {
    return code >= 256 ? vector(code - 256, dwords) : scalarSource(code, dwords);
  }
}
