package dev.rocport.device.wave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rocport.device.isa.Target;
import java.util.Arrays;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** WMMA against products by the definition. All sums are small enough to be exact. */
final class WaveMatrixTest {
  private static final int SIZE = 16;
  private static final int LANES = Wave.LANES;
  private static final int D = 8;
  private static final int A = 16;
  private static final int B = 32;
  private static final int C = 48;

  private final Random random = new Random(16);

  /** A matrix of small integers. */
  private int[][] matrix(int rows, int columns, int least, int bound) {
    return matrix(random, rows, columns, least, bound);
  }

  static int[][] matrix(Random random, int rows, int columns, int least, int bound) {
    int[][] values = new int[rows][columns];
    for (int[] row : values) {
      for (int i = 0; i < columns; i++) {
        row[i] = random.nextInt(least, bound);
      }
    }
    return values;
  }

  static int[][] product(int[][] a, int[][] b, int[][] c) {
    int[][] d = new int[SIZE][SIZE];
    for (int i = 0; i < SIZE; i++) {
      for (int j = 0; j < SIZE; j++) {
        d[i][j] = c[i][j];
        for (int k = 0; k < b.length; k++) {
          d[i][j] += a[i][k] * b[k][j];
        }
      }
    }
    return d;
  }

  /** Which bits an element of some type has. */
  static IntUnaryOperator format(String type) {
    return switch (type) {
      case "f32" -> i -> Float.floatToRawIntBits(i);
      case "f16" -> i -> Float.floatToFloat16(i) & 0xffff;
      case "bf16" -> i -> Float.floatToRawIntBits(i) >>> 16;
      // OCP floats of whole numbers from -4 to 4: exponent and mantissa from those of a half
      case "fp8" ->
          i -> {
            int half = Float.floatToFloat16(i) & 0xffff;
            int magnitude = half & 0x7fff;
            return (half >> 8 & 0x80) | (magnitude == 0 ? 0 : (magnitude >> 7) - (15 - 7 << 3));
          };
      case "bf8" -> i -> Float.floatToFloat16(i) >> 8 & 0xff;
      case "i32" -> i -> i;
      case "iu8" -> i -> i & 0xff;
      case "iu4" -> i -> i & 0xf;
      default -> throw new IllegalArgumentException(type);
    };
  }

  static void set(Wave wave, int register, int lane, int shift, int width, int bits) {
    int mask = width == 32 ? -1 : (1 << width) - 1 << shift;
    int at = register * LANES + lane;
    wave.v[at] = (wave.v[at] & ~mask) | (bits << shift & mask);
  }

  static int word(int number, int vdst, boolean clamp) {
    return 0xcc004000 | number << 16 | (clamp ? 0x8000 : 0) | vdst;
  }

  static int word(int a, int b, int c, int negated) {
    return 256 + a | 256 + b << 9 | 256 + c << 18 | 3 << 27 | negated << 29;
  }

  /** Fills A and B as RDNA 3 has them: both halves of the wave hold everything. */
  private static void fillRdna3(Wave wave, int[][] a, int[][] b, IntUnaryOperator bits, int width) {
    for (int lane = 0; lane < 32; lane++) {
      for (int k = 0; k < SIZE; k++) {
        int register = k * width / 32;
        int shift = k * width % 32;
        set(wave, A + register, lane, shift, width, bits.applyAsInt(a[lane % SIZE][k]));
        set(wave, B + register, lane, shift, width, bits.applyAsInt(b[k][lane % SIZE]));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "64, f32, f16, 16, 0",
    "65, f32, bf16, 16, 0",
    "66, f16, f16, 16, 0",
    "66, f16, f16, 16, 16",
    "67, bf16, bf16, 16, 0",
    "68, i32, iu8, 8, 0",
    "69, i32, iu4, 4, 0"
  })
  void rdna3Multiplies(int number, String result, String element, int width, int shift) {
    boolean integers = result.equals("i32");
    // bf16 has 8 bits of precision
    int bound = result.equals("bf16") ? 2 : 4;
    int[][] a = matrix(SIZE, SIZE, -bound, bound);
    int[][] b = matrix(SIZE, SIZE, integers ? 0 : -bound, bound);
    int[][] c = matrix(SIZE, SIZE, -9, 9);
    // of integers the first source is signed, and of halves the high one may be chosen
    int first = word(number, D, false) | (shift == 0 ? 0 : 1 << 13);
    Wave wave = Wave32Test.wave(Target.GFX1100, first, word(A, B, C, integers ? 1 : 0));
    fillRdna3(wave, a, b, format(element), width);
    int bits = result.equals("f16") || result.equals("bf16") ? 16 : 32;
    IntUnaryOperator toBits = format(result);
    for (int i = 0; i < SIZE; i++) {
      for (int j = 0; j < SIZE; j++) {
        int lane = i % 2 * SIZE + j;
        set(wave, C + i / 2, lane, shift, bits, toBits.applyAsInt(c[i][j]));
        set(wave, D + i / 2, lane, 0, 32, 0xabcd_abcd);
      }
    }
    wave.s64(Wave.EXEC, 1); // does not matter
    wave.run(1);
    int[][] d = product(a, b, c);
    for (int i = 0; i < SIZE; i++) {
      for (int j = 0; j < SIZE; j++) {
        int value = wave.v[(D + i / 2) * LANES + i % 2 * SIZE + j];
        int field = bits == 32 ? value : value >>> shift & 0xffff;
        assertThat(field).as("row %d, column %d", i, j).isEqualTo(toBits.applyAsInt(d[i][j]));
        if (bits == 16) {
          assertThat(value >>> (16 - shift) & 0xffff).isEqualTo(0xabcd);
        }
      }
    }
  }

  /** Fills A and B as RDNA 4 has them: each half of the wave holds half of the rows and columns. */
  private static void fillRdna4(Wave wave, int[][] a, int[][] b, IntUnaryOperator bits, int width) {
    int half = b.length / 2;
    for (int lane = 0; lane < 32; lane++) {
      for (int e = 0; e < half; e++) {
        int k = lane / SIZE * half + e;
        int register = e * width / 32;
        int shift = e * width % 32;
        set(wave, A + register, lane, shift, width, bits.applyAsInt(a[lane % SIZE][k]));
        set(wave, B + register, lane, shift, width, bits.applyAsInt(b[k][lane % SIZE]));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "64, f32, f16, 16, 16",
    "65, f32, bf16, 16, 16",
    "66, f16, f16, 16, 16",
    "67, bf16, bf16, 16, 16",
    "68, i32, iu8, 8, 16",
    "69, i32, iu4, 4, 16",
    "74, i32, iu4, 4, 32",
    "70, f32, fp8, 8, 16",
    "73, f32, bf8, 8, 16"
  })
  void rdna4Multiplies(int number, String result, String element, int width, int depth) {
    boolean integers = result.equals("i32");
    int bound = result.equals("bf16") ? 2 : 4;
    int[][] a = matrix(SIZE, depth, -bound, bound);
    int[][] b = matrix(depth, SIZE, integers ? 0 : -bound, bound);
    int[][] c = matrix(SIZE, SIZE, -9, 9);
    Wave wave =
        Wave32Test.wave(Target.GFX1201, word(number, D, false), word(A, B, C, integers ? 1 : 0));
    fillRdna4(wave, a, b, format(element), width);
    int bits = result.equals("f16") || result.equals("bf16") ? 16 : 32;
    IntUnaryOperator toBits = format(result);
    for (int i = 0; i < SIZE; i++) {
      for (int j = 0; j < SIZE; j++) {
        int at = i % 8 * bits;
        int lane = i / 8 * SIZE + j;
        set(wave, C + at / 32, lane, at % 32, bits, toBits.applyAsInt(c[i][j]));
      }
    }
    wave.run(1);
    int[][] d = product(a, b, c);
    for (int i = 0; i < SIZE; i++) {
      for (int j = 0; j < SIZE; j++) {
        int at = i % 8 * bits;
        int value = wave.v[(D + at / 32) * LANES + i / 8 * SIZE + j] >>> at % 32;
        assertThat(bits == 32 ? value : value & 0xffff)
            .as("row %d, column %d", i, j)
            .isEqualTo(toBits.applyAsInt(d[i][j]));
      }
    }
  }

  /** Two of each four columns of A, in ascending order: the column of kept element k of row i. */
  static int[][] columns(Random random, int depth) {
    int[][] columns = new int[SIZE][depth / 2];
    for (int[] row : columns) {
      for (int k = 0; k < row.length; k += 2) {
        int low = random.nextInt(3);
        row[k] = 2 * k + low;
        row[k + 1] = 2 * k + low + 1 + random.nextInt(3 - low);
      }
    }
    return columns;
  }

  /** Fills A, B and the index with the places that AMD's matrix instruction calculator gives. */
  private static void fillSparse(
      Wave wave, int[][] a, int[][] b, int[][] columns, String[] elements, int width, int key) {
    int depth = b.length;
    for (int i = 0; i < SIZE; i++) {
      for (int k = 0; k < depth; k++) {
        int half = width == 16 ? k / 8 % 2 : k / (depth / 2);
        int group = width == 16 ? k / 16 * 2 + k / 4 % 2 : k / 4 % (depth / 8);
        int lane = SIZE * half + i;
        int bit = (4 * group + k % 4) * width;
        int bits = format(elements[1]).applyAsInt(b[k][i]);
        set(wave, B + bit / 32, lane, bit % 32, width, bits);
        for (int kept = k / 4 * 2; kept < k / 4 * 2 + 2; kept++) {
          int place = 2 * group + kept % 2;
          if (columns[i][kept] == k) {
            int of = format(elements[0]).applyAsInt(a[i][kept]);
            set(wave, A + place * width / 32, lane, place * width % 32, width, of);
            set(wave, C, lane, 16 * key + 2 * place, 2, k % 4);
          }
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "80, f32, f16, f16, 16, 32",
    "81, f32, bf16, bf16, 16, 32",
    "82, f16, f16, f16, 16, 32",
    "83, bf16, bf16, bf16, 16, 32",
    "84, i32, iu8, iu8, 8, 32",
    "85, i32, iu4, iu4, 4, 32",
    "86, i32, iu4, iu4, 4, 64",
    "87, f32, fp8, fp8, 8, 32",
    "88, f32, fp8, bf8, 8, 32",
    "89, f32, bf8, fp8, 8, 32",
    "90, f32, bf8, bf8, 8, 32"
  })
  void rdna4MultipliesSparseMatrices(
      int number, String result, String elementA, String elementB, int width, int depth) {
    boolean integers = result.equals("i32");
    int bound = result.equals("bf16") ? 2 : 4;
    int bits = result.equals("f16") || result.equals("bf16") ? 16 : 32;
    IntUnaryOperator toBits = format(result);
    for (int key = 0; key < 64 / depth; key++) {
      int[][] a = matrix(SIZE, depth / 2, -bound, bound);
      int[][] b = matrix(depth, SIZE, integers ? 0 : -bound, bound);
      int[][] c = matrix(SIZE, SIZE, -9, 9);
      int[][] columns = columns(random, depth);
      Wave wave =
          Wave32Test.wave(
              Target.GFX1201, word(number, D, false) | key << 11, word(A, B, C, integers ? 1 : 0));
      fillSparse(wave, a, b, columns, new String[] {elementA, elementB}, width, key);
      for (int i = 0; i < SIZE; i++) {
        for (int j = 0; j < SIZE; j++) {
          int at = i % 8 * bits;
          set(wave, D + at / 32, i / 8 * SIZE + j, at % 32, bits, toBits.applyAsInt(c[i][j]));
        }
      }
      wave.run(1);
      for (int i = 0; i < SIZE; i++) {
        for (int j = 0; j < SIZE; j++) {
          int sum = c[i][j];
          for (int k = 0; k < depth / 2; k++) {
            sum += a[i][k] * b[columns[i][k]][j];
          }
          int at = i % 8 * bits;
          int value = wave.v[(D + at / 32) * LANES + i / 8 * SIZE + j] >>> at % 32;
          assertThat(bits == 32 ? value : value & 0xffff)
              .as("row %d, column %d, index %d", i, j, key)
              .isEqualTo(toBits.applyAsInt(sum));
        }
      }
    }
  }

  @Test
  void integersSaturateUnderClamp() {
    int[][] all = new int[SIZE][SIZE];
    for (int[] row : all) {
      Arrays.fill(row, 255);
    }
    for (boolean clamp : new boolean[] {false, true}) {
      Wave wave = Wave32Test.wave(Target.GFX1100, word(68, D, clamp), word(A, B, C, 0));
      fillRdna3(wave, all, all, format("iu8"), 8);
      Arrays.fill(wave.v, C * LANES, (C + 8) * LANES, Integer.MAX_VALUE - 1);
      wave.run(1);
      int sum = Integer.MAX_VALUE - 1 + 16 * 255 * 255;
      assertThat(wave.v[D * LANES + 31]).isEqualTo(clamp ? Integer.MAX_VALUE : sum);
    }
  }

  /** neg_lo and neg_hi of A: elements of even and of odd columns. */
  @Test
  void halvesOfAreNegated() {
    int[][] a = matrix(SIZE, SIZE, -4, 4);
    int[][] b = matrix(SIZE, SIZE, -4, 4);
    int[][] c = matrix(SIZE, SIZE, -4, 4);
    Wave wave = Wave32Test.wave(Target.GFX1100, word(64, D, false), word(A, B, C, 0b001));
    fillRdna3(wave, a, b, format("f16"), 16);
    for (int i = 0; i < SIZE; i++) {
      for (int j = 0; j < SIZE; j++) {
        set(wave, C + i / 2, i % 2 * SIZE + j, 0, 32, Float.floatToRawIntBits(c[i][j]));
      }
    }
    wave.run(1);
    for (int[] row : a) {
      for (int k = 0; k < SIZE; k += 2) {
        row[k] = -row[k];
      }
    }
    int[][] d = product(a, b, c);
    for (int i = 0; i < SIZE; i++) {
      for (int j = 0; j < SIZE; j++) {
        float value = Float.intBitsToFloat(wave.v[(D + i / 2) * LANES + i % 2 * SIZE + j]);
        assertThat(value).isEqualTo(d[i][j]);
      }
    }
  }

  @Test
  void rdna3NeedsTheSameInBothHalvesOfTheWave() {
    Wave wave = Wave32Test.wave(Target.GFX1100, word(64, D, false), word(A, B, C, 0));
    wave.v[A * LANES + SIZE] = 1;
    assertThatThrownBy(() -> wave.run(1))
        .isInstanceOf(WaveTrap.class)
        .hasMessageContaining("lane 16")
        .hasMessageContaining("v_wmma_f32_16x16x16_f16");
  }
}
