package dev.rocport.device.check.uninit;

import dev.rocport.device.check.uninit.Rule.Result;
import dev.rocport.device.check.uninit.Rule.Test;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How undefined bits go through a scalar operation. In {@link Lane}, a and b are the sources, c is
 * what the destination held, and the bit is SCC.
 *
 * @param result the undefined bits of the result
 * @param scc whether SCC is undefined afterwards; null where it stays
 * @param nonzero SCC tells whether the result is not zero, so the result's own defined bits may
 *     decide it
 * @param copies the result is made of bits of its sources
 */
record ScalarRule(@Nullable Result result, @Nullable Test scc, boolean nonzero, boolean copies) {
  private static final Map<String, ScalarRule> RULES = rules();

  /** Arithmetic of floats, which leaves SCC alone, beside comparisons. */
  private static final Pattern FLOATS = Pattern.compile("(s_(?!cmp).*|v_s_.*)_f(16|32)|s_cvt_.*");

  /** That of a mnemonic; what is not known is spoilt, and spoils SCC, by any undefined bit. */
  static ScalarRule of(String name) {
    ScalarRule known = RULES.get(name);
    if (known != null) {
      return known;
    }
    return FLOATS.matcher(name).matches()
        ? computed(Rule.ALL)
        : new ScalarRule(Rule.ALL, Lane::any, false, false);
  }

  private static ScalarRule copied(Result result) {
    return new ScalarRule(result, null, false, true);
  }

  private static ScalarRule logic(Result result) {
    return new ScalarRule(result, null, true, true);
  }

  private static ScalarRule counted(Result result) {
    return new ScalarRule(result, null, true, false);
  }

  private static ScalarRule computed(Result result) {
    return new ScalarRule(result, null, false, false);
  }

  private static ScalarRule computed(Result result, Test scc) {
    return new ScalarRule(result, scc, false, false);
  }

  private static ScalarRule test(Test scc) {
    return new ScalarRule(null, scc, false, false);
  }

  private static Result shift(int width, Shift shift) {
    long mask = width - 1L;
    return x ->
        (x.ub & mask) != 0 ? Definedness.all(x.a | x.ua) : shift.of(x.ua, (int) (x.b & mask));
  }

  private interface Shift {
    long of(long bits, int by);
  }

  private static Result field(int size, boolean signed) {
    return x ->
        x.ub != 0
            ? -1L
            : Definedness.field(
                x.ua, (int) x.b & (size - 1), (int) x.b >>> 16 & 0x7f, signed, size);
  }

  private static Test comparison(String how, boolean signed) {
    long flip = signed ? 0x80000000L : 0;
    return switch (how) {
      case "eq", "lg" -> x -> Definedness.equal(x.a, x.ua, x.b, x.ub);
      case "lt", "ge" -> x -> Definedness.less(x.a ^ flip, x.ua, x.b ^ flip, x.ub);
      default -> x -> Definedness.less(x.b ^ flip, x.ub, x.a ^ flip, x.ua);
    };
  }

  private static long carry(Lane x) {
    return x.bit ? 1 : 0;
  }

  private static long undefinedCarry(Lane x) {
    return x.ubit ? 1 : 0;
  }

  private static Map<String, ScalarRule> rules() {
    Map<String, ScalarRule> all = new HashMap<>();
    for (String w : new String[] {"b32", "b64"}) {
      int width = w.equals("b32") ? 32 : 64;
      all.put("s_mov_" + w, copied(x -> x.ua));
      all.put("s_not_" + w, logic(x -> x.ua));
      all.put(
          "s_brev_" + w,
          copied(x -> width == 32 ? Integer.reverse((int) x.ua) : Long.reverse(x.ua)));
      all.put(
          "s_cmov_" + w,
          copied(x -> x.ubit ? Definedness.either(x.a, x.ua, x.c, x.uc) : x.bit ? x.ua : x.uc));
      all.put(
          "s_cselect_" + w,
          copied(x -> x.ubit ? Definedness.either(x.a, x.ua, x.b, x.ub) : x.bit ? x.ua : x.ub));
      all.put("s_and_" + w, logic(x -> Definedness.and(x.a, x.ua, x.b, x.ub)));
      all.put("s_nand_" + w, logic(x -> Definedness.and(x.a, x.ua, x.b, x.ub)));
      all.put("s_or_" + w, logic(x -> Definedness.or(x.a, x.ua, x.b, x.ub)));
      all.put("s_nor_" + w, logic(x -> Definedness.or(x.a, x.ua, x.b, x.ub)));
      all.put("s_xor_" + w, logic(x -> x.ua | x.ub));
      all.put("s_xnor_" + w, logic(x -> x.ua | x.ub));
      all.put("s_andn2_" + w, logic(x -> Definedness.and(x.a, x.ua, ~x.b, x.ub)));
      all.put("s_orn2_" + w, logic(x -> Definedness.or(x.a, x.ua, ~x.b, x.ub)));
      all.put("s_lshl_" + w, logic(shift(width, (u, n) -> u << n)));
      all.put("s_lshr_" + w, logic(shift(width, (u, n) -> u >>> n)));
      all.put("s_bitcmp0_" + w, test(x -> bitcmp(x, width)));
      all.put("s_bitcmp1_" + w, test(x -> bitcmp(x, width)));
      all.put("s_bitset0_" + w, copied(x -> bitset(x, width)));
      all.put("s_bitset1_" + w, copied(x -> bitset(x, width)));
      all.put("s_bcnt0_i32_" + w, counted(Rule.ALL));
      all.put("s_bcnt1_i32_" + w, counted(Rule.ALL));
      all.put("s_ff0_i32_" + w, computed(Rule.ALL));
      all.put("s_ff1_i32_" + w, computed(Rule.ALL));
      all.put("s_flbit_i32_" + w, computed(Rule.ALL));
      all.put("s_wqm_" + w, counted(Rule.ALL));
      all.put("s_quadmask_" + w, counted(Rule.ALL));
      all.put("s_bfm_" + w, computed(x -> ((x.ua | x.ub) & (width - 1)) != 0 ? -1L : 0));
    }
    all.put("s_ashr_i32", logic(shift(32, (u, n) -> (int) u >> n)));
    all.put("s_ashr_i64", logic(shift(64, (u, n) -> u >> n)));
    all.put("s_bfe_u32", logic(field(32, false)));
    all.put("s_bfe_i32", logic(field(32, true)));
    all.put("s_bfe_u64", logic(field(64, false)));
    all.put("s_bfe_i64", logic(field(64, true)));
    all.put("s_flbit_i32", computed(Rule.ALL));
    all.put("s_flbit_i32_i64", computed(Rule.ALL));
    all.put("s_barrier_signal_isfirst", test(_ -> false));
    all.put("s_sext_i32_i8", copied(x -> (byte) x.ua));
    all.put("s_sext_i32_i16", copied(x -> (short) x.ua));
    all.put("s_abs_i32", counted(Rule.ALL));
    all.put("s_absdiff_i32", counted(Rule.ALL));
    all.put("s_bitreplicate_b64_b32", copied(x -> Long.expand(x.ua, 0x5555555555555555L) * 3));
    all.put("s_pack_ll_b32_b16", copied(x -> (x.ua & 0xffff) | x.ub << 16));
    all.put("s_pack_lh_b32_b16", copied(x -> (x.ua & 0xffff) | (x.ub & 0xffff0000L)));
    all.put("s_pack_hl_b32_b16", copied(x -> x.ua >>> 16 | x.ub << 16));
    all.put("s_pack_hh_b32_b16", copied(x -> x.ua >>> 16 | (x.ub & 0xffff0000L)));
    all.put(
        "s_add_u32",
        computed(
            x -> Definedness.add(x.a, x.ua, x.b, x.ub),
            x -> Definedness.carry(x.a, x.ua, x.b, x.ub, 0, 0)));
    all.put(
        "s_sub_u32",
        computed(
            x -> Definedness.sub(x.a, x.ua, x.b, x.ub),
            x -> Definedness.borrow(x.a, x.ua, x.b, x.ub, 0, 0)));
    all.put("s_add_i32", computed(x -> Definedness.add(x.a, x.ua, x.b, x.ub), Lane::any));
    all.put("s_sub_i32", computed(x -> Definedness.sub(x.a, x.ua, x.b, x.ub), Lane::any));
    all.put(
        "s_addc_u32",
        computed(
            x ->
                Definedness.add(
                    x.a + x.b, Definedness.add(x.a, x.ua, x.b, x.ub), carry(x), undefinedCarry(x)),
            x -> Definedness.carry(x.a, x.ua, x.b, x.ub, carry(x), undefinedCarry(x))));
    all.put(
        "s_subb_u32",
        computed(
            x ->
                Definedness.sub(
                    x.a - x.b, Definedness.sub(x.a, x.ua, x.b, x.ub), carry(x), undefinedCarry(x)),
            x -> Definedness.borrow(x.a, x.ua, x.b, x.ub, carry(x), undefinedCarry(x))));
    for (int n = 1; n <= 4; n++) {
      int by = n;
      all.put(
          "s_lshl" + n + "_add_u32",
          computed(x -> Definedness.add(x.a << by, x.ua << by, x.b, x.ub), Lane::any));
    }
    all.put("s_add_nc_u64", computed(x -> Definedness.add(x.a, x.ua, x.b, x.ub)));
    all.put("s_sub_nc_u64", computed(x -> Definedness.sub(x.a, x.ua, x.b, x.ub)));
    all.put("s_mul_u64", computed(x -> Definedness.mul(x.a, x.ua, x.b, x.ub)));
    all.put("s_mul_i32", computed(x -> Definedness.mul(x.a, x.ua, x.b, x.ub)));
    all.put("s_mul_hi_u32", computed(Rule.ALL));
    all.put("s_mul_hi_i32", computed(Rule.ALL));
    // The constants of these are the second source, and the first one is the destination.
    all.put("s_movk_i32", copied(x -> 0));
    all.put("s_addk_i32", computed(x -> Definedness.add(x.c, x.uc, x.a, 0), x -> x.uc != 0));
    all.put("s_mulk_i32", computed(x -> Definedness.mul(x.c, x.uc, x.a, 0)));
    all.put("s_cmovk_i32", all.get("s_cmov_b32"));
    for (String how : new String[] {"eq", "lg", "gt", "ge", "lt", "le"}) {
      for (String type : new String[] {"i32", "u32", "u64"}) {
        Test test = comparison(how, type.equals("i32"));
        all.put("s_cmp_" + how + "_" + type, test(test));
        all.put("s_cmpk_" + how + "_" + type, test(test));
      }
    }
    return Map.copyOf(all);
  }

  private static boolean bitcmp(Lane x, int width) {
    return (x.ub & (width - 1)) != 0 ? true : (x.ua >>> (x.b & (width - 1)) & 1) != 0;
  }

  private static long bitset(Lane x, int width) {
    return (x.ua & (width - 1)) != 0 ? -1L : x.uc & ~(1L << (x.a & (width - 1)));
  }
}
