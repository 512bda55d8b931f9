package dev.rocport.device.op.matrix;

import dev.rocport.device.isa.DataType;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.op.vector.BrainFloat;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;
import dev.rocport.device.wave.WaveTrap;

/**
 * WMMA and SWMMAC: EXEC does not matter. Floats are summed in single precision by one fused
 * multiply-add for each column of A that is there, in the order of lanes and registers, and rounded
 * to the type of D at the end. What hardware does within such a sum is not documented; it differs
 * in the last bits.
 */
final class WaveProduct extends Op {
  private static final int SIZE = WaveMatrix.SIZE;

  private final WaveMatrix matrix;

  WaveProduct(Instruction instruction, WaveMatrix matrix) {
    super(instruction);
    this.matrix = matrix;
  }

  @Override
  public void execute(Wave wave) {
    if (matrix.repeated()) {
      requireRepeated(wave, matrix.a(), matrix.elementA());
      requireRepeated(wave, matrix.b(), matrix.elementB());
    }
    if (matrix.type() == DataType.I32) {
      integers(wave);
    } else {
      floats(wave);
    }
  }

  /** What happens otherwise is not known. */
  private void requireRepeated(Wave wave, int first, WaveMatrix.Numbers numbers) {
    int registers = matrix.depth() * numbers.bits() / 32;
    for (int r = 0; r < registers; r++) {
      for (int lane = SIZE; lane < SIZE * matrix.groups(); lane++) {
        int at = first + r * Wave.LANES;
        if (wave.v[at + lane] != wave.v[at + lane % SIZE]) {
          throw new WaveTrap(
              "lane "
                  + lane
                  + " has another part of a matrix than lane "
                  + lane % SIZE
                  + " for "
                  + instruction().opcode().mnemonic()
                  + ", which is undefined; both must hold the same row or column");
        }
      }
    }
  }

  private void integers(Wave wave) {
    int kept = matrix.kept();
    int[] a = integers(wave, matrix.a(), 0, kept);
    int[] b = integers(wave, matrix.b(), 1, matrix.depth());
    int[] columns = matrix.columns(wave);
    long[] sums = new long[SIZE * SIZE];
    for (int row = 0; row < SIZE; row++) {
      for (int column = 0; column < SIZE; column++) {
        long sum = (int) addend(wave, row, column);
        for (int k = row * kept; k < (row + 1) * kept; k++) {
          sum += (long) a[k] * b[column * matrix.depth() + columns[k]];
        }
        sums[row * SIZE + column] = sum;
      }
    }
    for (int row = 0; row < SIZE; row++) {
      for (int column = 0; column < SIZE; column++) {
        long sum = sums[row * SIZE + column];
        boolean clamps = matrix.bits().clamp();
        put(
            wave,
            row,
            column,
            clamps ? Math.clamp(sum, Integer.MIN_VALUE, Integer.MAX_VALUE) : (int) sum);
      }
    }
  }

  /** Element k of row or column i, at i * elements + k. */
  private int[] integers(Wave wave, int first, int source, int elements) {
    boolean signed = (matrix.bits().negLo() >> source & 1) != 0;
    int bits = matrix.elementA().bits();
    int[] values = new int[SIZE * elements];
    for (int i = 0; i < SIZE; i++) {
      for (int k = 0; k < elements; k++) {
        int top = raw(wave, first, i, k, bits, elements) << (32 - bits);
        values[i * elements + k] = signed ? top >> (32 - bits) : top >>> (32 - bits);
      }
    }
    return values;
  }

  /** The register with an element, shifted so that the element is its low bits. */
  private int raw(Wave wave, int first, int i, int k, int bits, int elements) {
    int bit = k % matrix.perLane(elements) * bits;
    return wave.v[first + bit / 32 * Wave.LANES + matrix.lane(i, k, elements)] >>> bit % 32;
  }

  private void floats(Wave wave) {
    int kept = matrix.kept();
    float[] a = floats(wave, matrix.a(), matrix.elementA(), 0, kept);
    float[] b = floats(wave, matrix.b(), matrix.elementB(), 1, matrix.depth());
    int[] columns = matrix.columns(wave);
    float[] sums = new float[SIZE * SIZE];
    for (int row = 0; row < SIZE; row++) {
      for (int column = 0; column < SIZE; column++) {
        float sum = signed(real(addend(wave, row, column)));
        for (int k = row * kept; k < (row + 1) * kept; k++) {
          sum = Math.fma(a[k], b[column * matrix.depth() + columns[k]], sum);
        }
        sums[row * SIZE + column] = sum;
      }
    }
    for (int row = 0; row < SIZE; row++) {
      for (int column = 0; column < SIZE; column++) {
        put(wave, row, column, bits(sums[row * SIZE + column]));
      }
    }
  }

  /** Of C, neg_lo is a negation and neg_hi the absolute value. */
  private float signed(float addend) {
    float value = (matrix.bits().negHi() & 4) != 0 ? Math.abs(addend) : addend;
    return (matrix.bits().negLo() & 4) != 0 ? -value : value;
  }

  private float[] floats(
      Wave wave, int first, WaveMatrix.Numbers numbers, int source, int elements) {
    Element element = numbers.element();
    int even = matrix.bits().negLo() >> source & 1;
    int odd = matrix.bits().negHi() >> source & 1;
    float[] values = new float[SIZE * elements];
    int[] register = new int[1];
    int[] lane = {0};
    for (int i = 0; i < SIZE; i++) {
      for (int k = 0; k < elements; k++) {
        int at = i * elements + k;
        register[0] = raw(wave, first, i, k, numbers.bits(), elements);
        element.unpack(register, 0, lane, 0, values, at);
        if (((k & 1) == 0 ? even : odd) != 0) {
          values[at] = -values[at];
        }
      }
    }
    return values;
  }

  private int place(int first, int row, int column) {
    return first + matrix.register(row) * Wave.LANES + matrix.laneOfResult(row, column);
  }

  /** The bits of an element of C; of 16 bits those above have no meaning. */
  private long addend(Wave wave, int row, int column) {
    return matrix.c().isConstant()
        ? matrix.c().constant()
        : wave.v[place(matrix.c().first(), row, column)] >>> matrix.shift(row);
  }

  private float real(long bits) {
    return switch (matrix.type()) {
      case F32 -> Float.intBitsToFloat((int) bits);
      case F16 -> Float.float16ToFloat((short) bits);
      default -> BrainFloat.value((int) bits);
    };
  }

  private int bits(float value) {
    return switch (matrix.type()) {
      case F32 -> Float.floatToIntBits(value);
      case F16 -> Float.floatToFloat16(value) & 0xffff;
      default -> BrainFloat.of(Float.floatToIntBits(value));
    };
  }

  private void put(Wave wave, int row, int column, int bits) {
    int at = place(matrix.d(), row, column);
    if (matrix.type().elementBits() == 32) {
      wave.v[at] = bits;
      return;
    }
    int shift = matrix.shift(row);
    wave.v[at] = (wave.v[at] & ~(0xffff << shift)) | (bits & 0xffff) << shift;
  }
}
