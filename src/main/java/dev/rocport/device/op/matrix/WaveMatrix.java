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
 * What a WMMA instruction of RDNA does: D = A B + C for matrices of 16 rows and columns, in waves
 * of 32 lanes. SWMMAC of RDNA 4 does D = A B + D, where A holds two of each four columns, and two
 * bits for each of them say which. Source: AMD's matrix instruction calculator, of RDNA 3 and 4. It
 * gives the columns of A and rows of B with 16 bits other numbers on RDNA 4; both have the same, so
 * the product is the same.
 *
 * <p>RDNA 3: lane l and lane 16 + l both hold all of row l of A and of column l of B; register r of
 * lane l is row 2r + l / 16 of C and D. RDNA 4: lane l holds the half l / 16 of row l % 16;
 * register or element r of lane l is row 8 (l / 16) + r. In both, l % 16 is the column. The bits of
 * a kept element of A are in the lane that holds it, in the same order.
 *
 * @param type of C and D
 * @param a index of lane 0 of the first register
 * @param d index of lane 0 of the first register
 * @param bits neg_lo of integers: bit i: those of source i are signed
 * @param index index of lane 0 of the register with the columns of a sparse A; {@link #DENSE}
 * @param repeated as in RDNA 3
 * @param depth columns of A, with those that a sparse one does not hold
 */
public record WaveMatrix(
    boolean repeated,
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
        || !(instruction.operand("vdst") instanceof Operand.Vector(int d, int _))) {
      return Optional.empty();
    }
    return Optional.of(
        new WaveMatrix(
            repeated,
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
                : DENSE));
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
    if ((bits.opSel() & (sparse ? 6 : picksHalf ? 3 : 7)) != 0
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
    return repeated ? elements : elements / 2;
  }

  /** The lane with one of so many elements of row or column i. */
  public int lane(int i, int k, int elements) {
    return repeated ? i : i + SIZE * (k / perLane(elements));
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
    int word = wave.v[index + lane(row, k, kept())] >>> (16 * (bits.opSel() & 1));
    return k / perLane * perLane(depth) + place / 2 * 4 + ((word >>> (2 * place)) & 3);
  }

  /** The lane of C and D with a place. */
  public int laneOfResult(int row, int column) {
    return column + SIZE * (repeated ? row & 1 : row >> 3);
  }

  /** The register of C and D with a row, counted from the first. */
  public int register(int row) {
    if (repeated) {
      return row >> 1;
    }
    return type.elementBits() == 16 ? (row & 7) >> 1 : row & 7;
  }

  /** By how much an element of C and D is shifted in its register. */
  public int shift(int row) {
    if (type.elementBits() != 16) {
      return 0;
    }
    return 16 * (repeated ? bits.opSel() >> 2 & 1 : row & 1);
  }
}
