package dev.rocport.device.wave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rocport.device.isa.Target;
import java.util.Arrays;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * WMMA in waves of 32 and of 64 lanes against products by the definition. All places are those that
 * AMD's matrix instruction calculator gives; all sums are small enough to be exact.
 */
final class WaveMatrixTest {
  private static final int SIZE = 16;
  private static final int[] WIDTHS = {32, 64};
  private static final int D = 8;
  private static final int A = 16;
  private static final int B = 32;
  private static final int C = 48;

  private final Random random = new Random(16);

  /** A lane, and which bits of its registers, counted from the first one. */
  private record Place(int lane, int bit) {
    void set(Wave wave, int register, int width, int bits) {
      int mask = width == 32 ? -1 : (1 << width) - 1 << bit % 32;
      int at = (register + bit / 32) * Wave.LANES + lane;
      wave.v[at] = (wave.v[at] & ~mask) | (bits << bit % 32 & mask);
    }

    int get(Wave wave, int register, int width) {
      int value = wave.v[(register + bit / 32) * Wave.LANES + lane] >>> bit % 32;
      return width == 32 ? value : value & 0xffff;
    }
  }

  private interface Places {
    Place of(int row, int column);
  }

  /** A matrix of small integers. */
  private int[][] matrix(int rows, int columns, int least, int bound) {
    int[][] values = new int[rows][columns];
    for (int[] row : values) {
      for (int i = 0; i < columns; i++) {
        row[i] = random.nextInt(least, bound);
      }
    }
    return values;
  }

  private static int[][] product(int[][] a, int[][] b, int[][] c) {
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
  private static IntUnaryOperator format(String type) {
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

  private static int width(String type) {
    return type.endsWith("16") ? 16 : 32;
  }

  /** The least and the bound of elements; bf16 has 8 bits of precision. */
  private static int bound(String result) {
    return result.equals("bf16") ? 2 : 4;
  }

  private static void fill(
      Wave wave, int register, int[][] values, Places places, String type, int width) {
    IntUnaryOperator format = format(type);
    for (int i = 0; i < values.length; i++) {
      for (int j = 0; j < values[i].length; j++) {
        places.of(i, j).set(wave, register, width, format.applyAsInt(values[i][j]));
      }
    }
  }

  private static void check(Wave wave, int[][] expected, Places places, String type) {
    for (int i = 0; i < SIZE; i++) {
      for (int j = 0; j < SIZE; j++) {
        assertThat(places.of(i, j).get(wave, D, width(type)))
            .as("row %d, column %d of a wave of %d lanes", i, j, wave.lanes)
            .isEqualTo(format(type).applyAsInt(expected[i][j]));
      }
    }
  }

  /** Of integers the first source is signed. */
  private static Wave wave(int lanes, Target target, int first, String result) {
    return Wave32Test.waveOf(lanes, target, first, sources(result.equals("i32") ? 1 : 0));
  }

  private static int word(int number, boolean clamp) {
    return 0xcc004000 | number << 16 | (clamp ? 0x8000 : 0) | D;
  }

  private static int sources(int negated) {
    return 256 + A | 256 + B << 9 | 256 + C << 18 | 3 << 27 | negated << 29;
  }

  /** Each 16 lanes hold everything. */
  private static void fillRdna3(Wave wave, int[][] a, int[][] b, String element, int width) {
    for (int group = 0; group < wave.lanes; group += SIZE) {
      int first = group;
      fill(wave, A, a, (i, k) -> new Place(first + i, k * width), element, width);
      fill(wave, B, b, (k, j) -> new Place(first + j, k * width), element, width);
    }
  }

  private static Places resultOfRdna3(int lanes, int shift) {
    int rows = lanes / SIZE;
    return (i, j) -> new Place(SIZE * (i % rows) + j, i / rows * 32 + shift);
  }

  @ParameterizedTest
  @CsvSource({
    "64, f32, f16, 16, 0",
    "65, f32, bf16, 16, 0",
    "66, f16, f16, 16, 0",
    "66, f16, f16, 16, 16",
    "67, bf16, bf16, 16, 0",
    "67, bf16, bf16, 16, 16",
    "68, i32, iu8, 8, 0",
    "69, i32, iu4, 4, 0"
  })
  void rdna3Multiplies(int number, String result, String element, int width, int shift) {
    int bound = bound(result);
    int[][] a = matrix(SIZE, SIZE, -bound, bound);
    int[][] b = matrix(SIZE, SIZE, result.equals("i32") ? 0 : -bound, bound);
    int[][] c = matrix(SIZE, SIZE, -9, 9);
    // of halves the high one may be chosen
    int first = word(number, false) | (shift == 0 ? 0 : 1 << 13);
    for (int lanes : WIDTHS) {
      Wave wave = wave(lanes, Target.GFX1100, first, result);
      fillRdna3(wave, a, b, element, width);
      Places places = resultOfRdna3(lanes, shift);
      fill(wave, C, c, places, result, width(result));
      Arrays.fill(wave.v, D * Wave.LANES, (D + 8) * Wave.LANES, 0xabcd_abcd);
      wave.s64(Wave.EXEC, 1); // does not matter
      wave.run(1);
      check(wave, product(a, b, c), places, result);
      if (width(result) == 16) {
        Places others = resultOfRdna3(lanes, 16 - shift);
        for (int i = 0; i < SIZE; i++) {
          for (int j = 0; j < SIZE; j++) {
            assertThat(others.of(i, j).get(wave, D, 16)).isEqualTo(0xabcd);
          }
        }
      }
    }
  }

  private static Places resultOfRdna4(int lanes, String type) {
    int width = width(type);
    return lanes == 32
        ? (i, j) -> new Place(SIZE * (i / 8) + j, i % 8 * width)
        : (i, j) -> new Place(32 * (i / 4 % 2) + SIZE * (i / 8) + j, i % 4 * width);
  }

  /** Where RDNA 4 has element k of row or column i. */
  private static Place ofRdna4(int lanes, int i, int k, int width, int depth) {
    if (lanes == 32) {
      int half = depth / 2;
      return new Place(SIZE * (k / half) + i, k % half * width);
    }
    return switch (width) {
      case 16 -> new Place(32 * (k / 8 % 2) + 16 * (k / 4 % 2) + i, k % 4 * 16);
      case 8 -> new Place(32 * (k / 4 % 2) + 16 * (k / 8 % 2) + i, k % 4 * 8);
      default ->
          depth == 16
              ? new Place(16 * (k / 8) + i, k % 8 * 4)
              : new Place(32 * (k / 8 % 2) + 16 * (k / 16 % 2) + i, k % 8 * 4);
    };
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
    int bound = bound(result);
    int[][] a = matrix(SIZE, depth, -bound, bound);
    int[][] b = matrix(depth, SIZE, result.equals("i32") ? 0 : -bound, bound);
    int[][] c = matrix(SIZE, SIZE, -9, 9);
    for (int lanes : WIDTHS) {
      Wave wave = wave(lanes, Target.GFX1201, word(number, false), result);
      fill(wave, A, a, (i, k) -> ofRdna4(lanes, i, k, width, depth), element, width);
      fill(wave, B, b, (k, j) -> ofRdna4(lanes, j, k, width, depth), element, width);
      Places places = resultOfRdna4(lanes, result);
      fill(wave, C, c, places, result, width(result));
      wave.run(1);
      check(wave, product(a, b, c), places, result);
    }
  }

  /** Two of each four columns of A, in ascending order: the column of kept element k of row i. */
  private int[][] columns(int depth) {
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

  /**
   * Where RDNA 4 has element k of a row of A before it lost half of its elements, or of a column of
   * B, in a sparse product; the bit is that of B.
   */
  private static Place ofSparse(int lanes, int i, int k, int width, int depth, boolean isA) {
    if (lanes == 32) {
      int half = width == 16 ? k / 8 % 2 : k / (depth / 2);
      int group = width == 16 ? k / 16 * 2 + k / 4 % 2 : k / 4 % (depth / 8);
      return new Place(SIZE * half + i, (4 * group + k % 4) * width);
    }
    int group =
        switch (width) {
          case 16 -> k / 8;
          case 8 -> 2 * (k / 8 % 2) + k / 16;
          default -> {
            if (depth == 64) {
              yield 2 * (k / 16 % 2) + k / 32;
            }
            yield isA ? k / 16 : 2 * (k / 8 % 2) + k / 16;
          }
        };
    return new Place(SIZE * group + i, k % (depth / 4) * width);
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
    for (int lanes : WIDTHS) {
      int indexBits = lanes == 32 ? depth / 2 : width == 4 ? 16 : 8;
      for (int key = 0; key < 32 / indexBits; key++) {
        int bound = bound(result);
        int[][] kept = matrix(SIZE, depth / 2, -bound, bound);
        int[][] b = matrix(depth, SIZE, result.equals("i32") ? 0 : -bound, bound);
        int[][] c = matrix(SIZE, SIZE, -9, 9);
        int[][] columns = columns(depth);
        Wave wave = wave(lanes, Target.GFX1201, word(number, false) | key << 11, result);
        int[][] a = new int[SIZE][depth];
        int groups = indexBits / 4;
        for (int i = 0; i < SIZE; i++) {
          for (int e = 0; e < depth / 2; e++) {
            int k = columns[i][e];
            a[i][k] = kept[i][e];
            Place whole = ofSparse(lanes, i, k, width, depth, true);
            int group = lanes == 32 ? whole.bit() / width / 4 : k / 4 % groups;
            int place = 2 * group + e % 2;
            new Place(whole.lane(), place * width)
                .set(wave, A, width, format(elementA).applyAsInt(kept[i][e]));
            new Place(whole.lane(), indexBits * key + 2 * place).set(wave, C, 2, k % 4);
          }
        }
        Places ofB = (k, j) -> ofSparse(lanes, j, k, width, depth, false);
        fill(wave, B, b, ofB, elementB, width);
        Places places = resultOfRdna4(lanes, result);
        fill(wave, D, c, places, result, width(result));
        wave.run(1);
        check(wave, product(a, b, c), places, result);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void integersSaturateUnderClamp(boolean clamp) {
    int[][] all = new int[SIZE][SIZE];
    for (int[] row : all) {
      Arrays.fill(row, 255);
    }
    for (int lanes : WIDTHS) {
      Wave wave = Wave32Test.waveOf(lanes, Target.GFX1100, word(68, clamp), sources(0));
      fillRdna3(wave, all, all, "iu8", 8);
      Arrays.fill(wave.v, C * Wave.LANES, (C + 8) * Wave.LANES, Integer.MAX_VALUE - 1);
      wave.run(1);
      int sum = Integer.MAX_VALUE - 1 + 16 * 255 * 255;
      assertThat(wave.v[D * Wave.LANES + lanes - 1]).isEqualTo(clamp ? Integer.MAX_VALUE : sum);
    }
  }

  /** neg_lo and neg_hi of A: elements of even and of odd columns. */
  @ParameterizedTest
  @ValueSource(ints = {32, 64})
  void halvesOfAreNegated(int lanes) {
    int[][] a = matrix(SIZE, SIZE, -4, 4);
    int[][] b = matrix(SIZE, SIZE, -4, 4);
    int[][] c = matrix(SIZE, SIZE, -4, 4);
    Wave wave = Wave32Test.waveOf(lanes, Target.GFX1100, word(64, false), sources(0b001));
    fillRdna3(wave, a, b, "f16", 16);
    Places places = resultOfRdna3(lanes, 0);
    fill(wave, C, c, places, "f32", 32);
    wave.run(1);
    for (int[] row : a) {
      for (int k = 0; k < SIZE; k += 2) {
        row[k] = -row[k];
      }
    }
    for (int i = 0; i < SIZE; i++) {
      for (int j = 0; j < SIZE; j++) {
        // no bits are compared: zeros may have either sign
        float value = Float.intBitsToFloat(places.of(i, j).get(wave, D, 32));
        assertThat(value).isEqualTo(product(a, b, c)[i][j]);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"32, 16", "64, 16", "64, 63"})
  void rdna3NeedsTheSameInEach16Lanes(int lanes, int lane) {
    Wave wave = Wave32Test.waveOf(lanes, Target.GFX1100, word(64, false), sources(0));
    wave.v[A * Wave.LANES + lane] = 1;
    assertThatThrownBy(() -> wave.run(1))
        .isInstanceOf(WaveTrap.class)
        .hasMessageContaining("lane " + lane)
        .hasMessageContaining(
            "lane %d has another part of a matrix than lane %d".formatted(lane, lane % SIZE))
        .hasMessageContaining("v_wmma_f32_16x16x16_f16");
  }
}
