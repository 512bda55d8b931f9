package dev.rocport.device.check.uninit;

import dev.rocport.device.isa.DataType;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How undefined bits go through an operation of the vector ALU.
 *
 * @param result the undefined bits of the result
 * @param test whether the bit for a mask is undefined, or null where none is made
 * @param copies the result holds bits of its sources and nothing else: it is not computed
 */
record Rule(Result result, @Nullable Test test, boolean copies) {
  private static final Pattern COMPARISON = Pattern.compile("v_cmpx?_([a-z]+)_([iuf])(16|32|64)");

  /** Computes undefined bits from the sources. */
  @FunctionalInterface
  interface Result {
    long of(Lane x);
  }

  /** Determines whether one bit is undefined. */
  @FunctionalInterface
  interface Test {
    boolean of(Lane x);
  }

  /** Any undefined bit spoils the whole. */
  static final Result ALL = x -> x.any() ? -1L : 0;

  private static final Map<String, Rule> RULES = rules();

  /** That of a mnemonic; what is not known is spoilt by any undefined bit. */
  static Rule of(String name) {
    Rule known = RULES.get(name);
    if (known != null) {
      return known;
    }
    Matcher matcher = COMPARISON.matcher(name);
    return matcher.matches()
        ? comparison(
            matcher.group(1), matcher.group(2).charAt(0), Integer.parseInt(matcher.group(3)))
        : new Rule(ALL, Lane::any, false);
  }

  /** That of one half of a packed operation: v_pk_add_u16 is v_add_u16 twice. */
  static Rule ofHalf(String name) {
    return of(name.replaceFirst("^v_pk_", "v_"));
  }

  private static Rule computed(Result result) {
    return new Rule(result, null, false);
  }

  private static Rule computed(Result result, Test test) {
    return new Rule(result, test, false);
  }

  private static Rule copied(Result result) {
    return new Rule(result, null, true);
  }

  private static Rule comparison(String how, char type, int width) {
    Test test =
        switch (how) {
          case "f", "t", "tru" -> x -> false;
          default -> type == 'f' ? Lane::any : integer(how, type == 'i', width);
        };
    return new Rule(x -> 0, test, false);
  }

  private static Test integer(String how, boolean signed, int width) {
    long mask = width == 64 ? -1L : (1L << width) - 1;
    long flip = signed ? 1L << (width - 1) : 0;
    return switch (how) {
      case "eq", "ne" -> x -> Definedness.equal(x.a & mask, x.ua & mask, x.b & mask, x.ub & mask);
      case "lt", "ge" ->
          x -> Definedness.less((x.a ^ flip) & mask, x.ua & mask, (x.b ^ flip) & mask, x.ub & mask);
      default ->
          x -> Definedness.less((x.b ^ flip) & mask, x.ub & mask, (x.a ^ flip) & mask, x.ua & mask);
    };
  }

  private static long and(Lane x) {
    return Definedness.and(x.a, x.ua, x.b, x.ub);
  }

  private static long or(Lane x) {
    return Definedness.or(x.a, x.ua, x.b, x.ub);
  }

  private static long choose(Lane x) {
    return x.ubit ? Definedness.either(x.a, x.ua, x.b, x.ub) : x.bit ? x.ub : x.ua;
  }

  /** A shift by the first source, of which {@code mask} counts. */
  private static Result shift(long mask, Amount shift) {
    return x ->
        (x.ua & mask) != 0 ? Definedness.all(x.b | x.ub) : shift.of(x.ub, (int) (x.a & mask));
  }

  @FunctionalInterface
  private interface Amount {
    long of(long bits, int by);
  }

  private static long add(Lane x) {
    return Definedness.add(x.a, x.ua, x.b, x.ub);
  }

  private static long sub(Lane x) {
    return Definedness.sub(x.a, x.ua, x.b, x.ub);
  }

  private static long subReversed(Lane x) {
    return Definedness.sub(x.b, x.ub, x.a, x.ua);
  }

  private static long carryIn(Lane x) {
    return x.bit ? 1 : 0;
  }

  private static long undefinedCarryIn(Lane x) {
    return x.ubit ? 1 : 0;
  }

  private static long addWithCarry(Lane x) {
    return Definedness.add(x.a + x.b, add(x), carryIn(x), undefinedCarryIn(x));
  }

  private static long subWithCarry(long a, long ua, long b, long ub, Lane x) {
    return Definedness.sub(a - b, Definedness.sub(a, ua, b, ub), carryIn(x), undefinedCarryIn(x));
  }

  /** Of the smaller or larger of two: one of them, whichever. */
  private static long extreme(Lane x) {
    return (x.ua | x.ub) == 0 ? 0 : Definedness.either(x.a, x.ua, x.b, x.ub);
  }

  private static long low24(long x) {
    return x & 0xffffff;
  }

  private static long signed24(long x) {
    return x << 40 >> 40;
  }

  private static long count(Lane x, long counted) {
    return counted != 0 || x.ub != 0 ? -1L : 0;
  }

  private static Rule octet(int n) {
    return computed(x -> Definedness.all(x.ua >>> (8 * n) & 0xff));
  }

  private static long halves(Lane x) {
    return (x.ua != 0 ? 0xffffL : 0) | (x.ub != 0 ? 0xffff0000L : 0);
  }

  private static long mulAdd(Lane x, long a, long ua, long b, long ub) {
    return Definedness.add(a * b, Definedness.mul(a, ua, b, ub), x.c, x.uc);
  }

  private static long mad64(Lane x, boolean signed) {
    return signed
        ? mulAdd(x, x.a << 32 >> 32, x.ua << 32 >> 32, x.b << 32 >> 32, x.ub << 32 >> 32)
        : mulAdd(x, x.a, x.ua, x.b, x.ub);
  }

  private static Map<String, Rule> rules() {
    Map<String, Rule> all = new HashMap<>();
    Rule move = copied(x -> x.ua);
    for (String name :
        new String[] {
          "v_mov_b32",
          "v_mov_b64",
          "v_not_b32",
          "v_mov_b16",
          "v_not_b16",
          "v_cvt_u32_u16",
          "v_accvgpr_read_b32",
          "v_accvgpr_write_b32",
          "v_accvgpr_mov_b32"
        }) {
      all.put(name, move);
    }
    all.put("v_bfrev_b32", copied(x -> Integer.reverse((int) x.ua)));
    all.put("v_and_b32", copied(Rule::and));
    all.put("v_or_b32", copied(Rule::or));
    all.put("v_and_b16", copied(Rule::and));
    all.put("v_or_b16", copied(Rule::or));
    all.put("v_cvt_i32_i16", copied(x -> (short) x.ua));
    all.put("v_xor_b32", copied(x -> x.ua | x.ub));
    all.put("v_xor_b16", copied(x -> x.ua | x.ub));
    all.put("v_xor3_b32", copied(x -> x.ua | x.ub | x.uc));
    all.put("v_xnor_b32", copied(x -> x.ua | x.ub));
    all.put("v_or3_b32", copied(x -> Definedness.or(x.a | x.b, or(x), x.c, x.uc)));
    all.put("v_and_or_b32", copied(x -> Definedness.or(x.a & x.b, and(x), x.c, x.uc)));
    all.put("v_cndmask_b32", copied(Rule::choose));
    all.put("v_cndmask_b16", copied(Rule::choose));
    all.put(
        "v_bfi_b32",
        copied(
            x ->
                (x.ua & Definedness.either(x.b, x.ub, x.c, x.uc))
                    | (~x.ua & ((x.a & x.ub) | (~x.a & x.uc)))));
    all.put("v_lshlrev_b32", copied(shift(31, (u, n) -> u << n)));
    all.put("v_lshrrev_b32", copied(shift(31, (u, n) -> u >>> n)));
    all.put("v_ashrrev_i32", copied(shift(31, (u, n) -> (int) u >> n)));
    all.put("v_lshlrev_b64", copied(shift(63, (u, n) -> u << n)));
    all.put("v_lshrrev_b64", copied(shift(63, (u, n) -> u >>> n)));
    all.put("v_ashrrev_i64", copied(shift(63, (u, n) -> u >> n)));
    all.put("v_lshlrev_b16", copied(shift(15, (u, n) -> u << n)));
    all.put("v_lshrrev_b16", copied(shift(15, (u, n) -> u >>> n)));
    all.put("v_ashrrev_i16", copied(shift(15, (u, n) -> (short) u >> n)));
    all.put(
        "v_lshl_or_b32",
        copied(
            x ->
                (x.ub & 31) != 0
                    ? Definedness.all(x.a | x.ua) | x.uc
                    : Definedness.or(x.a << (x.b & 31), x.ua << (x.b & 31), x.c, x.uc)));
    all.put(
        "v_alignbit_b32", copied(x -> (x.uc & 31) != 0 ? -1L : (x.ua << 32 | x.ub) >>> (x.c & 31)));
    all.put(
        "v_alignbyte_b32",
        copied(x -> (x.uc & 3) != 0 ? -1L : (x.ua << 32 | x.ub) >>> (8 * (x.c & 3))));
    all.put("v_perm_b32", copied(x -> Definedness.permute(x.ua, x.ub, x.c, x.uc)));
    all.put("v_bfe_u32", copied(x -> field(x, false)));
    all.put("v_bfe_i32", copied(x -> field(x, true)));
    for (String type : new String[] {"u32", "i32", "u16", "i16"}) {
      all.put("v_add_" + type, computed(Rule::add));
      all.put("v_sub_" + type, computed(Rule::sub));
      all.put("v_subrev_" + type, computed(Rule::subReversed));
      all.put("v_min_" + type, computed(Rule::extreme));
      all.put("v_max_" + type, computed(Rule::extreme));
    }
    all.put(
        "v_add_co_u32", computed(Rule::add, x -> Definedness.carry(x.a, x.ua, x.b, x.ub, 0, 0)));
    all.put(
        "v_sub_co_u32", computed(Rule::sub, x -> Definedness.borrow(x.a, x.ua, x.b, x.ub, 0, 0)));
    all.put(
        "v_subrev_co_u32",
        computed(Rule::subReversed, x -> Definedness.borrow(x.b, x.ub, x.a, x.ua, 0, 0)));
    all.put(
        "v_addc_co_u32",
        computed(
            Rule::addWithCarry,
            x -> Definedness.carry(x.a, x.ua, x.b, x.ub, carryIn(x), undefinedCarryIn(x))));
    all.put(
        "v_subb_co_u32",
        computed(
            x -> subWithCarry(x.a, x.ua, x.b, x.ub, x),
            x -> Definedness.borrow(x.a, x.ua, x.b, x.ub, carryIn(x), undefinedCarryIn(x))));
    all.put(
        "v_subbrev_co_u32",
        computed(
            x -> subWithCarry(x.b, x.ub, x.a, x.ua, x),
            x -> Definedness.borrow(x.b, x.ub, x.a, x.ua, carryIn(x), undefinedCarryIn(x))));
    all.put("v_add3_u32", computed(x -> Definedness.add(x.a + x.b, add(x), x.c, x.uc)));
    all.put("v_xad_u32", computed(x -> Definedness.add(x.a ^ x.b, x.ua | x.ub, x.c, x.uc)));
    all.put(
        "v_lshl_add_u32",
        computed(
            x ->
                (x.ub & 31) != 0
                    ? Definedness.all(x.a | x.ua | x.uc)
                    : Definedness.add(x.a << (x.b & 31), x.ua << (x.b & 31), x.c, x.uc)));
    all.put(
        "v_lshl_add_u64",
        computed(
            x ->
                (x.ub & 7) != 0
                    ? Definedness.all(x.a | x.ua | x.uc)
                    : Definedness.add(x.a << (x.b & 7), x.ua << (x.b & 7), x.c, x.uc)));
    all.put("v_add_lshl_u32", computed(x -> (x.uc & 31) != 0 ? -1L : add(x) << (x.c & 31)));
    Rule product = computed(x -> Definedness.mul(x.a, x.ua, x.b, x.ub));
    all.put("v_mul_lo_u32", product);
    all.put("v_mul_lo_u16", product);
    all.put(
        "v_mul_u32_u24",
        computed(x -> Definedness.mul(low24(x.a), low24(x.ua), low24(x.b), low24(x.ub))));
    all.put(
        "v_mul_i32_i24",
        computed(
            x -> Definedness.mul(signed24(x.a), signed24(x.ua), signed24(x.b), signed24(x.ub))));
    all.put("v_mul_hi_u32_u24", computed(x -> Definedness.all(low24(x.ua | x.ub))));
    all.put("v_mul_hi_i32_i24", computed(x -> Definedness.all(low24(x.ua | x.ub))));
    all.put(
        "v_mad_u32_u24",
        computed(x -> mulAdd(x, low24(x.a), low24(x.ua), low24(x.b), low24(x.ub))));
    all.put(
        "v_mad_i32_i24",
        computed(x -> mulAdd(x, signed24(x.a), signed24(x.ua), signed24(x.b), signed24(x.ub))));
    Rule halfProductSum = computed(x -> mulAdd(x, x.a, x.ua, x.b, x.ub));
    all.put("v_mad_u16", halfProductSum);
    all.put("v_mad_i16", halfProductSum);
    all.put("v_mad_legacy_u16", halfProductSum);
    all.put("v_mad_legacy_i16", halfProductSum);
    all.put("v_mad_u64_u32", computed(x -> mad64(x, false), Lane::any));
    all.put("v_mad_i64_i32", computed(x -> mad64(x, true), Lane::any));
    all.put("v_bcnt_u32_b32", computed(x -> count(x, x.ua)));
    all.put(
        "v_mbcnt_lo_u32_b32",
        computed(x -> count(x, x.number < 32 ? x.ua & ((1L << x.number) - 1) : x.ua)));
    all.put(
        "v_mbcnt_hi_u32_b32",
        computed(x -> count(x, x.number < 32 ? 0 : x.ua & ((1L << (x.number - 32)) - 1))));
    for (int n = 0; n < 4; n++) {
      all.put("v_cvt_f32_ubyte" + n, octet(n));
    }
    Rule halves = computed(Rule::halves);
    all.put("v_pack_b32_f16", new Rule(Rule::halves, null, true));
    all.put("v_cvt_pkrtz_f16_f32", halves);
    all.put("v_cvt_pk_u16_u32", halves);
    all.put("v_cvt_pk_i16_i32", halves);
    all.put("v_cvt_pknorm_i16_f32", halves);
    all.put("v_cvt_pknorm_u16_f32", halves);
    all.put("v_cvt_pknorm_i16_f16", halves);
    all.put("v_cvt_pknorm_u16_f16", halves);
    return Map.copyOf(all);
  }

  private static long field(Lane x, boolean signed) {
    return ((x.ub | x.uc) & 31) != 0
        ? -1L
        : Definedness.field(x.ua, (int) (x.b & 31), (int) (x.c & 31), signed, 32);
  }

  /** Bits that a type has. */
  static long mask(DataType type) {
    return type.elementBits() == 16 && !type.name().startsWith("PK_")
        ? 0xffff
        : type.dwords() == 2 ? -1L : 0xffffffffL;
  }
}
