package dev.rocport.device.nativecode;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What an opcode of the vector ALU computes from its sources. Source of the results: {@code
 * device.op.vector}, whose definitions have the same names.
 *
 * @param sources with the destination, if the opcode reads it
 * @param takesMask reads a mask of lanes
 * @param value the result, or null
 * @param test the bit of each lane for a scalar register, or null
 */
record LaneWork(int sources, boolean takesMask, @Nullable Work value, @Nullable Work test) {
  private static final Pattern COMPARE = Pattern.compile("v_cmpx?_([a-z]+)_([iuf])(16|32|64)");

  /**
   * Sources in a chunk: vectors of i32 or i64.
   *
   * @param mask vectors of i1
   */
  record Values(Chunk c, String a, @Nullable String b, @Nullable String d, @Nullable String mask) {
    String second() {
      return known(b);
    }

    String third() {
      return known(d);
    }

    String taken() {
      return known(mask);
    }

    private static String known(@Nullable String value) {
      if (value == null) {
        throw new IllegalStateException("a source is missing");
      }
      return value;
    }
  }

  /** The result: a vector of i32 or i64, or of i1 for a test. */
  @FunctionalInterface
  interface Work {
    String apply(Values v);
  }

  interface One {
    String apply(Chunk c, String a);
  }

  interface Two {
    String apply(Chunk c, String a, String b);
  }

  interface Three {
    String apply(Chunk c, String a, String b, String d);
  }

  static LaneWork one(One f) {
    return new LaneWork(1, false, v -> f.apply(v.c(), v.a()), null);
  }

  static LaneWork two(Two f) {
    return new LaneWork(2, false, v -> f.apply(v.c(), v.a(), v.second()), null);
  }

  static LaneWork three(Three f) {
    return new LaneWork(3, false, v -> f.apply(v.c(), v.a(), v.second(), v.third()), null);
  }

  private static LaneWork i32(String op) {
    return two((c, a, b) -> c.i32(op, a, b));
  }

  static String n(int value) {
    return "splat (i32 %d)".formatted(value);
  }

  static String w(long value) {
    return "splat (i64 %d)".formatted(value);
  }

  static @Nullable LaneWork of(String name) {
    Matcher compare = COMPARE.matcher(name);
    if (compare.matches() && !compare.group(1).equals("class")) {
      return compare(compare.group(1), compare.group(2).charAt(0), compare.group(3));
    }
    return switch (name) {
      case "v_mov_b32",
          "v_accvgpr_read_b32",
          "v_accvgpr_write_b32",
          "v_accvgpr_mov_b32",
          "v_mov_b64" ->
          one((c, a) -> a);
      case "v_cndmask_b32" ->
          new LaneWork(2, true, v -> v.c().select(v.taken(), v.c().ints, v.second(), v.a()), null);
      case "v_not_b32" -> one((c, a) -> c.i32("xor", a, n(-1)));
      case "v_bfrev_b32" -> one((c, a) -> c.call(c.ints, "bitreverse", "i32", a));
      case "v_ffbh_u32" -> one((c, a) -> found(c, "ctlz", a));
      case "v_ffbh_i32" ->
          one((c, a) -> found(c, "ctlz", c.i32("xor", a, c.i32("ashr", a, n(31)))));
      case "v_ffbl_b32" -> one((c, a) -> found(c, "cttz", a));
      case "v_and_b32" -> i32("and");
      case "v_or_b32" -> i32("or");
      case "v_xor_b32" -> i32("xor");
      case "v_xor3_b32" -> three((c, a, b, d) -> c.i32("xor", c.i32("xor", a, b), d));
      case "v_xnor_b32" -> two((c, a, b) -> c.i32("xor", c.i32("xor", a, b), n(-1)));
      case "v_lshlrev_b32" -> two((c, a, b) -> c.i32("shl", b, c.i32("and", a, n(31))));
      case "v_lshrrev_b32" -> two((c, a, b) -> c.i32("lshr", b, c.i32("and", a, n(31))));
      case "v_ashrrev_i32" -> two((c, a, b) -> c.i32("ashr", b, c.i32("and", a, n(31))));
      case "v_add_u32", "v_add_i32" -> i32("add");
      case "v_sub_u32", "v_sub_i32" -> i32("sub");
      case "v_subrev_u32" -> two((c, a, b) -> c.i32("sub", b, a));
      case "v_add_co_u32" ->
          new LaneWork(
              2,
              false,
              v -> v.c().i32("add", v.a(), v.second()),
              v -> v.c().i32("icmp ult", v.c().i32("add", v.a(), v.second()), v.a()));
      case "v_sub_co_u32" ->
          new LaneWork(
              2,
              false,
              v -> v.c().i32("sub", v.a(), v.second()),
              v -> v.c().i32("icmp ult", v.a(), v.second()));
      case "v_subrev_co_u32" ->
          new LaneWork(
              2,
              false,
              v -> v.c().i32("sub", v.second(), v.a()),
              v -> v.c().i32("icmp ult", v.second(), v.a()));
      case "v_addc_co_u32" ->
          new LaneWork(2, true, v -> carried(v, "add", v.a(), v.second()), LaneWork::carryOut);
      case "v_subb_co_u32" ->
          new LaneWork(
              2,
              true,
              v -> carried(v, "sub", v.a(), v.second()),
              v -> borrow(v, v.a(), v.second()));
      case "v_subbrev_co_u32" ->
          new LaneWork(
              2,
              true,
              v -> carried(v, "sub", v.second(), v.a()),
              v -> borrow(v, v.second(), v.a()));
      case "v_min_i32" -> two((c, a, b) -> c.call(c.ints, "smin", "i32", a, b));
      case "v_max_i32" -> two((c, a, b) -> c.call(c.ints, "smax", "i32", a, b));
      case "v_min_u32" -> two((c, a, b) -> c.call(c.ints, "umin", "i32", a, b));
      case "v_max_u32" -> two((c, a, b) -> c.call(c.ints, "umax", "i32", a, b));
      case "v_min3_i32" -> three((c, a, b, d) -> nested(c, "smin", a, b, d));
      case "v_max3_i32" -> three((c, a, b, d) -> nested(c, "smax", a, b, d));
      case "v_min3_u32" -> three((c, a, b, d) -> nested(c, "umin", a, b, d));
      case "v_max3_u32" -> three((c, a, b, d) -> nested(c, "umax", a, b, d));
      case "v_maxmin_i32" -> three((c, a, b, d) -> turned(c, "smax", "smin", a, b, d));
      case "v_minmax_i32" -> three((c, a, b, d) -> turned(c, "smin", "smax", a, b, d));
      case "v_maxmin_u32" -> three((c, a, b, d) -> turned(c, "umax", "umin", a, b, d));
      case "v_minmax_u32" -> three((c, a, b, d) -> turned(c, "umin", "umax", a, b, d));
      case "v_med3_i32" -> three((c, a, b, d) -> median(c, "s", a, b, d));
      case "v_med3_u32" -> three((c, a, b, d) -> median(c, "u", a, b, d));
      case "v_mul_lo_u32" -> i32("mul");
      case "v_mul_hi_u32" -> two((c, a, b) -> high(c, "zext", a, b));
      case "v_mul_hi_i32" -> two((c, a, b) -> high(c, "sext", a, b));
      case "v_mul_u32_u24" -> two((c, a, b) -> c.i32("mul", low24(c, a), low24(c, b)));
      case "v_mul_hi_u32_u24" -> two((c, a, b) -> high(c, "zext", low24(c, a), low24(c, b)));
      case "v_mul_hi_i32_i24" -> two((c, a, b) -> high(c, "sext", signed24(c, a), signed24(c, b)));
      case "v_mul_i32_i24" -> two((c, a, b) -> c.i32("mul", signed24(c, a), signed24(c, b)));
      case "v_mad_u32_u24" ->
          three((c, a, b, d) -> c.i32("add", c.i32("mul", low24(c, a), low24(c, b)), d));
      case "v_mad_i32_i24" ->
          three((c, a, b, d) -> c.i32("add", c.i32("mul", signed24(c, a), signed24(c, b)), d));
      case "v_perm_b32" -> three(LaneWork::permuted);
      case "v_cmp_class_f32", "v_cmpx_class_f32" ->
          new LaneWork(2, false, null, v -> FloatFormat.F32.isOfClass(v.c(), v.a(), v.second()));
      case "v_mad_i64_i32" ->
          new LaneWork(3, false, LaneWork::signedProduct, LaneWork::signedCarry);
      case "v_mad_u64_u32" ->
          new LaneWork(
              3,
              false,
              LaneWork::wideProduct,
              v -> v.c().i64("icmp ult", wideProduct(v), v.third()));
      case "v_lshl_add_u64" ->
          three(
              (c, a, b, d) ->
                  c.i64(
                      "add",
                      c.i64("shl", a, c.convert("zext", c.ints, c.i32("and", b, n(7)), c.longs)),
                      d));
      case "v_lshlrev_b64" -> two((c, a, b) -> c.i64("shl", b, count64(c, a)));
      case "v_lshrrev_b64" -> two((c, a, b) -> c.i64("lshr", b, count64(c, a)));
      case "v_ashrrev_i64" -> two((c, a, b) -> c.i64("ashr", b, count64(c, a)));
      case "v_lshl_add_u32" ->
          three((c, a, b, d) -> c.i32("add", c.i32("shl", a, c.i32("and", b, n(31))), d));
      case "v_add_lshl_u32" ->
          three((c, a, b, d) -> c.i32("shl", c.i32("add", a, b), c.i32("and", d, n(31))));
      case "v_add3_u32" -> three((c, a, b, d) -> c.i32("add", c.i32("add", a, b), d));
      case "v_lshl_or_b32" ->
          three((c, a, b, d) -> c.i32("or", c.i32("shl", a, c.i32("and", b, n(31))), d));
      case "v_and_or_b32" -> three((c, a, b, d) -> c.i32("or", c.i32("and", a, b), d));
      case "v_or3_b32" -> three((c, a, b, d) -> c.i32("or", c.i32("or", a, b), d));
      case "v_xad_u32" -> three((c, a, b, d) -> c.i32("add", c.i32("xor", a, b), d));
      case "v_bfe_u32" ->
          three(
              (c, a, b, d) -> {
                String down = c.i32("lshr", a, c.i32("and", b, n(31)));
                String up = c.i32("shl", n(-1), c.i32("and", d, n(31)));
                return c.i32("and", down, c.i32("xor", up, n(-1)));
              });
      case "v_bfe_i32" ->
          three(
              (c, a, b, d) -> {
                String width = c.i32("and", d, n(31));
                String down = c.i32("ashr", a, c.i32("and", b, n(31)));
                String left = c.i32("and", c.i32("sub", n(32), width), n(31));
                String field = c.i32("ashr", c.i32("shl", down, left), left);
                return c.select(c.i32("icmp eq", width, n(0)), c.ints, n(0), field);
              });
      case "v_bfi_b32" ->
          three(
              (c, a, b, d) ->
                  c.i32("or", c.i32("and", a, b), c.i32("and", c.i32("xor", a, n(-1)), d)));
      case "v_bfm_b32" ->
          two(
              (c, a, b) ->
                  c.i32(
                      "shl",
                      c.i32("sub", c.i32("shl", n(1), c.i32("and", a, n(31))), n(1)),
                      c.i32("and", b, n(31))));
      case "v_alignbit_b32" ->
          three((c, a, b, d) -> c.call(c.ints, "fshr", "i32", a, b, c.i32("and", d, n(31))));
      case "v_alignbyte_b32" ->
          three(
              (c, a, b, d) ->
                  c.call(c.ints, "fshr", "i32", a, b, c.i32("shl", c.i32("and", d, n(3)), n(3))));
      case "v_bcnt_u32_b32" -> two((c, a, b) -> c.i32("add", c.call(c.ints, "ctpop", "i32", a), b));
      case "v_mbcnt_lo_u32_b32" -> two((c, a, b) -> below(c, a, b, true));
      case "v_mbcnt_hi_u32_b32" -> two((c, a, b) -> below(c, a, b, false));
      default -> {
        LaneWork work = name.endsWith("_f64") ? DoubleWork.of(name) : null;
        if (work == null) {
          work = name.endsWith("16") ? ShortWork.of(name) : FloatWork.of(name);
        }
        if (work == null) {
          work = HalfWork.of(name);
        }
        yield work;
      }
    };
  }

  private static String found(Chunk c, String intrinsic, String a) {
    String at =
        c.ir.value(
            "call %s @llvm.%s.v%di32(%s %s, i1 false)", c.ints, intrinsic, c.width, c.ints, a);
    return c.select(c.i32("icmp eq", a, n(0)), c.ints, n(-1), at);
  }

  private static String nested(Chunk c, String intrinsic, String a, String b, String d) {
    return turned(c, intrinsic, intrinsic, a, b, d);
  }

  private static String turned(Chunk c, String first, String second, String a, String b, String d) {
    return c.call(c.ints, second, "i32", c.call(c.ints, first, "i32", a, b), d);
  }

  private static String median(Chunk c, String sign, String a, String b, String d) {
    String low = c.call(c.ints, sign + "min", "i32", a, b);
    String high = c.call(c.ints, sign + "max", "i32", a, b);
    return c.call(c.ints, sign + "max", "i32", low, c.call(c.ints, sign + "min", "i32", high, d));
  }

  private static String carryIn(Values v) {
    return v.c().convert("zext", v.c().bits, v.taken(), v.c().ints);
  }

  private static String carried(Values v, String op, String a, String b) {
    return v.c().i32(op, v.c().i32(op, a, b), carryIn(v));
  }

  private static String carryOut(Values v) {
    Chunk c = v.c();
    String sum = c.i32("add", v.a(), v.second());
    String first = c.i32("icmp ult", sum, v.a());
    String second = c.i32("icmp ult", c.i32("add", sum, carryIn(v)), sum);
    return c.ir.value("or %s %s, %s", c.bits, first, second);
  }

  private static String borrow(Values v, String a, String b) {
    Chunk c = v.c();
    String first = c.i32("icmp ult", a, b);
    String second = c.i32("icmp ult", c.i32("sub", a, b), carryIn(v));
    return c.ir.value("or %s %s, %s", c.bits, first, second);
  }

  private static String high(Chunk c, String extend, String a, String b) {
    String x = c.convert(extend, c.ints, a, c.longs);
    String y = c.convert(extend, c.ints, b, c.longs);
    return c.high(c.i64("mul", x, y));
  }

  private static String low24(Chunk c, String a) {
    return c.i32("and", a, n(0xffffff));
  }

  private static String signed24(Chunk c, String a) {
    return c.i32("ashr", c.i32("shl", a, n(8)), n(8));
  }

  private static String wideProduct(Values v) {
    Chunk c = v.c();
    String x = c.convert("zext", c.ints, v.a(), c.longs);
    String y = c.convert("zext", c.ints, v.second(), c.longs);
    return c.i64("add", c.i64("mul", x, y), v.third());
  }

  private static String signedProduct(Values v) {
    Chunk c = v.c();
    String x = c.convert("sext", c.ints, v.a(), c.longs);
    String y = c.convert("sext", c.ints, v.second(), c.longs);
    return c.i64("add", c.i64("mul", x, y), v.third());
  }

  /** Bit 64 of the exact sum, which is its sign. */
  private static String signedCarry(Values v) {
    Chunk c = v.c();
    String sum = signedProduct(v);
    String product = c.i64("sub", sum, v.third());
    String overflow = c.i64("and", c.i64("xor", product, sum), c.i64("xor", v.third(), sum));
    return c.i64("icmp slt", c.i64("xor", overflow, sum), w(0));
  }

  /** Bytes of b and a, their signs, 0 and 0xff, as the bytes of d choose. */
  private static String permuted(Chunk c, String a, String b, String d) {
    String data = c.pair(b, a);
    String result = n(0);
    for (int shift = 0; shift < 32; shift += 8) {
      String selector = c.i32("and", c.i32("lshr", d, n(shift)), n(255));
      String at = c.i32("shl", c.i32("and", selector, n(7)), n(3));
      String octet = c.i32("and", shifted(c, data, at), n(255));
      String sign = c.i32("or", c.i32("shl", c.i32("and", selector, n(3)), n(4)), n(15));
      String negative = c.i32("icmp ne", c.i32("and", shifted(c, data, sign), n(1)), n(0));
      String constant = c.select(c.i32("icmp eq", selector, n(12)), c.ints, n(0), n(255));
      String signs = c.select(negative, c.ints, n(255), n(0));
      String part =
          c.select(
              c.i32("icmp ult", selector, n(8)),
              c.ints,
              octet,
              c.select(c.i32("icmp ult", selector, n(12)), c.ints, signs, constant));
      result = c.i32("or", result, c.i32("shl", part, n(shift)));
    }
    return result;
  }

  private static String shifted(Chunk c, String data, String by) {
    return c.low(c.i64("lshr", data, c.convert("zext", c.ints, by, c.longs)));
  }

  private static String count64(Chunk c, String a) {
    return c.convert("zext", c.ints, c.i32("and", a, n(63)), c.longs);
  }

  /** How many of the lanes below have their bit set. */
  private static String below(Chunk c, String a, String b, boolean low) {
    String lane = c.lanes();
    String ones = c.i32("sub", c.i32("shl", n(1), c.i32("and", lane, n(31))), n(1));
    String inLow = c.i32("icmp ult", lane, n(32));
    String mask = low ? c.select(inLow, c.ints, ones, n(-1)) : c.select(inLow, c.ints, n(0), ones);
    return c.i32("add", c.call(c.ints, "ctpop", "i32", c.i32("and", a, mask)), b);
  }

  private static @Nullable LaneWork compare(String how, char kind, String width) {
    boolean wide = width.equals("64");
    if (kind == 'f') {
      return FloatWork.compare(how, Integer.parseInt(width));
    }
    if (width.equals("16")) {
      return ShortWork.compare(how, kind);
    }
    String test = ordered(how, kind);
    if (test == null) {
      return null;
    }
    String op = "icmp " + test;
    return new LaneWork(
        2,
        false,
        null,
        v -> wide ? v.c().i64(op, v.a(), v.second()) : v.c().i32(op, v.a(), v.second()));
  }

  /** A condition of icmp; null if there is none. */
  static @Nullable String ordered(String how, char kind) {
    return switch (how) {
      case "eq", "ne" -> how;
      case "lt", "le", "gt", "ge" -> (kind == 'i' ? "s" : "u") + how;
      default -> null;
    };
  }
}
