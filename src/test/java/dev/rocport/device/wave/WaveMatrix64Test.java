package dev.rocport.device.wave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rocport.device.isa.Target;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * WMMA in waves of 64 lanes against products by the definition. All places are those that AMD's
 * matrix instruction calculator gives for such waves; all sums are small enough to be exact.
 */
final class WaveMatrix64Test {
  private static final int SIZE = 16;
  private static final int LANES = Wave.LANES;
  private static final int D = 8;
  private static final int A = 16;
  private static final int B = 32;
  private static final int C = 48;

  private final Random random = new Random(64);

  /** A lane, and which bits of its registers, counted from the first one. */
  private record Place(int lane, int bit) {
    void set(Wave wave, int register, int width, int bits) {
      WaveMatrixTest.set(wave, register + bit / 32, lane, bit % 32, width, bits);
    }

    int get(Wave wave, int register, int width) {
      int value = wave.v[(register + bit / 32) * LANES + lane] >>> bit % 32;
      return width == 32 ? value : value & 0xffff;
    }
  }

  private interface Places {
    Place of(int row, int column);
  }

  private int[][] matrix(int rows, int columns, int least, int bound) {
    return WaveMatrixTest.matrix(random, rows, columns, least, bound);
  }

  private static int width(String type) {
    return type.endsWith("16") ? 16 : 32;
  }

  private static void fill(
      Wave wave, int register, int[][] values, Places places, String type, int width) {
    IntUnaryOperator format = WaveMatrixTest.format(type);
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
            .as("row %d, column %d", i, j)
            .isEqualTo(WaveMatrixTest.format(type).applyAsInt(expected[i][j]));
      }
    }
  }

  private static void fillRdna3(Wave wave, int[][] a, int[][] b, String element, int width) {
    for (int group = 0; group < LANES; group += SIZE) {
      int first = group;
      fill(wave, A, a, (i, k) -> new Place(first + i, k * width), element, width);
      fill(wave, B, b, (k, j) -> new Place(first + j, k * width), element, width);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "64, f32, f16, 16, 0",
    "65, f32, bf16, 16, 0",
    "66, f16, f16, 16, 0",
    "66, f16, f16, 16, 16",
    "67, bf16, bf16, 16, 16",
    "68, i32, iu8, 8, 0",
    "69, i32, iu4, 4, 0"
  })
  void rdna3Multiplies(int number, String result, String element, int width, int shift) {
    boolean integers = result.equals("i32");
    int bound = result.equals("bf16") ? 2 : 4;
    int[][] a = matrix(SIZE, SIZE, -bound, bound);
    int[][] b = matrix(SIZE, SIZE, integers ? 0 : -bound, bound);
    int[][] c = matrix(SIZE, SIZE, -9, 9);
    int first = WaveMatrixTest.word(number, D, false) | (shift == 0 ? 0 : 1 << 13);
    Wave wave =
        Wave32Test.waveOf(
            LANES, Target.GFX1100, first, WaveMatrixTest.word(A, B, C, integers ? 1 : 0));
    fillRdna3(wave, a, b, element, width);
    Places places = (i, j) -> new Place(16 * i % 64 + j, i / 4 * 32 + shift);
    fill(wave, C, c, places, result, width(result));
    wave.s64(Wave.EXEC, 1); // does not matter
    wave.run(1);
    check(wave, WaveMatrixTest.product(a, b, c), places, result);
  }

  @Test
  void rdna3NeedsTheSameInAllRows() {
    Wave wave =
        Wave32Test.waveOf(
            LANES,
            Target.GFX1100,
            WaveMatrixTest.word(64, D, false),
            WaveMatrixTest.word(A, B, C, 0));
    wave.v[A * LANES + 63] = 1;
    assertThatThrownBy(() -> wave.run(1))
        .isInstanceOf(WaveTrap.class)
        .hasMessageContaining("lane 63 has another part of a matrix than lane 15");
  }

  private static Places resultOfRdna4(String type) {
    return (i, j) -> new Place(32 * (i / 4 % 2) + 16 * (i / 8) + j, i % 4 * width(type));
  }

  /** Where RDNA 4 has element k of row or column i. */
  private static Place ofRdna4(int i, int k, int width, int depth) {
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
    boolean integers = result.equals("i32");
    int bound = result.equals("bf16") ? 2 : 4;
    int[][] a = matrix(SIZE, depth, -bound, bound);
    int[][] b = matrix(depth, SIZE, integers ? 0 : -bound, bound);
    int[][] c = matrix(SIZE, SIZE, -9, 9);
    Wave wave =
        Wave32Test.waveOf(
            LANES,
            Target.GFX1201,
            WaveMatrixTest.word(number, D, false),
            WaveMatrixTest.word(A, B, C, integers ? 1 : 0));
    fill(wave, A, a, (i, k) -> ofRdna4(i, k, width, depth), element, width);
    fill(wave, B, b, (k, j) -> ofRdna4(j, k, width, depth), element, width);
    Places places = resultOfRdna4(result);
    fill(wave, C, c, places, result, width(result));
    wave.run(1);
    check(wave, WaveMatrixTest.product(a, b, c), places, result);
  }

  /** The lane of the element in column k of a sparse row, or of element k of a column of B. */
  private static int laneOfSparse(int i, int k, int width, int depth, boolean isA) {
    return switch (width) {
      case 16 -> 16 * (k / 8) + i;
      case 8 -> 32 * (k / 8 % 2) + 16 * (k / 16) + i;
      default -> {
        if (depth == 64) {
          yield 32 * (k / 16 % 2) + 16 * (k / 32) + i;
        }
        yield isA ? 16 * (k / 16) + i : 32 * (k / 8 % 2) + 16 * (k / 16) + i;
      }
    };
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
    int indexBits = width == 4 ? 16 : 8;
    int perLane = depth / 4;
    for (int key = 0; key < 32 / indexBits; key++) {
      int[][] a = matrix(SIZE, depth / 2, -bound, bound);
      int[][] b = matrix(depth, SIZE, integers ? 0 : -bound, bound);
      int[][] c = matrix(SIZE, SIZE, -9, 9);
      int[][] columns = WaveMatrixTest.columns(random, depth);
      Wave wave =
          Wave32Test.waveOf(
              LANES,
              Target.GFX1201,
              WaveMatrixTest.word(number, D, false) | key << 11,
              WaveMatrixTest.word(A, B, C, integers ? 1 : 0));
      int groups = indexBits / 4;
      int[][] expected = new int[SIZE][SIZE];
      for (int i = 0; i < SIZE; i++) {
        for (int kept = 0; kept < depth / 2; kept++) {
          int k = columns[i][kept];
          int place = 2 * (k / 4 % groups) + kept % 2;
          int lane = laneOfSparse(i, k, width, depth, true);
          new Place(lane, place * width)
              .set(wave, A, width, WaveMatrixTest.format(elementA).applyAsInt(a[i][kept]));
          new Place(lane, indexBits * key + 2 * place).set(wave, C, 2, k % 4);
          for (int j = 0; j < SIZE; j++) {
            expected[i][j] += a[i][kept] * b[k][j];
          }
        }
        for (int j = 0; j < SIZE; j++) {
          expected[i][j] += c[i][j];
        }
      }
      Places ofB =
          (k, j) -> new Place(laneOfSparse(j, k, width, depth, false), k % perLane * width);
      fill(wave, B, b, ofB, elementB, width);
      Places places = resultOfRdna4(result);
      fill(wave, D, c, places, result, width(result));
      wave.run(1);
      check(wave, expected, places, result);
    }
  }
}
