package dev.rocport.device.check.uninit;

import dev.rocport.device.check.AroundOp;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.op.matrix.WaveMatrix;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;
import java.util.Arrays;

/**
 * WMMA: an element of the result is undefined if any bit of its row of A, of its column of B or of
 * its element of C is. Of a sparse A, the bits that say which columns it holds count, too.
 */
final class WaveMatrixWatch extends AroundOp {
  private static final int DEFINED = -1;

  /** Those that say which column a kept element is of. */
  private static final int INDEX_BITS = 2;

  private final WaveMatrix matrix;
  private final int a;
  private final int b;

  /** The first register of C, or DEFINED where it is a constant. */
  private final int c;

  private final int d;

  WaveMatrixWatch(Op plain, WaveMatrix matrix) {
    super(plain);
    this.matrix = matrix;
    this.a = Registers.number(instruction().operand("src0"));
    this.b = Registers.number(instruction().operand("src1"));
    Operand added = instruction().operand(matrix.index() == WaveMatrix.DENSE ? "src2" : "vdst");
    this.c = Registers.isVector(added) ? Registers.number(added) : DEFINED;
    this.d = Registers.number(instruction().operand("vdst"));
  }

  @Override
  public void execute(Wave wave) {
    Shade shade = Shade.of(wave);
    int size = WaveMatrix.SIZE;
    int[] rows = origins(shade, a, matrix.elementA().bits(), matrix.kept());
    if (matrix.index() != WaveMatrix.DENSE) {
      int[] indices = origins(shade, matrix.index() / Wave.LANES, INDEX_BITS, matrix.kept());
      Arrays.setAll(rows, i -> rows[i] != 0 ? rows[i] : indices[i]);
    }
    int[] columns = origins(shade, b, matrix.elementB().bits(), matrix.depth());
    int[] origins = new int[size * size];
    for (int row = 0; row < size; row++) {
      for (int column = 0; column < size; column++) {
        int own = c == DEFINED ? 0 : origin(shade, c + matrix.register(row), row, column);
        int first = own != 0 ? own : rows[row] != 0 ? rows[row] : columns[column];
        origins[row * size + column] = first;
      }
    }
    plain.execute(wave);
    for (int row = 0; row < size; row++) {
      for (int column = 0; column < size; column++) {
        int lane = matrix.laneOfResult(row, column);
        int register = d + matrix.register(row);
        int field = element(matrix.shift(row));
        int origin = origins[row * size + column];
        int kept = shade.bits(register, lane) & ~field;
        int from = origin == 0 ? shade.origin(register, lane) : (origin - 1) | Origins.COMPUTED;
        shade.set(register, lane, origin == 0 ? kept : kept | field, from);
      }
    }
  }

  /** The bits of an element of C and D, shifted. */
  private int element(int shift) {
    return (matrix.type().elementBits() == 16 ? 0xffff : -1) << shift;
  }

  /** Where an undefined element of C comes from, plus 1; 0 if it is defined. */
  private int origin(Shade shade, int register, int row, int column) {
    int lane = matrix.laneOfResult(row, column);
    return (shade.bits(register, lane) & element(matrix.shift(row))) == 0
        ? 0
        : 1 + shade.origin(register, lane);
  }

  /** For each row or column with undefined bits where they come from, plus 1; else 0. */
  private int[] origins(Shade shade, int first, int bits, int elements) {
    int[] origins = new int[WaveMatrix.SIZE];
    for (int i = 0; i < origins.length; i++) {
      for (int k = 0; k < elements && origins[i] == 0; k++) {
        int bit = k % matrix.perLane(elements) * bits;
        int register = first + bit / Integer.SIZE;
        int lane = matrix.lane(i, k, elements);
        int field = ((1 << bits) - 1) << bit % Integer.SIZE;
        if ((shade.bits(register, lane) & field) != 0) {
          origins[i] = 1 + shade.origin(register, lane);
        }
      }
    }
    return origins;
  }
}
