package dev.rocport.device.nativecode;

import dev.rocport.device.wave.Wave;
import org.jspecify.annotations.Nullable;

/** Atomics on integers, lane by lane from 0 up, as the interpreter does them. */
final class AtomicForms {
  private AtomicForms() {}

  /**
   * The form of an update.
   *
   * @param name the mnemonic without prefix and {@code rtn}: {@code smin_x2}, of LDS {@code
   *     min_i32}
   * @param to where the old values go, or null
   */
  static @Nullable Form of(
      Place place, String name, @Nullable Registers data, @Nullable Registers to) {
    boolean wide = name.endsWith("_x2") || name.endsWith("64");
    String update = name.replace("_x2", "");
    String op =
        switch (update) {
          case "add", "add_u32", "add_u64" -> "add";
          case "sub", "sub_u32", "sub_u64" -> "sub";
          case "smin", "min_i32", "min_i64" -> "min";
          case "smax", "max_i32", "max_i64" -> "max";
          case "umin", "min_u32", "min_u64" -> "umin";
          case "umax", "max_u32", "max_u64" -> "umax";
          case "and", "and_b32", "and_b64" -> "and";
          case "or", "or_b32", "or_b64" -> "or";
          case "xor", "xor_b32", "xor_b64" -> "xor";
          case "swap", "wrxchg_b32", "wrxchg_b64" -> "xchg";
          case "cmpswap" -> place.local() ? null : "cmpswap";
          default -> null;
        };
    if (op == null || data == null) {
      return null;
    }
    return (Form.Whole) (f, stop) -> emit(f, place, op, wide, data, to, stop);
  }

  private static void emit(
      WaveFunction f,
      Place place,
      String op,
      boolean wide,
      Registers data,
      @Nullable Registers to,
      String stop) {
    int bytes = wide ? 8 : 4;
    Access access = place.check(f, bytes, true, stop);
    data.used(f);
    if (to != null) {
      to.changed(f);
    }
    aligned(f, access, bytes, stop);
    EachLane.emit(f.ir, f.pair(Wave.EXEC), lane -> update(f, access, op, wide, data, to, lane));
  }

  private static void update(
      WaveFunction f,
      Access access,
      String op,
      boolean wide,
      Registers data,
      @Nullable Registers to,
      String lane) {
    Ir ir = f.ir;
    String at = ir.value("inttoptr i64 %s to ptr", address(f, access, lane));
    String type = wide ? "i64" : "i32";
    String value = word(f, data.accumulator(), data.first(), lane, wide);
    String old;
    if (op.equals("cmpswap")) {
      String with = word(f, data.accumulator(), data.first() + (wide ? 2 : 1), lane, wide);
      String both =
          ir.value("cmpxchg ptr %s, %s %s, %s %s seq_cst seq_cst", at, type, with, type, value);
      old = ir.value("extractvalue {%s, i1} %s, 0", type, both);
    } else if (access.place().local()) {
      old = ir.value("load %s, ptr %s, align 4", type, at);
      ir.line("store %s %s, ptr %s, align 4", type, updated(ir, op, type, old, value), at);
    } else {
      old = ir.value("atomicrmw %s ptr %s, %s %s seq_cst", op, at, type, value);
    }
    if (to != null) {
      store(f, to, 0, lane, wide ? ir.low(old) : old);
      if (wide) {
        store(f, to, 1, lane, ir.high(old));
      }
    }
  }

  private static String updated(Ir ir, String op, String type, String old, String value) {
    return switch (op) {
      case "xchg" -> value;
      case "min", "max" ->
          ir.value("call %s @llvm.s%s.%s(%s %s, %s %s)", type, op, type, type, old, type, value);
      case "umin", "umax" ->
          ir.value("call %s @llvm.%s.%s(%s %s, %s %s)", type, op, type, type, old, type, value);
      default -> ir.value("%s %s %s, %s", op, type, old, value);
    };
  }

  /** Misaligned atomics are faults. */
  private static void aligned(WaveFunction f, Access access, int bytes, String stop) {
    Ir ir = f.ir;
    Place place = access.place();
    String all = Bounds.bits(f, place.register());
    String low = all;
    if (!place.local()) {
      low = ir.value("or i32 %s, %s", all, ir.low(access.start()));
    } else if (place.offset() % bytes != 0) {
      low = Integer.toString(place.offset());
    }
    String fits = ir.label("aligned");
    String is = ir.value("icmp eq i32 %s, 0", ir.value("and i32 %s, %d", low, bytes - 1));
    ir.line("br i1 %s, label %%%s, label %%%s", is, fits, stop);
    ir.block(fits);
  }

  private static String address(WaveFunction f, Access access, String lane) {
    Ir ir = f.ir;
    Place place = access.place();
    String low = load(f, false, place.register(), lane);
    if (place.isNarrow()) {
      String sum = place.local() ? ir.value("add i32 %s, %d", low, place.offset()) : low;
      return ir.value("add i64 %s, %s", access.start(), ir.value("zext i32 %s to i64", sum));
    }
    String address = f.ir.pair(low, load(f, false, place.register() + 1, lane));
    return ir.value("add i64 %s, %d", address, place.offset());
  }

  private static String word(
      WaveFunction f, boolean accumulator, int register, String lane, boolean wide) {
    String low = load(f, accumulator, register, lane);
    return wide ? f.ir.pair(low, load(f, accumulator, register + 1, lane)) : low;
  }

  private static String load(WaveFunction f, boolean accumulator, int register, String lane) {
    return f.ir.value("load i32, ptr %s, align 4", f.place(accumulator, register, lane));
  }

  private static void store(WaveFunction f, Registers to, int word, String lane, String value) {
    String at = f.place(to.accumulator(), to.first() + word, lane);
    f.ir.line("store i32 %s, ptr %s, align 4", value, at);
  }
}
