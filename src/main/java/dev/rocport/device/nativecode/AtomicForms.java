package dev.rocport.device.nativecode;

import org.jspecify.annotations.Nullable;

/** Atomics, lane by lane from 0 up, as the interpreter does them. */
final class AtomicForms {
  /** Adds to a float in memory, with denormals taken for 0 if asked to; the old bits. */
  private static final String ADD_FLOAT =
      """
      define internal i32 @flushed(i32 %bits, i1 %flushes) nounwind {
        %exponent = and i32 %bits, 2139095040
        %small = icmp eq i32 %exponent, 0
        %is = and i1 %small, %flushes
        %sign = and i32 %bits, -2147483648
        %r = select i1 %is, i32 %sign, i32 %bits
        ret i32 %r
      }
      define internal i32 @add.float(ptr %at, i32 %value, i1 %flushes) nounwind "denormal-fp-math"="ieee,ieee" {
      entry:
        %first = load atomic i32, ptr %at monotonic, align 4
        %b.bits = call i32 @flushed(i32 %value, i1 %flushes)
        %b = bitcast i32 %b.bits to float
        br label %again
      again:
        %old = phi i32 [ %first, %entry ], [ %seen, %again ]
        %a.bits = call i32 @flushed(i32 %old, i1 %flushes)
        %a = bitcast i32 %a.bits to float
        %sum = fadd float %a, %b
        %sum.bits = bitcast float %sum to i32
        %new = call i32 @flushed(i32 %sum.bits, i1 %flushes)
        %both = cmpxchg ptr %at, i32 %old, i32 %new seq_cst seq_cst
        %seen = extractvalue {i32, i1} %both, 0
        %done = extractvalue {i32, i1} %both, 1
        br i1 %done, label %end, label %again
      end:
        ret i32 %old
      }
      """;

  private AtomicForms() {}

  /**
   * The form of an update.
   *
   * @param name the mnemonic without prefix and {@code rtn}: {@code smin_x2}, of LDS {@code
   *     min_i32}
   * @param second the second data operand, or null
   * @param to where the old values go, or null
   */
  static @Nullable Form of(
      Place place,
      String name,
      @Nullable Registers data,
      @Nullable Registers second,
      @Nullable Registers to) {
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
          case "inc", "inc_u32", "inc_u64" -> "uinc_wrap";
          case "dec", "dec_u32", "dec_u64" -> "udec_wrap";
          case "add_f32", "add_f64" -> "fadd";
          case "cmpswap" -> place.local() ? null : "cmpswap";
          case "cmpst_b32", "cmpst_b64" -> "cmpst";
          default -> null;
        };
    if (op == null || data == null || op.equals("cmpst") != (second != null)) {
      return null;
    }
    return (Form.Whole) (f, stop) -> emit(f, new Update(place, op, wide, data, second, to), stop);
  }

  private record Update(
      Place place,
      String op,
      boolean wide,
      Registers data,
      @Nullable Registers second,
      @Nullable Registers to) {
    String type() {
      return wide ? "i64" : "i32";
    }

    String floats() {
      return wide ? "double" : "float";
    }
  }

  private static void emit(WaveFunction f, Update u, String stop) {
    int bytes = u.wide() ? 8 : 4;
    Access access = u.place().check(f, bytes, true, stop);
    u.data().used(f);
    if (u.second() != null) {
      u.second().used(f);
    }
    if (u.to() != null) {
      u.to().changed(f);
    }
    aligned(f, access, bytes, stop);
    EachLane.emit(f, lane -> update(f, access, u, lane));
  }

  private static void update(WaveFunction f, Access access, Update u, String lane) {
    Ir ir = f.ir;
    String at = ir.value("inttoptr i64 %s to ptr", address(f, access, lane));
    String type = u.type();
    Registers data = u.data();
    String value = word(f, data.accumulator(), data.first(), lane, u.wide());
    String old;
    if (u.op().equals("cmpswap")) {
      int next = data.first() + (u.wide() ? 2 : 1);
      String with = word(f, data.accumulator(), next, lane, u.wide());
      String both =
          ir.value("cmpxchg ptr %s, %s %s, %s %s seq_cst seq_cst", at, type, with, type, value);
      old = ir.value("extractvalue {%s, i1} %s, 0", type, both);
    } else if (access.place().local()) {
      old = ir.value("load %s, ptr %s, align 4", type, at);
      String now =
          u.second() == null
              ? updated(ir, u, old, value)
              : ir.value(
                  "select i1 %s, %s %s, %s %s",
                  ir.value("icmp eq %s %s, %s", type, old, value),
                  type,
                  word(f, u.second().accumulator(), u.second().first(), lane, u.wide()),
                  type,
                  old);
      ir.line("store %s %s, ptr %s, align 4", type, now, at);
    } else if (u.op().equals("fadd") && !u.wide()) {
      f.workspace.needs(ADD_FLOAT);
      String flushes = Context.flushes(ir);
      old = ir.value("call i32 @add.float(ptr %s, i32 %s, i1 %s)", at, value, flushes);
    } else if (u.op().equals("fadd")) {
      String number = ir.value("bitcast i64 %s to double", value);
      String before = ir.value("atomicrmw fadd ptr %s, double %s seq_cst", at, number);
      old = ir.value("bitcast double %s to i64", before);
    } else {
      old = ir.value("atomicrmw %s ptr %s, %s %s seq_cst", u.op(), at, type, value);
    }
    if (u.to() != null) {
      store(f, u.to(), 0, lane, u.wide() ? ir.low(old) : old);
      if (u.wide()) {
        store(f, u.to(), 1, lane, ir.high(old));
      }
    }
  }

  private static String updated(Ir ir, Update u, String old, String value) {
    String type = u.type();
    String op = u.op();
    return switch (op) {
      case "xchg" -> value;
      case "min", "max" ->
          ir.value("call %s @llvm.s%s.%s(%s %s, %s %s)", type, op, type, type, old, type, value);
      case "umin", "umax" ->
          ir.value("call %s @llvm.%s.%s(%s %s, %s %s)", type, op, type, type, old, type, value);
      case "uinc_wrap" -> {
        String over = ir.value("icmp uge %s %s, %s", type, old, value);
        String more = ir.value("add %s %s, 1", type, old);
        yield ir.value("select i1 %s, %s 0, %s %s", over, type, type, more);
      }
      case "udec_wrap" -> {
        String none = ir.value("icmp eq %s %s, 0", type, old);
        String over =
            ir.value("or i1 %s, %s", none, ir.value("icmp ugt %s %s, %s", type, old, value));
        String less = ir.value("sub %s %s, 1", type, old);
        yield ir.value("select i1 %s, %s %s, %s %s", over, type, value, type, less);
      }
      case "fadd" -> {
        String floats = u.floats();
        String sum =
            ir.value(
                "fadd %s %s, %s",
                floats,
                ir.value("bitcast %s %s to %s", type, old, floats),
                ir.value("bitcast %s %s to %s", type, value, floats));
        yield ir.value("bitcast %s %s to %s", floats, sum, type);
      }
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
