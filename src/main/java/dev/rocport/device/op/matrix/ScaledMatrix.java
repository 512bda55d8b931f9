package dev.rocport.device.op.matrix;

import dev.rocport.device.isa.DataType;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.op.vector.BitFields;
import dev.rocport.device.op.vector.MicroFloat;
import dev.rocport.device.wave.Wave;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What an {@code f8f6f4} instruction does: D = A B + C, where each 32 elements of a row of A and of
 * a column of B that follow each other have a common factor, a power of two.
 *
 * <p>A lane has 32 elements of one row or column. Of 6 and 4 bits, they are 32 that follow each
 * other; of 8 bits, they are two times 16, half a row apart. The factor of the elements 32 b to 32
 * b + 31 of a row is in the lane that has these elements where they have 4 bits. The layouts are
 * those that public programs for gfx950 assume: the tests of aiter, and Triton's compiler, which
 * combines 8 and 4 bits in one instruction. They are not proven on hardware.
 *
 * @param size rows of A, and columns of B
 * @param a index of lane 0 of the first register
 * @param scaleA empty where there are no factors
 */
record ScaledMatrix(
    int size,
    int depth,
    MicroFloat elementA,
    MicroFloat elementB,
    Source a,
    Source b,
    Source c,
    Source d,
    Optional<Scale> scaleA,
    Optional<Scale> scaleB) {
  private static final Pattern NAME =
      Pattern.compile("v_mfma_(scale_)?f32_(16|32)x\\2x(128|64)_f8f6f4");

  /** Elements with a common factor. */
  static final int BLOCK = 32;

  /** Elements of 8 bits that a lane has in a row. */
  private static final int STRIPE = 16;

  /**
   * Factors: bytes of a register of each lane, or of one word for all.
   *
   * @param operand a vector or scalar register, or a constant
   * @param number of the byte in its word
   */
  record Scale(Operand operand, int number) {
    /** The byte in a lane, an exponent of two with a bias of 127; 255 is NaN. */
    int of(Wave wave, int lane) {
      int word =
          switch (operand) {
            case Operand.Vector(int register, int _) -> wave.v[register * Wave.LANES + lane];
            case Operand.Scalar(int code, int _) -> wave.s[code];
            default -> (int) DataType.B32.constant(operand);
          };
      return (word >>> (8 * number)) & 0xff;
    }
  }

  /** Reads an instruction; empty if it is no such one, or of an unknown form. */
  static Optional<ScaledMatrix> of(Instruction instruction) {
    Matcher name = NAME.matcher(instruction.name());
    if (!name.matches()) {
      return Optional.empty();
    }
    Modifiers.ScaledMatrix bits = Modifiers.ScaledMatrix.of(instruction);
    boolean scaled = name.group(1) != null;
    Optional<Operands> operands = Operands.of(instruction, DataType.F32);
    return operands
        .filter(o -> !o.a().isConstant() && !o.b().isConstant())
        .map(
            o ->
                new ScaledMatrix(
                    Integer.parseInt(name.group(2)),
                    Integer.parseInt(name.group(3)),
                    MicroFloat.of(bits.formatA()),
                    MicroFloat.of(bits.formatB()),
                    o.a(),
                    o.b(),
                    o.c(),
                    o.d(),
                    scale(instruction, "scale0", bits.byteA(), scaled),
                    scale(instruction, "scale1", bits.byteB(), scaled)));
  }

  private static Optional<Scale> scale(
      Instruction instruction, String slot, int number, boolean scaled) {
    return scaled ? Optional.of(new Scale(instruction.operand(slot), number)) : Optional.empty();
  }

  /** The lanes that have elements of the same row of A, or column of B. */
  private int lanesOfRow() {
    return Wave.LANES / size;
  }

  /** The bits of element k of row i of A, or of column i of B. */
  int code(int[] registers, int first, MicroFloat element, int i, int k) {
    boolean striped = element.bits() == 8;
    int wide = STRIPE * lanesOfRow();
    int owner = striped ? k % wide / STRIPE : k / BLOCK;
    int place = striped ? k / wide * STRIPE + k % STRIPE : k % BLOCK;
    return BitFields.get(
        registers, first + owner * size + i, place * element.bits(), element.bits());
  }

  /** The lane with the factor of element k of row i of A, or of column i of B. */
  int laneOfScale(int i, int k) {
    return k / BLOCK * size + i;
  }
}
