package dev.rocport.device.op.vector;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each opcode against oracle.c, which was written apart from this package and compiled for the CPU:
 * a hash over thousands of cases. NaNs count as equal. {@code ./oracle NAME} prints the cases.
 */
final class OracleTest {
  private static final int CASES = 4096;
  private static final int[] CORNERS = {
    0,
    1,
    0xffffffff,
    2,
    31,
    32,
    63,
    64,
    0x7fffffff,
    0x80000000,
    0x7f800000,
    0xff800000,
    0x7fc00000,
    0x7f800001,
    0xffc12345,
    0x00000fff,
    0x807fffff,
    0x00800000,
    0x3f800000,
    0xbf800000,
    0x7f7fffff,
    0xffff,
    0x8000,
    0x7c00,
    0xfc00,
    0x7e00,
    0x3c00,
    0x7ff00000,
    0xfff00000,
    0x3ff00000,
    0x4f000000,
    0xcf000000
  };
  private static final int[] HALVES = {
    0, 0x8000, 1, 0x8001, 0x3ff, 0x400, 0x3c00, 0xbc00, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00,
    0xfe01, 0xffff, 0x7fff
  };

  private long state;
  private long hash;

  static List<String> rows() throws IOException {
    try (InputStream in = OracleTest.class.getResourceAsStream("oracle.tsv")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.US_ASCII)
          .lines()
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("rows")
  void computesWhatTheManualSays(String row) {
    String[] cells = row.split("\t");
    String name = cells[0];
    assertThat(hash(name, cells[1], null)).as(name).isEqualTo(cells[2]);
  }

  /** Prints every case of one opcode, as the oracle does. */
  public static void main(String[] args) throws IOException {
    StringBuilder cases = new StringBuilder();
    for (String row : rows()) {
      String[] cells = row.split("\t");
      if (cells[0].equals(args[0])) {
        new OracleTest().hash(cells[0], cells[1], cases);
      }
    }
    System.out.print(cases);
  }

  private String hash(String name, String kind, StringBuilder cases) {
    Definition definition = VectorTranslator.definition(name).orElseThrow();
    state = 0;
    for (int i = 0; i < name.length(); i++) {
      state = state * 31 + name.charAt(i);
    }
    hash = 0xcbf29ce484222325L;
    for (int i = 0; i < CASES; i++) {
      long a = operand();
      long b = operand();
      long c = operand();
      boolean bit = (next() & 1) != 0;
      long kin = next();
      switch ((int) kin & 15) {
        case 0 -> b = a;
        case 1 -> b = a ^ 0x8000800080008000L;
        case 2 -> b = a + (kin >>> 4 & 3) - 1;
        case 3 -> c = a;
        default -> {}
      }
      long x = definition.words(0) == 2 ? a : a & 0xffffffffL;
      long y = definition.words(1) == 2 ? b : b & 0xffffffffL;
      long z = definition.words(2) == 2 ? c : c & 0xffffffffL;
      Lane lane = definition.lane();
      Test test = definition.test();
      long result = lane == null ? 0 : lane.apply(x, y, z, bit);
      result =
          switch (kind) {
            case "I32", "PKI" -> result & 0xffffffffL;
            case "I64" -> result;
            case "F32" -> canonical(result & 0xffffffffL);
            case "F64" -> Double.doubleToLongBits(Double.longBitsToDouble(result));
            case "F16" -> canonicalHalf(result & 0xffffffffL);
            case "H16" -> result & 0xffffffffL;
            case "PKF" ->
                canonicalHalf(result & 0xffff) | canonicalHalf(result >>> 16 & 0xffff) << 16;
            default -> 0;
          };
      long flag = test != null && test.test(x, y, z, bit) ? 1 : 0;
      if (cases != null) {
        cases.append(
            "%d\t%016x\t%016x\t%016x\t%d\t%016x\t%d%n"
                .formatted(i, a, b, c, bit ? 1 : 0, result, flag));
      }
      put(result);
      put(flag);
    }
    return "%016x".formatted(hash);
  }

  private static long canonical(long bits) {
    return (bits & 0x7fffffff) > 0x7f800000 ? 0x7fc00000 : bits;
  }

  private static long canonicalHalf(long bits) {
    return (bits & 0x7fff) > 0x7c00 ? 0x7e00 | bits & ~0xffffL : bits;
  }

  private void put(long value) {
    for (int i = 0; i < 8; i++) {
      hash ^= value >>> 8 * i & 255;
      hash *= 0x100000001b3L;
    }
  }

  private long next() {
    state += 0x9e3779b97f4a7c15L;
    long z = state;
    z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
    z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
    return z ^ z >>> 31;
  }

  private long operand() {
    long r = next();
    long x = next();
    return switch ((int) r & 3) {
      case 0 -> x;
      case 1 -> (long) CORNERS[(int) x & 31] << 32 | CORNERS[(int) (x >>> 8) & 31] & 0xffffffffL;
      case 2 ->
          (x & 0x800fffff807fffffL)
              | 1016 + Long.remainderUnsigned(r >>> 8, 15) << 52
              | 120 + Long.remainderUnsigned(r >>> 16, 15) << 23;
      default ->
          (long) HALVES[(int) x & 15] << 48
              | (long) HALVES[(int) (x >>> 4) & 15] << 32
              | (long) HALVES[(int) (x >>> 8) & 15] << 16
              | HALVES[(int) (x >>> 12) & 15];
    };
  }
}
