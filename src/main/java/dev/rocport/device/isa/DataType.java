package dev.rocport.device.isa;

/** How the bits of an operand are interpreted. */
public enum DataType {
  B8(1, Kind.INTEGER, 16),
  B16(1, Kind.INTEGER, 16),
  I16(1, Kind.INTEGER, 16),
  U16(1, Kind.INTEGER, 16),
  F16(1, Kind.FLOAT, 16),
  BF16(1, Kind.FLOAT, 16),
  B32(1, Kind.INTEGER, 32),
  I32(1, Kind.INTEGER, 32),
  U32(1, Kind.INTEGER, 32),
  F32(1, Kind.FLOAT, 32),
  B64(2, Kind.INTEGER, 64),
  I64(2, Kind.INTEGER, 64),
  U64(2, Kind.INTEGER, 64),
  F64(2, Kind.FLOAT, 64),
  /** Two halves of 16 bits in one register. */
  PK_B16(1, Kind.INTEGER, 16),
  PK_I16(1, Kind.INTEGER, 16),
  PK_U16(1, Kind.INTEGER, 16),
  PK_F16(1, Kind.FLOAT, 16),
  PK_BF16(1, Kind.FLOAT, 16),
  /** Four or eight small numbers in one register. */
  PK_B8(1, Kind.INTEGER, 32),
  PK_B4(1, Kind.INTEGER, 32),
  /** Two floats in a pair of registers. */
  PK_F32(2, Kind.FLOAT, 32),
  PK_B32(2, Kind.INTEGER, 32),
  B96(3, Kind.INTEGER, 32),
  B128(4, Kind.INTEGER, 32),
  B192(6, Kind.INTEGER, 32),
  B256(8, Kind.INTEGER, 32),
  B512(16, Kind.INTEGER, 32),
  B1024(32, Kind.INTEGER, 32),
  /** Four doubles: the accumulator of an F64 matrix. */
  X4_F64(8, Kind.FLOAT, 64);

  private enum Kind {
    INTEGER,
    FLOAT
  }

  private final int dwords;
  private final Kind kind;
  private final int elementBits;

  DataType(int dwords, Kind kind, int elementBits) {
    this.dwords = dwords;
    this.kind = kind;
    this.elementBits = elementBits;
  }

  /** Registers of 32 bits that a value takes. */
  public int dwords() {
    return dwords;
  }

  /** Bits of one element: 16 for packed halves, 32 for packed floats. */
  public int elementBits() {
    return elementBits;
  }

  public boolean isFloat() {
    return kind == Kind.FLOAT;
  }

  /** Whether it is one number of 16 bits. */
  public boolean isHalf() {
    return switch (this) {
      case F16, I16, U16, B16 -> true;
      default -> false;
    };
  }

  /**
   * The bits of an inline constant or literal read as this type.
   *
   * <p>An inline float is of the width of the element: 16-bit elements get the half (in the low
   * half of the register). A literal of a double is its high word; of a 64-bit signed integer it is
   * sign extended, of an unsigned one and of plain bits zero extended. Source: LLVM's
   * AMDGPUOperandSyntax.
   *
   * @throws IllegalArgumentException for an operand that is no constant
   */
  public long constant(Operand operand) {
    return switch (operand) {
      case Operand.Inline(int code) -> code <= 208 ? integer(code) : real(code);
      case Operand.Literal(int bits) ->
          switch (this) {
            case F64 -> (long) bits << 32;
            case I64 -> bits;
            default -> bits & 0xffffffffL;
          };
      default -> throw new IllegalArgumentException("not a constant: " + operand);
    };
  }

  private long integer(int code) {
    long value = code <= 192 ? code - 128 : 192 - code;
    return elementBits == 64 ? value : value & 0xffffffffL;
  }

  private static final double[] REALS = {0.5, -0.5, 1, -1, 2, -2, 4, -4};

  private long real(int code) {
    int i = code - 240;
    return switch (elementBits) {
      case 16 ->
          this == BF16 || this == PK_BF16
              ? i == 8 ? 0x3e22 : Float.floatToRawIntBits((float) REALS[i]) >>> 16
              : i == 8 ? 0x3118 : Float.floatToFloat16((float) REALS[i]) & 0xffffL;
      case 64 -> i == 8 ? 0x3fc45f306dc9c882L : Double.doubleToRawLongBits(REALS[i]);
      default -> i == 8 ? 0x3e22f983L : Float.floatToRawIntBits((float) REALS[i]) & 0xffffffffL;
    };
  }
}
