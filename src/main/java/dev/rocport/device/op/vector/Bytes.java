package dev.rocport.device.op.vector;

import static dev.rocport.device.isa.DataType.B32;
import static dev.rocport.device.isa.DataType.B64;
import static dev.rocport.device.isa.DataType.PK_B8;
import static dev.rocport.device.isa.DataType.PK_U16;
import static dev.rocport.device.isa.DataType.U32;

import org.jspecify.annotations.Nullable;

/** Sums of absolute differences and means of bytes. */
final class Bytes {
  private Bytes() {}

  static @Nullable Definition named(String name) {
    return switch (name) {
      case "v_sad_u8" ->
          Definition.of(
              Lane.longs((a, b, c) -> differences(a, b, 8, false) + c), U32, PK_B8, PK_B8, U32);
      case "v_sad_hi_u8" ->
          Definition.of(
              Lane.longs((a, b, c) -> (differences(a, b, 8, false) << 16) + c),
              U32,
              PK_B8,
              PK_B8,
              U32);
      case "v_msad_u8" ->
          Definition.of(
              Lane.longs((a, b, c) -> differences(a, b, 8, true) + c), U32, PK_B8, PK_B8, U32);
      case "v_sad_u16" ->
          Definition.of(
              Lane.longs((a, b, c) -> differences(a, b, 16, false) + c), U32, PK_U16, PK_U16, U32);
      case "v_sad_u32" ->
          Definition.of(Lane.longs((a, b, c) -> Math.abs(a - b) + c), U32, U32, U32, U32);
      case "v_qsad_pk_u16_u8" ->
          Definition.of(Lane.longs((a, b, c) -> four(a, b, c, false)), B64, B64, B32, B64);
      case "v_mqsad_pk_u16_u8" ->
          Definition.of(Lane.longs((a, b, c) -> four(a, b, c, true)), B64, B64, B32, B64);
      case "v_lerp_u8" -> Definition.of(Lane.longs(Bytes::means), PK_B8, PK_B8, PK_B8, PK_B8);
      default -> null;
    };
  }

  /**
   * @param masked parts that are 0 in b do not count
   */
  private static long differences(long a, long b, int bits, boolean masked) {
    long sum = 0;
    long part = (1L << bits) - 1;
    for (int i = 0; i < 32; i += bits) {
      long y = b >>> i & part;
      sum += masked && y == 0 ? 0 : Math.abs((a >>> i & part) - y);
    }
    return sum;
  }

  /** The differences of the four words of 32 bits that begin at bytes 0 to 3 of a. */
  private static long four(long a, long b, long c, boolean masked) {
    long result = 0;
    for (int i = 0; i < 4; i++) {
      long sum = differences(a >>> (8 * i) & 0xffffffffL, b, 8, masked) + (c >>> (16 * i) & 0xffff);
      result |= (sum & 0xffff) << (16 * i);
    }
    return result;
  }

  /** (a + b) / 2 in each byte, rounded up where c has a one at the byte's end. */
  private static long means(long a, long b, long c) {
    long result = 0;
    for (int i = 0; i < 32; i += 8) {
      long sum = (a >>> i & 0xff) + (b >>> i & 0xff) + (c >>> i & 1);
      result |= sum >>> 1 << i;
    }
    return result;
  }
}
