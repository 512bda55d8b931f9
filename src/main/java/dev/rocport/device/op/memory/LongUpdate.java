package dev.rocport.device.op.memory;

import java.util.Optional;

/** The new value of a 64-bit atomic; see {@link IntUpdate}. */
@FunctionalInterface
interface LongUpdate {
  /** The new value. */
  long apply(long memory, long data, long second);

  /** The update of a mnemonic without prefix and {@code rtn}: {@code smin_x2}, of LDS min_i64. */
  static Optional<LongUpdate> of(String name) {
    return Optional.ofNullable(
        switch (name) {
          case "swap_x2", "wrxchg_b64" -> (m, d, s) -> d;
          case "cmpswap_x2" -> (m, d, s) -> m == s ? d : m;
          case "cmpst_b64" -> (m, d, s) -> m == d ? s : m;
          case "cmpst_f64" ->
              (m, d, s) -> Double.longBitsToDouble(m) == Double.longBitsToDouble(d) ? s : m;
          case "add_x2", "add_u64" -> (m, d, s) -> m + d;
          case "sub_x2", "sub_u64" -> (m, d, s) -> m - d;
          case "rsub_u64" -> (m, d, s) -> d - m;
          case "smin_x2", "min_i64" -> (m, d, s) -> Math.min(m, d);
          case "smax_x2", "max_i64" -> (m, d, s) -> Math.max(m, d);
          case "umin_x2", "min_u64" -> (m, d, s) -> Long.compareUnsigned(m, d) < 0 ? m : d;
          case "umax_x2", "max_u64" -> (m, d, s) -> Long.compareUnsigned(m, d) > 0 ? m : d;
          case "and_x2", "and_b64" -> (m, d, s) -> m & d;
          case "or_x2", "or_b64" -> (m, d, s) -> m | d;
          case "xor_x2", "xor_b64" -> (m, d, s) -> m ^ d;
          case "mskor_b64" -> (m, d, s) -> (m & ~d) | s;
          case "inc_x2", "inc_u64" -> (m, d, s) -> Long.compareUnsigned(m, d) >= 0 ? 0 : m + 1;
          case "dec_x2", "dec_u64" ->
              (m, d, s) -> m == 0 || Long.compareUnsigned(m, d) > 0 ? d : m - 1;
          case "condxchg32_b64" -> LongUpdate::exchangeMarked;
          case "add_f64" ->
              (m, d, s) ->
                  Double.doubleToRawLongBits(
                      Double.longBitsToDouble(m) + Double.longBitsToDouble(d));
          case "min_f64" -> (m, d, s) -> FloatUpdates.min(m, d);
          case "max_f64" -> (m, d, s) -> FloatUpdates.max(m, d);
          default -> null;
        });
  }

  /** Each half of the data whose top bit is set goes to memory, without that bit. */
  private static long exchangeMarked(long memory, long data, long second) {
    long low = (int) data < 0 ? data & 0x7fffffffL : memory & 0xffffffffL;
    long high = data < 0 ? data & 0x7fffffff_00000000L : memory & 0xffffffff_00000000L;
    return high | low;
  }
}
