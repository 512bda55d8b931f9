package dev.rocport.device.nativecode;

import dev.rocport.device.wave.Wave;

/**
 * Bounds of the values of a vector register in the active lanes, as i64: unsigned for one register,
 * signed for a pair. Those of a pair may be wider than its values if their high words differ. If no
 * lane is active, the least is above the greatest.
 */
record Bounds(String least, String most) {
  /** What lanes count as that are not active, for the four words of {@link Words}. */
  static final Words NEUTRAL = new Words("-1", "0", "1073741823", "-1073741824");

  /**
   * Least and greatest words.
   *
   * @param low the least low word, unsigned
   * @param lowMost the greatest
   * @param high the least high word, signed; empty for a single register
   * @param highMost the greatest; empty for a single register
   */
  record Words(String low, String lowMost, String high, String highMost) {}

  /** Bounds of what the wave's registers hold now. */
  static Bounds of(WaveFunction f, int register, boolean wide) {
    Ir ir = f.ir;
    String lanes = f.active();
    String low = row(f, register);
    String high = wide ? row(f, register + 1) : "";
    return of(
        ir,
        new Words(
            reduced(f, "umin", lanes, low, NEUTRAL.low()),
            reduced(f, "umax", lanes, low, NEUTRAL.lowMost()),
            wide ? reduced(f, "smin", lanes, high, NEUTRAL.high()) : "",
            wide ? reduced(f, "smax", lanes, high, NEUTRAL.highMost()) : ""));
  }

  /** All bits that are set in a register in some active lane, an i32. */
  static String bits(WaveFunction f, int register) {
    String lanes = f.active();
    return reduced(f, "or", lanes, row(f, register), "0");
  }

  static Bounds of(Ir ir, Words words) {
    return new Bounds(
        whole(ir, words.low(), words.high()), whole(ir, words.lowMost(), words.highMost()));
  }

  /**
   * The bounds of a sum. A sum of 32 bits that wraps in some lane gets bounds that no access may
   * have. The sums of bounds end at those of an i64, so that they stay in order.
   */
  Bounds plus(WaveFunction f, Sums.Sum sum) {
    Ir ir = f.ir;
    boolean wide = !sum.high().isEmpty();
    String added = "0";
    for (int n = 0; n < sum.low().size(); n++) {
      String low = f.word(sum.low().get(n));
      String word =
          wide ? ir.pair(low, f.word(sum.high().get(n))) : ir.value("sext i32 %s to i64", low);
      added = ir.value("add i64 %s, %s", added, word);
    }
    String from = sum(ir, least, added);
    String to = sum(ir, most, added);
    if (wide) {
      return new Bounds(from, to);
    }
    String positive = ir.value("icmp sge i64 %s, 0", from);
    String fits = ir.value("icmp sle i64 %s, 4294967295", to);
    String exact = ir.value("and i1 %s, %s", positive, fits);
    return new Bounds(from, ir.value("select i1 %s, i64 %s, i64 %d", exact, to, Long.MAX_VALUE));
  }

  /** A sum that ends at the bounds of an i64. */
  static String sum(Ir ir, String a, String b) {
    return ir.value("call i64 @llvm.sadd.sat.i64(i64 %s, i64 %s)", a, b);
  }

  private static String whole(Ir ir, String low, String high) {
    String below = ir.value("zext i32 %s to i64", low);
    if (high.isEmpty()) {
      return below;
    }
    String up = ir.value("shl i64 %s, 32", ir.value("sext i32 %s to i64", high));
    return ir.value("or i64 %s, %s", up, below);
  }

  private static String row(WaveFunction f, int register) {
    String at = f.ir.value("getelementptr inbounds i32, ptr %%v, i64 %d", register * Wave.LANES);
    return f.ir.value("load <%d x i32>, ptr %s, align 4", f.size, at);
  }

  private static String reduced(
      WaveFunction f, String how, String lanes, String values, String other) {
    String type = "<%d x i32>".formatted(f.size);
    String kept =
        f.ir.value(
            "select <%d x i1> %s, %s %s, %s splat (i32 %s)",
            f.size, lanes, type, values, type, other);
    return f.ir.value("call i32 @llvm.vector.reduce.%s.v%di32(%s %s)", how, f.size, type, kept);
  }
}
