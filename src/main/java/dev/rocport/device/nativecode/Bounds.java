package dev.rocport.device.nativecode;

import dev.rocport.device.wave.Wave;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Bounds of the values of a vector register in the active lanes, as i64: unsigned for one register,
 * signed for a pair. Those of a pair may be wider than its values if their high words differ. If no
 * lane is active, the least is above the greatest.
 */
record Bounds(String least, String most) {
  /** What lanes count as that are not active, for the four words of {@link Words}. */
  private static final Words NEUTRAL = new Words("-1", "0", "1073741823", "-1073741824");

  /**
   * Least and greatest words.
   *
   * @param low the least low word, unsigned
   * @param lowMost the greatest
   * @param high the least high word, signed; empty for a single register
   * @param highMost the greatest; empty for a single register
   */
  private record Words(String low, String lowMost, String high, String highMost) {}

  /**
   * Bounds of what the wave's registers hold now. Most often all lanes are active, and each one's
   * value is the one before plus the same: this needs no search for the least and the greatest.
   */
  static Bounds of(WaveFunction f, int register, boolean wide) {
    Ir ir = f.ir;
    String label = ir.label("bounds");
    String before = label + ".asked";
    String asked = ir.label("asked");
    ir.line("br label %%%s", before);
    ir.block(before);
    ir.line("br i1 %s, label %%%s, label %%%s", f.isFull(f.exec()), label, asked);
    ir.block(label);
    String type = "<%d x i32>".formatted(f.size);
    String row = row(f, register);
    String first = ir.value("extractelement %s %s, i64 0", type, row);
    String second = ir.value("extractelement %s %s, i64 1", type, row);
    String step = ir.value("sub i32 %s, %s", second, first);
    String steps = ir.value("mul %s %s, %s", type, splat(f, step), numbers(f.size));
    String all = ir.value("add %s %s, %s", type, splat(f, first), steps);
    String equal = ir.value("icmp eq %s %s, %s", type, row, all);
    String high = "";
    if (wide) {
      String above = row(f, register + 1);
      high = ir.value("extractelement %s %s, i64 0", type, above);
      String same = ir.value("icmp eq %s %s, %s", type, above, splat(f, high));
      equal = ir.value("and <%d x i1> %s, %s", f.size, equal, same);
    }
    String bits = ir.value("bitcast <%d x i1> %s to i%d", f.size, equal, f.size);
    String isRegular = ir.value("icmp eq i%d %s, -1", f.size, bits);
    ir.line("br label %%%s", asked);
    ir.block(asked);
    String none = "phi i32 [ %s, %%%s ], [ 0, %%%s ]";
    return of(
        f,
        register,
        wide,
        ir.value("phi i1 [ %s, %%%s ], [ false, %%%s ]", isRegular, label, before),
        ir.value(none, first, label, before),
        ir.value(none, second, label, before),
        wide ? ir.value(none, high, label, before) : "");
  }

  /**
   * The same where it is known whether the lanes' values are a series.
   *
   * @param regular an i1: all lanes are active, each value is the one before plus the same, and the
   *     high words are the same
   * @param first the first value, an i32: of a pair the low word
   * @param second the second one
   * @param high the first high word; empty for a single register
   */
  static Bounds of(
      WaveFunction f,
      int register,
      boolean wide,
      String regular,
      String first,
      String second,
      String high) {
    Ir ir = f.ir;
    String series = ir.label("series");
    String search = ir.label("search");
    String known = ir.label("known");
    String low = ir.value("zext i32 %s to i64", first);
    String step = ir.value("zext i32 %s to i64", ir.value("sub i32 %s, %s", second, first));
    String last = ir.value("add i64 %s, %s", low, ir.value("mul i64 %s, %d", step, f.size - 1));
    String fits = ir.value("icmp ule i64 %s, 4294967295", last);
    String both = ir.value("and i1 %s, %s", regular, fits);
    ir.line("br i1 %s, label %%%s, label %%%s", both, series, search);
    ir.block(series);
    String least = low;
    String most = last;
    if (wide) {
      String up = ir.value("shl i64 %s, 32", ir.value("sext i32 %s to i64", high));
      least = ir.value("or i64 %s, %s", up, low);
      most = ir.value("or i64 %s, %s", up, last);
    }
    ir.line("br label %%%s", known);
    ir.block(search);
    f.workspace.needs(search(f.size, wide));
    String found =
        ir.value(
            "call {i64, i64} @%s(ptr %%v, i64 %d, i64 %s)",
            name(wide), register * Wave.LANES, f.exec());
    String leastFound = ir.value("extractvalue {i64, i64} %s, 0", found);
    String mostFound = ir.value("extractvalue {i64, i64} %s, 1", found);
    ir.line("br label %%%s", known);
    ir.block(known);
    String phi = "phi i64 [ %s, %%%s ], [ %s, %%%s ]";
    return new Bounds(
        ir.value(phi, least, series, leastFound, search),
        ir.value(phi, most, series, mostFound, search));
  }

  private static String name(boolean wide) {
    return wide ? "bounds.pair" : "bounds";
  }

  /** A function that searches for the bounds of a register, or of a pair, in some lanes. */
  private static String search(int size, boolean wide) {
    Ir ir = new Ir();
    String bits = size == Wave.LANES ? "%exec" : ir.value("trunc i64 %%exec to i%d", size);
    String lanes = ir.value("bitcast i%d %s to <%d x i1>", size, bits, size);
    Words words =
        new Words(
            reduced(ir, size, "umin", lanes, row(ir, size, 0), NEUTRAL.low()),
            reduced(ir, size, "umax", lanes, row(ir, size, 0), NEUTRAL.lowMost()),
            wide ? reduced(ir, size, "smin", lanes, row(ir, size, 1), NEUTRAL.high()) : "",
            wide ? reduced(ir, size, "smax", lanes, row(ir, size, 1), NEUTRAL.highMost()) : "");
    String least = whole(ir, words.low(), words.high());
    String most = whole(ir, words.lowMost(), words.highMost());
    String one = ir.value("insertvalue {i64, i64} poison, i64 %s, 0", least);
    String both = ir.value("insertvalue {i64, i64} %s, i64 %s, 1", one, most);
    return "define internal {i64, i64} @%s(ptr %%v, i64 %%at, i64 %%exec) noinline nounwind {\n%s"
            .formatted(name(wide), ir)
        + "  ret {i64, i64} %s\n}\n".formatted(both);
  }

  private static String row(Ir ir, int size, int register) {
    String index = ir.value("add i64 %%at, %d", register * Wave.LANES);
    String at = ir.value("getelementptr inbounds i32, ptr %%v, i64 %s", index);
    return ir.value("load <%d x i32>, ptr %s, align 4", size, at);
  }

  private static String splat(WaveFunction f, String word) {
    String type = "<%d x i32>".formatted(f.size);
    String one = f.ir.value("insertelement %s poison, i32 %s, i64 0", type, word);
    return f.ir.value("shufflevector %s %s, %s poison, %s zeroinitializer", type, one, type, type);
  }

  private static String numbers(int count) {
    return IntStream.range(0, count)
        .mapToObj(n -> "i32 " + n)
        .collect(Collectors.joining(", ", "<", ">"));
  }

  /** All bits that are set in a register in some active lane, an i32. */
  static String bits(WaveFunction f, int register) {
    String lanes = f.active();
    return reduced(f.ir, f.size, "or", lanes, row(f, register), "0");
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
      Ir ir, int size, String how, String lanes, String values, String other) {
    String type = "<%d x i32>".formatted(size);
    String kept =
        ir.value(
            "select <%d x i1> %s, %s %s, %s splat (i32 %s)",
            size, lanes, type, values, type, other);
    return ir.value("call i32 @llvm.vector.reduce.%s.v%di32(%s %s)", how, size, type, kept);
  }
}
