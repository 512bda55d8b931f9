package dev.rocport.device.nativecode;

import dev.rocport.device.wave.Wave;
import java.util.function.Function;

/**
 * Each lane takes the value of a lane that it names.
 *
 * @param data the register of the values
 * @param named the number of that lane in each lane of a chunk, vectors of i32
 * @param fetchInactive whether values of inactive lanes count, and not 0 instead
 */
record LaneGather(Registers data, Function<Chunk, String> named, boolean fetchInactive) {
  /**
   * Adds it in two runs, since the destination may be the register of the values.
   *
   * @param writesAll whether lanes are written that name an inactive one
   */
  void emit(WaveFunction f, Registers to, boolean writesAll) {
    data.used(f);
    to.changed(f);
    String exec = f.exec();
    String words = f.lanes();
    f.run()
        .step(
            c -> {
              String lanes = c.convert("zext", c.ints, named.apply(c), c.longs);
              String index = c.i64("add", lanes, LaneWork.w((long) data.first() * Wave.LANES));
              String at =
                  c.ir.value(
                      "getelementptr i32, ptr %s, %s %s",
                      data.accumulator() ? "%a" : "%v", c.longs, index);
              String value =
                  c.ir.value(
                      "call %s @llvm.masked.gather.v%di32.v%dp0(<%d x ptr> %s, i32 4, %s %s,"
                          + " %s zeroinitializer)",
                      c.ints, c.width, c.width, c.width, at, c.bits, known(c, exec, lanes), c.ints);
              c.ir.line("store %s %s, ptr %s, align 4", c.ints, value, place(c, words));
            });
    f.flush();
    f.run()
        .step(
            c -> {
              String value = c.ir.value("load %s, ptr %s, align 4", c.ints, place(c, words));
              if (!writesAll && !fetchInactive) {
                String lanes = c.convert("zext", c.ints, named.apply(c), c.longs);
                String old = c.register(to.accumulator(), to.first());
                value = c.select(known(c, exec, lanes), c.ints, value, old);
              }
              c.register(to.accumulator(), to.first(), value);
            });
  }

  /** The lanes whose named lane has a value. */
  private String known(Chunk c, String exec, String lanes) {
    return fetchInactive
        ? "splat (i1 true)"
        : c.convert("trunc", c.longs, c.i64("lshr", c.splat("i64", exec), lanes), c.bits);
  }

  private static String place(Chunk c, String words) {
    return c.ir.value("getelementptr i32, ptr %s, i64 %s", words, c.first);
  }
}
