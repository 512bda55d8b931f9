package dev.rocport.device.nativecode;

import static dev.rocport.device.nativecode.LaneWork.n;
import static dev.rocport.device.nativecode.LaneWork.three;
import static dev.rocport.device.nativecode.LaneWork.two;

import org.jspecify.annotations.Nullable;

/** What opcodes of the vector ALU compute from integers of 16 bits; the upper halves become 0. */
final class ShortWork {
  private ShortWork() {}

  static @Nullable LaneWork of(String name) {
    return switch (name) {
      case "v_add_u16" -> two((c, a, b) -> low(c, c.i32("add", a, b)));
      case "v_sub_u16" -> two((c, a, b) -> low(c, c.i32("sub", a, b)));
      case "v_subrev_u16" -> two((c, a, b) -> low(c, c.i32("sub", b, a)));
      case "v_mul_lo_u16" -> two((c, a, b) -> low(c, c.i32("mul", a, b)));
      case "v_mad_u16", "v_mad_legacy_u16" ->
          three((c, a, b, d) -> low(c, c.i32("add", c.i32("mul", a, b), d)));
      case "v_lshlrev_b16" -> two((c, a, b) -> low(c, c.i32("shl", b, count(c, a))));
      case "v_lshrrev_b16" -> two((c, a, b) -> c.i32("lshr", low(c, b), count(c, a)));
      case "v_ashrrev_i16" -> two((c, a, b) -> low(c, c.i32("ashr", signed(c, b), count(c, a))));
      case "v_min_u16" -> two((c, a, b) -> c.call(c.ints, "umin", "i32", low(c, a), low(c, b)));
      case "v_max_u16" -> two((c, a, b) -> c.call(c.ints, "umax", "i32", low(c, a), low(c, b)));
      case "v_min_i16" -> two((c, a, b) -> low(c, extreme(c, "smin", a, b)));
      case "v_max_i16" -> two((c, a, b) -> low(c, extreme(c, "smax", a, b)));
      default -> null;
    };
  }

  static @Nullable LaneWork compare(String how, char kind) {
    String test = LaneWork.ordered(how, kind);
    return test == null
        ? null
        : new LaneWork(
            2,
            false,
            null,
            v -> {
              Chunk c = v.c();
              return kind == 'i'
                  ? c.i32("icmp " + test, signed(c, v.a()), signed(c, v.second()))
                  : c.i32("icmp " + test, low(c, v.a()), low(c, v.second()));
            });
  }

  private static String extreme(Chunk c, String how, String a, String b) {
    return c.call(c.ints, how, "i32", signed(c, a), signed(c, b));
  }

  static String low(Chunk c, String a) {
    return c.i32("and", a, n(0xffff));
  }

  static String signed(Chunk c, String a) {
    return c.i32("ashr", c.i32("shl", a, n(16)), n(16));
  }

  private static String count(Chunk c, String a) {
    return c.i32("and", a, n(15));
  }
}
