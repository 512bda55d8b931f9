package dev.rocport.device.op.vector;

import static dev.rocport.device.isa.DataType.B16;
import static dev.rocport.device.isa.DataType.B32;
import static dev.rocport.device.isa.DataType.B64;
import static dev.rocport.device.isa.DataType.I32;
import static dev.rocport.device.isa.DataType.I64;
import static dev.rocport.device.isa.DataType.PK_B8;
import static dev.rocport.device.isa.DataType.U32;
import static dev.rocport.device.isa.DataType.U64;
import static jdk.incubator.vector.VectorOperators.ASHR;
import static jdk.incubator.vector.VectorOperators.BIT_COUNT;
import static jdk.incubator.vector.VectorOperators.LEADING_ZEROS_COUNT;
import static jdk.incubator.vector.VectorOperators.LSHL;
import static jdk.incubator.vector.VectorOperators.LSHR;
import static jdk.incubator.vector.VectorOperators.LT;
import static jdk.incubator.vector.VectorOperators.NOT;
import static jdk.incubator.vector.VectorOperators.UGE;
import static jdk.incubator.vector.VectorOperators.ULT;
import static jdk.incubator.vector.VectorOperators.XOR;

import dev.rocport.device.wave.Wave;
import java.util.stream.IntStream;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import org.jspecify.annotations.Nullable;

/** Integers of 32 and 64 bits, bit fields, choices. */
final class Integers {
  private static final int[] LANES_BELOW_LOW =
      IntStream.range(0, Wave.LANES).map(i -> i < 32 ? (1 << i) - 1 : -1).toArray();
  private static final int[] LANES_BELOW_HIGH =
      IntStream.range(0, Wave.LANES).map(i -> i < 32 ? 0 : (1 << i) - 1).toArray();

  private Integers() {}

  static @Nullable Definition named(String name) {
    return switch (name) {
      case "v_mov_b32", "v_accvgpr_read_b32", "v_accvgpr_write_b32", "v_accvgpr_mov_b32" -> MOVE;
      case "v_mov_b64" -> bits64(Lane.longs(a -> a)).form(VectorForm.longs((a, b, c) -> a));
      case "v_cndmask_b32" -> CHOOSE;
      case "v_not_b32" ->
          one(Lane.ints(a -> ~a)).form(VectorForm.ints((a, b, c) -> a.lanewise(NOT)));
      case "v_bfrev_b32" ->
          one(Lane.ints(a -> Integer.reverse(a)))
              .form(
                  VectorForm.ints(
                      (a, b, c) -> a.lanewise(jdk.incubator.vector.VectorOperators.REVERSE)));
      case "v_ffbh_u32" ->
          one(Lane.ints(a -> a == 0 ? -1 : Integer.numberOfLeadingZeros(a)))
              .form(
                  VectorForm.ints((a, b, c) -> a.lanewise(LEADING_ZEROS_COUNT).blend(-1, a.eq(0))));
      case "v_ffbl_b32" -> one(Lane.ints(a -> a == 0 ? -1 : Integer.numberOfTrailingZeros(a)));
      case "v_ffbh_i32" ->
          one(
              Lane.ints(
                  a -> {
                    int changes = a ^ a >> 31;
                    return changes == 0 ? -1 : Integer.numberOfLeadingZeros(changes);
                  }));
      case "v_and_b32" -> two(Lane.ints((a, b) -> a & b), (a, b, c) -> a.and(b));
      case "v_or_b32" -> two(Lane.ints((a, b) -> a | b), (a, b, c) -> a.or(b));
      case "v_xor_b32" -> two(Lane.ints((a, b) -> a ^ b), (a, b, c) -> a.lanewise(XOR, b));
      case "v_xnor_b32" ->
          two(Lane.ints((a, b) -> ~(a ^ b)), (a, b, c) -> a.lanewise(XOR, b).lanewise(NOT));
      case "v_lshlrev_b32" ->
          two(Lane.ints((a, b) -> b << a), (a, b, c) -> b.lanewise(LSHL, a.and(31)));
      case "v_lshrrev_b32" ->
          two(Lane.ints((a, b) -> b >>> a), (a, b, c) -> b.lanewise(LSHR, a.and(31)));
      case "v_ashrrev_i32" ->
          two(Lane.ints((a, b) -> b >> a), (a, b, c) -> b.lanewise(ASHR, a.and(31)));
      case "v_add_u32" ->
          two(Lane.ints((a, b) -> a + b), (a, b, c) -> a.add(b))
              .clamped(Lane.longs((a, b) -> Math.min(a + b, 0xffffffffL)));
      case "v_sub_u32" ->
          two(Lane.ints((a, b) -> a - b), (a, b, c) -> a.sub(b))
              .clamped(Lane.longs((a, b) -> Math.max(a - b, 0)));
      case "v_subrev_u32" ->
          two(Lane.ints((a, b) -> b - a), (a, b, c) -> b.sub(a))
              .clamped(Lane.longs((a, b) -> Math.max(b - a, 0)));
      case "v_add_i32" ->
          signed(Lane.ints((a, b) -> a + b), (a, b, c) -> a.add(b))
              .clamped(Lane.ints((a, b) -> saturate((long) a + b)));
      case "v_sub_i32" ->
          signed(Lane.ints((a, b) -> a - b), (a, b, c) -> a.sub(b))
              .clamped(Lane.ints((a, b) -> saturate((long) a - b)));
      case "v_add_co_u32" -> ADD_CARRY;
      case "v_sub_co_u32" -> SUB_CARRY;
      case "v_subrev_co_u32" -> SUBREV_CARRY;
      case "v_addc_co_u32" -> ADD_WITH_CARRY;
      case "v_subb_co_u32" -> SUB_WITH_CARRY;
      case "v_subbrev_co_u32" -> SUBREV_WITH_CARRY;
      case "v_min_i32" -> signed(Lane.ints((a, b) -> Math.min(a, b)), (a, b, c) -> a.min(b));
      case "v_max_i32" -> signed(Lane.ints((a, b) -> Math.max(a, b)), (a, b, c) -> a.max(b));
      case "v_min_u32" ->
          two(Lane.longs((a, b) -> Math.min(a, b)), (a, b, c) -> b.blend(a, a.compare(ULT, b)));
      case "v_max_u32" ->
          two(Lane.longs((a, b) -> Math.max(a, b)), (a, b, c) -> b.blend(a, a.compare(UGE, b)));
      case "v_mul_lo_u32" -> two(Lane.ints((a, b) -> a * b), (a, b, c) -> a.mul(b));
      case "v_mul_hi_u32" ->
          two(Lane.longs((a, b) -> (a * b) >>> 32))
              .form(VectorForm.longs((a, b, c) -> a.mul(b).lanewise(LSHR, 32)));
      case "v_mul_hi_i32" ->
          signed(Lane.longs((a, b) -> ((long) (int) a * (int) b) >> 32))
              .form(
                  VectorForm.longs(
                      (a, b, c) -> signExtend(a).mul(signExtend(b)).lanewise(LSHR, 32)));
      case "v_mul_u32_u24" ->
          two(
              Lane.longs((a, b) -> (a & 0xffffff) * (b & 0xffffff)),
              (a, b, c) -> a.and(0xffffff).mul(b.and(0xffffff)));
      case "v_mul_hi_u32_u24" ->
          two(Lane.longs((a, b) -> ((a & 0xffffff) * (b & 0xffffff)) >>> 32));
      case "v_mul_i32_i24" ->
          signed(
              Lane.ints((a, b) -> signed24(a) * signed24(b)),
              (a, b, c) -> signed24(a).mul(signed24(b)));
      case "v_mul_hi_i32_i24" ->
          signed(Lane.ints((a, b) -> (int) (((long) signed24(a) * signed24(b)) >> 32)));
      case "v_mad_u32_u24" ->
          three(
                  Lane.longs((a, b, c) -> (a & 0xffffff) * (b & 0xffffff) + c),
                  (a, b, c) -> a.and(0xffffff).mul(b.and(0xffffff)).add(c))
              .clamped(
                  Lane.longs(
                      (a, b, c) -> Math.min((a & 0xffffff) * (b & 0xffffff) + c, 0xffffffffL)));
      case "v_mad_i32_i24" ->
          Definition.of(Lane.ints((a, b, c) -> signed24(a) * signed24(b) + c), I32, I32, I32, I32)
              .form(VectorForm.ints((a, b, c) -> signed24(a).mul(signed24(b)).add(c)))
              .clamped(Lane.ints((a, b, c) -> saturate((long) signed24(a) * signed24(b) + c)));
      case "v_mad_u64_u32" ->
          Definition.of(Lane.longs((a, b, c) -> a * b + c), U64, U32, U32, U64)
              .test((a, b, c, bit) -> Long.compareUnsigned(a * b + c, c) < 0)
              .form(
                  new VectorForm.PairCarry(
                      (a, b, c) -> a.mul(b).add(c), (sum, c) -> sum.compare(ULT, c)));
      // The carry is bit 64 of the exact sum, which is its sign.
      case "v_mad_i64_i32" ->
          Definition.of(Lane.longs((a, b, c) -> (long) (int) a * (int) b + c), I64, I32, I32, I64)
              .test(
                  (a, b, c, bit) -> {
                    long product = (long) (int) a * (int) b;
                    long sum = product + c;
                    boolean overflows = ((product ^ sum) & (c ^ sum)) < 0;
                    return overflows != (sum < 0);
                  })
              .form(
                  new VectorForm.PairCarry(
                      (a, b, c) -> signExtend(a).mul(signExtend(b)).add(c),
                      (sum, c) -> {
                        LongVector product = sum.sub(c);
                        LongVector overflow = product.lanewise(XOR, sum).and(c.lanewise(XOR, sum));
                        return overflow.lanewise(XOR, sum).compare(LT, 0);
                      }));
      case "v_lshl_add_u64" ->
          Definition.of(Lane.longs((a, b, c) -> (a << (b & 7)) + c), U64, U64, U32, U64)
              .form(VectorForm.longs((a, b, c) -> a.lanewise(LSHL, b.and(7)).add(c)));
      case "v_lshlrev_b64" ->
          Definition.of(Lane.longs((a, b) -> b << a), B64, U32, B64)
              .form(VectorForm.longs((a, b, c) -> b.lanewise(LSHL, a.and(63))));
      case "v_lshrrev_b64" ->
          Definition.of(Lane.longs((a, b) -> b >>> a), B64, U32, B64)
              .form(VectorForm.longs((a, b, c) -> b.lanewise(LSHR, a.and(63))));
      case "v_ashrrev_i64" ->
          Definition.of(Lane.longs((a, b) -> b >> a), I64, U32, I64)
              .form(VectorForm.longs((a, b, c) -> b.lanewise(ASHR, a.and(63))));
      case "v_lshl_add_u32" ->
          three(
              Lane.ints((a, b, c) -> (a << b) + c),
              (a, b, c) -> a.lanewise(LSHL, b.and(31)).add(c));
      case "v_add_lshl_u32" ->
          three(
              Lane.ints((a, b, c) -> (a + b) << c),
              (a, b, c) -> a.add(b).lanewise(LSHL, c.and(31)));
      case "v_add3_u32" -> three(Lane.ints((a, b, c) -> a + b + c), (a, b, c) -> a.add(b).add(c));
      case "v_lshl_or_b32" ->
          three(Lane.ints((a, b, c) -> a << b | c), (a, b, c) -> a.lanewise(LSHL, b.and(31)).or(c));
      case "v_and_or_b32" ->
          three(Lane.ints((a, b, c) -> (a & b) | c), (a, b, c) -> a.and(b).or(c));
      case "v_or3_b32" -> three(Lane.ints((a, b, c) -> a | b | c), (a, b, c) -> a.or(b).or(c));
      case "v_xad_u32" ->
          three(Lane.ints((a, b, c) -> (a ^ b) + c), (a, b, c) -> a.lanewise(XOR, b).add(c));
      case "v_bfe_u32" ->
          three(
              Lane.ints((a, b, c) -> (c & 31) == 0 ? 0 : a >>> b & -1 >>> (32 - (c & 31))),
              (a, b, c) -> {
                IntVector width = c.and(31);
                IntVector ones = IntVector.broadcast(c.species(), -1);
                return a.lanewise(LSHR, b.and(31)).and(ones.lanewise(LSHL, width).lanewise(NOT));
              });
      case "v_bfe_i32" -> Definition.of(Lane.ints(Integers::signedField), I32, I32, U32, U32);
      case "v_bfi_b32" ->
          three(
              Lane.ints((a, b, c) -> (a & b) | (~a & c)),
              (a, b, c) -> a.and(b).or(a.lanewise(NOT).and(c)));
      case "v_bfm_b32" -> two(Lane.ints((a, b) -> ((1 << a) - 1) << b));
      case "v_alignbit_b32" ->
          three(Lane.longs((a, b, c) -> (a << 32 | b) >>> (c & 31)))
              .form(
                  VectorForm.longs(
                      (a, b, c) -> a.lanewise(LSHL, 32).or(b).lanewise(LSHR, c.and(31))));
      case "v_alignbyte_b32" -> three(Lane.longs((a, b, c) -> (a << 32 | b) >>> (8 * (c & 3))));
      case "v_perm_b32" -> three(Lane.longs(Integers::permute));
      case "v_prng_b32" -> Definition.of(Lane.ints(a -> a << 1 ^ (a < 0 ? 197 : 0)), B32, B32);
      case "v_ashr_pk_i8_i32" -> shiftedPair(Byte.MIN_VALUE, Byte.MAX_VALUE);
      case "v_ashr_pk_u8_i32" -> shiftedPair(0, 0xff);
      case "v_min3_i32" -> three(Lane.ints((a, b, c) -> Math.min(Math.min(a, b), c)), I32);
      case "v_max3_i32" -> three(Lane.ints((a, b, c) -> Math.max(Math.max(a, b), c)), I32);
      case "v_med3_i32" ->
          three(Lane.ints((a, b, c) -> Math.max(Math.min(a, b), Math.min(Math.max(a, b), c))), I32);
      case "v_min3_u32" -> three(Lane.longs((a, b, c) -> Math.min(Math.min(a, b), c)));
      case "v_max3_u32" -> three(Lane.longs((a, b, c) -> Math.max(Math.max(a, b), c)));
      case "v_med3_u32" ->
          three(Lane.longs((a, b, c) -> Math.max(Math.min(a, b), Math.min(Math.max(a, b), c))));
      case "v_bcnt_u32_b32" ->
          two(
              Lane.ints((a, b) -> Integer.bitCount(a) + b),
              (a, b, c) -> a.lanewise(BIT_COUNT).add(b));
      case "v_mbcnt_lo_u32_b32" -> countBelow(LANES_BELOW_LOW);
      case "v_mbcnt_hi_u32_b32" -> countBelow(LANES_BELOW_HIGH);
      default -> null;
    };
  }

  /** Two words, each shifted and clamped to a byte, as a half of a register. */
  private static Definition shiftedPair(int least, int most) {
    return Definition.of(
            Lane.ints(
                (a, b, c) ->
                    (Math.clamp(a >> (c & 31), least, most) & 0xff)
                        | (Math.clamp(b >> (c & 31), least, most) & 0xff) << 8),
            PK_B8,
            I32,
            I32,
            U32)
        .keepingHalf();
  }

  /** An operation on three bits by its truth table, or null where the opcode has none. */
  static @Nullable Definition bitwise(String name, int table) {
    return switch (name) {
      case "v_bitop3_b32" -> three(Lane.ints((a, b, c) -> bitwise(table, a, b, c)));
      case "v_bitop3_b16" ->
          Definition.of(Lane.ints((a, b, c) -> bitwise(table, a, b, c)), B16, B16, B16, B16)
              .keepingHalf();
      default -> null;
    };
  }

  private static int bitwise(int table, int a, int b, int c) {
    int result = 0;
    for (int i = 0; i < 8; i++) {
      if ((table >> i & 1) != 0) {
        result |= ((i & 4) != 0 ? a : ~a) & ((i & 2) != 0 ? b : ~b) & ((i & 1) != 0 ? c : ~c);
      }
    }
    return result;
  }

  /** v_mov_b32, with which other operations end. */
  static final Definition MOVE =
      Definition.of(Lane.ints(a -> a), B32, B32).form(VectorForm.ints((a, b, c) -> a));

  private static final Definition CHOOSE =
      Definition.of((a, b, c, bit) -> bit ? b : a, B32, B32, B32)
          .takingMask()
          .form((VectorForm.Choice) (a, b, mask) -> a.blend(b, mask));

  private static final Definition ADD_CARRY =
      Definition.of(Lane.longs((a, b) -> a + b), U32, U32, U32)
          .test((a, b, c, bit) -> a + b > 0xffffffffL)
          .form(
              new VectorForm.Carry((a, b, in) -> a.add(b), (a, b, in) -> a.add(b).compare(ULT, a)))
          .clamped(Lane.longs((a, b) -> Math.min(a + b, 0xffffffffL)));
  private static final Definition SUB_CARRY =
      Definition.of(Lane.longs((a, b) -> a - b), U32, U32, U32)
          .test((a, b, c, bit) -> a < b)
          .form(new VectorForm.Carry((a, b, in) -> a.sub(b), (a, b, in) -> a.compare(ULT, b)))
          .clamped(Lane.longs((a, b) -> Math.max(a - b, 0)));
  private static final Definition SUBREV_CARRY =
      Definition.of(Lane.longs((a, b) -> b - a), U32, U32, U32)
          .test((a, b, c, bit) -> b < a)
          .form(new VectorForm.Carry((a, b, in) -> b.sub(a), (a, b, in) -> b.compare(ULT, a)))
          .clamped(Lane.longs((a, b) -> Math.max(b - a, 0)));
  private static final Definition ADD_WITH_CARRY =
      Definition.of((a, b, c, bit) -> a + b + (bit ? 1 : 0), U32, U32, U32)
          .test((a, b, c, bit) -> a + b + (bit ? 1 : 0) > 0xffffffffL)
          .takingMask()
          .form(
              new VectorForm.Carry(
                  (a, b, in) -> a.add(b).add(in),
                  (a, b, in) -> {
                    IntVector sum = a.add(b);
                    return sum.compare(ULT, a).or(sum.add(in).compare(ULT, sum));
                  }))
          .clamped((a, b, c, bit) -> Math.min(a + b + (bit ? 1 : 0), 0xffffffffL));
  private static final Definition SUB_WITH_CARRY =
      Definition.of((a, b, c, bit) -> a - b - (bit ? 1 : 0), U32, U32, U32)
          .test((a, b, c, bit) -> a - b - (bit ? 1 : 0) < 0)
          .takingMask()
          .form(
              new VectorForm.Carry(
                  (a, b, in) -> a.sub(b).sub(in),
                  (a, b, in) -> a.compare(ULT, b).or(a.sub(b).compare(ULT, in))))
          .clamped((a, b, c, bit) -> Math.max(a - b - (bit ? 1 : 0), 0));
  private static final Definition SUBREV_WITH_CARRY =
      Definition.of((a, b, c, bit) -> b - a - (bit ? 1 : 0), U32, U32, U32)
          .test((a, b, c, bit) -> b - a - (bit ? 1 : 0) < 0)
          .takingMask()
          .form(
              new VectorForm.Carry(
                  (a, b, in) -> b.sub(a).sub(in),
                  (a, b, in) -> b.compare(ULT, a).or(b.sub(a).compare(ULT, in))))
          .clamped((a, b, c, bit) -> Math.max(b - a - (bit ? 1 : 0), 0));

  private static Definition one(Lane lane) {
    return Definition.of(lane, B32, B32);
  }

  private static Definition bits64(Lane lane) {
    return Definition.of(lane, B64, B64);
  }

  private static Definition two(Lane lane) {
    return Definition.of(lane, U32, U32, U32);
  }

  private static Definition two(Lane lane, VectorForm.Int form) {
    return two(lane).form(form);
  }

  private static Definition signed(Lane lane) {
    return Definition.of(lane, I32, I32, I32);
  }

  private static Definition signed(Lane lane, VectorForm.Int form) {
    return signed(lane).form(form);
  }

  private static Definition three(Lane lane) {
    return Definition.of(lane, U32, U32, U32, U32);
  }

  private static Definition three(Lane lane, dev.rocport.device.isa.DataType type) {
    return Definition.of(lane, type, type, type, type);
  }

  private static Definition three(Lane lane, VectorForm.Int form) {
    return three(lane).form(form);
  }

  private static Definition countBelow(int[] lanes) {
    return Definition.of(Lane.ints((a, b, c) -> Integer.bitCount(a & c) + b), U32, B32, U32, B32)
        .implied(lanes)
        .form(VectorForm.ints((a, b, c) -> a.and(c).lanewise(BIT_COUNT).add(b)));
  }

  static int saturate(long value) {
    return Math.clamp(value, Integer.MIN_VALUE, Integer.MAX_VALUE);
  }

  private static int signed24(int a) {
    return a << 8 >> 8;
  }

  private static IntVector signed24(IntVector a) {
    return a.lanewise(LSHL, 8).lanewise(ASHR, 8);
  }

  private static LongVector signExtend(LongVector a) {
    return a.lanewise(LSHL, 32).lanewise(ASHR, 32);
  }

  private static int signedField(int a, int offset, int width) {
    int w = width & 31;
    return w == 0 ? 0 : (a >> offset) << (32 - w) >> (32 - w);
  }

  /**
   * Bytes of S1 (selectors 0 to 3), S0 (4 to 7), the signs of bytes 1 and 3 of each (8 to 11), 0
   * (12), 0xff (above). Source: AMD's CDNA3 ISA manual, V_PERM_B32.
   */
  private static long permute(long s0, long s1, long selectors) {
    long data = s0 << 32 | s1;
    long result = 0;
    for (int i = 0; i < 32; i += 8) {
      int selector = (int) (selectors >>> i & 0xff);
      long part;
      if (selector < 8) {
        part = data >>> (8 * selector) & 0xff;
      } else if (selector < 12) {
        part = -(data >>> (16 * (selector - 8) + 15) & 1) & 0xff;
      } else {
        part = selector == 12 ? 0 : 0xff;
      }
      result |= part << i;
    }
    return result;
  }
}
