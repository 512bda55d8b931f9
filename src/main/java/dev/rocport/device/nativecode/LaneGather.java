package dev.rocport.device.nativecode;

import dev.rocport.device.wave.Wave;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Each lane takes the value of a lane that it names.
 *
 * @param data the register of the values
 * @param named the number of that lane in each lane of a chunk, vectors of i32
 * @param fetchInactive whether values of inactive lanes count, and not 0 instead
 */
record LaneGather(Registers data, Function<Chunk, String> named, boolean fetchInactive) {
  /** Lanes of a vector of AVX-512, whose instructions pick words from two of them. */
  private static final int WIDEST = 16;

  /**
   * Adds it as a run of its own, or as two if the destination is the register of the values.
   *
   * @param writesAll whether lanes are written that name an inactive one
   */
  void emit(WaveFunction f, Registers to, boolean writesAll) {
    data.used(f);
    to.changed(f);
    String exec = f.exec();
    if (!to.equals(data)) {
      f.run()
          .step(
              c -> {
                String lanes = named.apply(c);
                String known = known(c, f.size, exec, lanes);
                write(c, to, fetched(c, f.size, lanes, known), writesAll ? null : known);
              });
      // What comes next may change values that other lanes still take.
      f.flush();
      return;
    }
    String words = f.lanes();
    f.run()
        .step(
            c -> {
              String lanes = named.apply(c);
              String value = fetched(c, f.size, lanes, known(c, f.size, exec, lanes));
              c.ir.line("store %s %s, ptr %s, align 4", c.ints, value, place(c, words));
            });
    f.flush();
    f.run()
        .step(
            c -> {
              String value = c.ir.value("load %s, ptr %s, align 4", c.ints, place(c, words));
              write(c, to, value, writesAll ? null : known(c, f.size, exec, named.apply(c)));
            });
  }

  /**
   * Sets the destination.
   *
   * @param known the lanes that are written; null for all
   */
  private void write(Chunk c, Registers to, String value, @Nullable String known) {
    String now = value;
    if (known != null && !fetchInactive) {
      now = c.select(known, c.ints, value, c.register(to.accumulator(), to.first()));
    }
    c.register(to.accumulator(), to.first(), now);
  }

  /** The values of the named lanes, 0 of those that have none. */
  private String fetched(Chunk c, int size, String lanes, String known) {
    if (c.width < WIDEST) {
      String wide = c.convert("zext", c.ints, lanes, c.longs);
      String index = c.i64("add", wide, LaneWork.w((long) data.first() * Wave.LANES));
      String at = c.ir.value("getelementptr i32, ptr %s, %s %s", file(), c.longs, index);
      return c.ir.value(
          "call %s @llvm.masked.gather.v%di32.v%dp0(<%d x ptr> %s, i32 4, %s %s,"
              + " %s zeroinitializer)",
          c.ints, c.width, c.width, c.width, at, c.bits, known, c.ints);
    }
    String value = picked(c, lanes, 0);
    if (size == Wave.LANES) {
      String isHigh = c.i32("icmp ugt", lanes, LaneWork.n(2 * WIDEST - 1));
      value = c.select(isHigh, c.ints, picked(c, lanes, 2 * WIDEST), value);
    }
    return fetchInactive ? value : c.select(known, c.ints, value, "zeroinitializer");
  }

  /** Words of the 32 lanes from one on, by the low bits of the lanes. */
  private String picked(Chunk c, String lanes, int first) {
    String low = row(c, first);
    String high = row(c, first + WIDEST);
    return c.ir.value(
        "call %1$s @llvm.x86.avx512.vpermi2var.d.512(%1$s %2$s, %1$s %3$s, %1$s %4$s)",
        c.ints, low, lanes, high);
  }

  private String row(Chunk c, int first) {
    String at =
        c.ir.value(
            "getelementptr inbounds i32, ptr %s, i64 %d",
            file(), data.first() * Wave.LANES + first);
    return c.ir.value("load %s, ptr %s, align 4", c.ints, at);
  }

  private String file() {
    return data.accumulator() ? "%a" : "%v";
  }

  /** The lanes whose named lane has a value. */
  private String known(Chunk c, int size, String exec, String lanes) {
    if (fetchInactive) {
      return "splat (i1 true)";
    }
    if (size < Wave.LANES) {
      String narrow = c.spread("i32", c.ir.low(exec));
      return c.convert("trunc", c.ints, c.i32("lshr", narrow, lanes), c.bits);
    }
    String wide = c.convert("zext", c.ints, lanes, c.longs);
    return c.convert("trunc", c.longs, c.i64("lshr", c.splat("i64", exec), wide), c.bits);
  }

  private static String place(Chunk c, String words) {
    return c.ir.value("getelementptr i32, ptr %s, i64 %s", words, c.first);
  }
}
