package dev.rocport.device.op.matrix;

import dev.rocport.device.isa.DataType;
import dev.rocport.device.isa.Encoding;
import dev.rocport.device.isa.Generation;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.wave.Wave;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a WMMA instruction of RDNA does: D = A B + C for matrices of 16 rows and columns. SWMMAC of
 * RDNA 4 does D = A B + D, where A holds two of each four columns, and two bits for each of them
 * say which. Source: AMD's matrix instruction calculator, of RDNA 3 and 4. It gives the columns of
 * A and rows of B with 16 bits other numbers on RDNA 4; both have the same, so the product is the
 * same.
 *
 * <p>A wave has groups of 16 lanes: two, or four if it has 64 lanes. RDNA 3: lane l of each group
 * holds all of row l of A and of column l of B; register r of a lane of group g is row 2r + g of C
 * and D, or 4r + g. RDNA 4: each group holds a part of the rows of A and of the columns of B, and
 * successive rows of C and D; of four groups, the third has the second part. In both, l is the
 * column. The bits of a kept element of A are in the lane that holds it, in the same order.
 *
 * @param type of C and D
 * @param a index of lane 0 of the first register
 * @param d index of lane 0 of the first register
 * @param bits neg_lo of integers: bit i: those of source i are signed
 * @param index index of lane 0 of the register with the columns of a sparse A; {@link #DENSE}
 * @param repeated as in RDNA 3
 * @param groups of 16 lanes in the wave
 * @param depth columns of A, with those that a sparse one does not hold
 */
public record WaveMatrix(
    boolean repeated,
    int groups,
    int depth,
    Numbers elementA,
    Numbers elementB,
    DataType type,
    int a,
    int b,
    Source c,
    int d,
    Modifiers.Packed bits,
    int index) {
  /** Rows and columns of C and D. */
  public static final int SIZE = 16;

  /** No index, because A has all its columns. */
  public static final int DENSE = -1;

  private static final Pattern NAME =
      Pattern.compile(
          "v_(?:wmma|swmmac)_(f32|f16|bf16|i32)_16x16x(16|32|64)_"
              + "(?:(fp8|bf8)_(fp8|bf8)|(f16|bf16|iu8|iu4))");

  /** The numbers in A or B. */
  public enum Numbers {
    F16(16),
    BF16(16),
    FP8(8),
    BF8(8),
    IU8(8),
    IU4(4);

    private final int bits;

    Numbers(int bits) {
      this.bits = bits;
    }

    /** Of each number. */
    public int bits() {
      return bits;
    }

    boolean isInteger() {
      return this == IU8 || this == IU4;
    }

    /** The element of OCP floats and halves. */
    Element element() {
      return switch (this) {
        case F16 -> Element.F16;
        case BF16 -> Element.BF16;
        case FP8 -> Element.OCP_FP8;
        case BF8 -> Element.OCP_BF8;
        case IU8, IU4 -> throw new IllegalStateException(this + " is no float");
      };
    }
  }

  /** Reads an instruction; empty if it is no such one, or has bits of unknown effect. */
  public static Optional<WaveMatrix> of(Instruction instruction) {
    Matcher name = NAME.matcher(instruction.name());
    if (instruction.opcode().encoding() != Encoding.VOP3P || !name.matches()) {
      return Optional.empty();
    }
    Modifiers.Packed bits = Modifiers.Packed.of(instruction);
    DataType type =
        switch (name.group(1)) {
          case "f32" -> DataType.F32;
          case "f16" -> DataType.F16;
          case "bf16" -> DataType.BF16;
          default -> DataType.I32;
        };
    Numbers one = numbers(name.group(5) == null ? name.group(3) : name.group(5));
    Numbers other = numbers(name.group(5) == null ? name.group(4) : name.group(5));
    boolean sparse = instruction.opcode().isSparseWaveMatrix();
    Optional<Source> c = Source.of(instruction.operand(sparse ? "vdst" : "src2"), type);
    boolean repeated = instruction.opcode().generation() == Generation.RDNA3;
    if (c.isEmpty()
        || !isKnown(bits, one, type, sparse, repeated)
        || !(instruction.operand("src0") instanceof Operand.Vector(int a, int _))
        || !(instruction.operand("src1") instanceof Operand.Vector(int b, int _))
        || !(instruction.operand("vdst") instanceof Operand.Vector(int d, int registers))) {
      return Optional.empty();
    }
    // A register of RDNA 3 has one row of D in each group, also of 16 bits.
    int rows = repeated ? registers : registers * 32 / type.elementBits();
    WaveMatrix matrix =
        new WaveMatrix(
            repeated,
            SIZE / rows,
            Integer.parseInt(name.group(2)),
            one,
            other,
            type,
            a * Wave.LANES,
            b * Wave.LANES,
            c.get(),
            d * Wave.LANES,
            bits,
            sparse && instruction.operand("src2") instanceof Operand.Vector(int index, int _)
                ? index * Wave.LANES
                : DENSE);
    return sparse && bits.opSel() * matrix.indexBits() >= 32
        ? Optional.empty()
        : Optional.of(matrix);
  }

  private static Numbers numbers(String name) {
    return switch (name) {
      case "f16" -> Numbers.F16;
      case "bf16" -> Numbers.BF16;
      case "fp8" -> Numbers.FP8;
      case "bf8" -> Numbers.BF8;
      case "iu8" -> Numbers.IU8;
      default -> Numbers.IU4;
    };
  }

  private static boolean isKnown(
      Modifiers.Packed bits, Numbers numbers, DataType type, boolean sparse, boolean repeated) {
    boolean picksHalf = repeated && type.elementBits() == 16;
    if ((bits.opSel() & (sparse ? 4 : picksHalf ? 3 : 7)) != 0
        || (sparse && ((bits.negLo() | bits.negHi()) & 4) != 0)) {
      return false;
    }
    return numbers.isInteger()
        ? (bits.negLo() & 4) == 0 && bits.negHi() == 0
        : !bits.clamp()
            && (numbers == Numbers.F16
                || ((bits.negLo() | bits.negHi()) & (type == DataType.F32 ? 3 : 7)) == 0);
  }

  /** The elements of a row of A that lanes hold. */
  public int kept() {
    return index == DENSE ? depth : depth / 2;
  }

  /** Of so many elements of a row of A, or of a column of B, those that a lane holds. */
  public int perLane(int elements) {
    return repeated ? elements : Math.max(elements / groups, 32 / elementA.bits());
  }

  /** The first lane of the group that holds one of the parts of a row or column. */
  private int firstLane(int part, int parts) {
    return parts == 4 ? SIZE * (part / 2 + 2 * (part % 2)) : SIZE * part;
  }

  /** The lane with one of so many elements of row or column i. */
  public int lane(int i, int k, int elements) {
    int perLane = perLane(elements);
    return repeated ? i : i + firstLane(k / perLane, elements / perLane);
  }

  /** The column of each kept element of A: that of element k of row i is at i * kept() + k. */
  int[] columns(Wave wave) {
    int kept = kept();
    int[] columns = new int[SIZE * kept];
    for (int i = 0; i < columns.length; i++) {
      int k = i % kept;
      columns[i] = index == DENSE ? k : column(wave, i / kept, k);
    }
    return columns;
  }

  private int column(Wave wave, int row, int k) {
    int perLane = perLane(kept());
    int place = k % perLane;
    int word = wave.v[index + lane(row, k, kept())] >>> (indexBits() * bits.opSel());
    return k / perLane * 2 * perLane + place / 2 * 4 + ((word >>> (2 * place)) & 3);
  }

  /** Of a register with columns, those of one matrix. */
  private int indexBits() {
    return 2 * perLane(kept());
  }

  /** Rows of C and D that a lane holds. */
  private int rows() {
    return SIZE / groups;
  }

  /** The lane of C and D with a place. */
  public int laneOfResult(int row, int column) {
    return column + (repeated ? SIZE * (row % groups) : firstLane(row / rows(), groups));
  }

  /** The register of C and D with a row, counted from the first. */
  public int register(int row) {
    if (repeated) {
      return row / groups;
    }
    return type.elementBits() == 16 ? row % rows() / 2 : row % rows();
  }

  /** By how much an element of C and D is shifted in its register. */
  public int shift(int row) {
    if (type.elementBits() != 16) {
      return 0;
    }
    return 16 * (repeated ? bits.opSel() >> 2 & 1 : row & 1);
  }
}
