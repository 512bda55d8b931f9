package dev.rocport.device.isa;

import java.util.Optional;

/**
 * Reads the fields of RDNA that name registers and constants. Empty: no operand of that kind.
 *
 * <p>Null and m0 have each other's code of CDNA; {@link Operand} has those of CDNA.
 */
final class RdnaRegisters {
  /** Codes of sources that are none of their own: the second word tells. */
  static final int DPP8 = 233;

  static final int DPP8_FETCHING = 234;
  static final int DPP = 250;
  static final int LITERAL = 255;

  /** VCC of a wave of 32 lanes. */
  static final Operand MASK = vcc(1);

  private static final int FIELD_OF_NULL = 124;
  private static final int FIELD_OF_M0 = 125;
  private static final int M0 = 124;

  private RdnaRegisters() {}

  /** VCC as a mask of so many registers. */
  static Operand vcc(int dwords) {
    return new Operand.Scalar(106, dwords);
  }

  /** A scalar register; tuples start at a multiple of 2 or 4, within one file. */
  static Optional<Operand> scalar(int field, int dwords) {
    if (field == FIELD_OF_NULL) {
      return Optional.of(new Operand.Scalar(Operand.NULL, dwords));
    }
    int align = dwords == 3 ? 4 : Math.min(dwords, 4);
    boolean sgpr = field + dwords <= 106 && field % align == 0;
    boolean trap = field >= 108 && field + dwords <= 124 && (field - 108) % align == 0;
    boolean vcc = field >= 106 && field < 108 && dwords <= 2 && field % dwords == 0;
    boolean exec = field >= 126 && field < 128 && dwords <= 2 && field % dwords == 0;
    if (field == FIELD_OF_M0 && dwords == 1) {
      return Optional.of(new Operand.Scalar(M0, 1));
    }
    return sgpr || trap || vcc || exec
        ? Optional.of(new Operand.Scalar(field, dwords))
        : Optional.empty();
  }

  static Optional<Operand> vector(int register, int dwords) {
    return register + dwords <= 256
        ? Optional.of(new Operand.Vector(register, dwords))
        : Optional.empty();
  }

  /** A source of 8 bits, without literal. */
  static Optional<Operand> scalarSource(int code, int dwords) {
    if (code < 128) {
      return scalar(code, dwords);
    }
    if (code <= 208 || (code >= 240 && code <= 248)) {
      return Optional.of(new Operand.Inline(code));
    }
    boolean special = (code >= 235 && code <= 238) || (code >= 251 && code <= 253);
    return special ? Optional.of(new Operand.Special(code)) : Optional.empty();
  }

  /** A source of 9 bits with the literal that it may be. */
  static Optional<Operand> source(int code, int dwords, int literal) {
    if (code == LITERAL) {
      return Optional.of(new Operand.Literal(literal));
    }
    return code >= 256 ? vector(code - 256, dwords) : scalarSource(code, dwords);
  }
}
