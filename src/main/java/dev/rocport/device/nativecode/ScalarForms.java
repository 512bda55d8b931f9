package dev.rocport.device.nativecode;

import dev.rocport.device.isa.DataType;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.op.scalar.Sopp;
import dev.rocport.device.wave.Wave;
import org.jspecify.annotations.Nullable;

/** SOP1, SOP2, SOPC and SOPK. Source of their results: {@code device.op.scalar}. */
final class ScalarForms {
  private ScalarForms() {}

  /**
   * @param lanes of a wave
   */
  static @Nullable Form of(Instruction i, int lanes) {
    Form floats = ScalarFloatForms.of(i);
    if (floats != null) {
      return floats;
    }
    return switch (i.opcode().encoding()) {
      case SOP2 -> two(i);
      case SOP1 -> one(i, lanes);
      case SOPC -> compare(i);
      case SOPK -> constant(i);
      default -> null;
    };
  }

  private static boolean reads(Instruction i, int from) {
    for (int n = from; n < i.operands().size(); n++) {
      if (!Scalars.knows(i.operands().get(n))) {
        return false;
      }
    }
    return true;
  }

  private static DataType type(Instruction i, int slot) {
    return i.opcode().slots().get(slot).type();
  }

  /** Two values of the same type. */
  private interface Binary {
    String apply(WaveFunction f, String a, String b);
  }

  private static @Nullable Form two(Instruction i) {
    int to = i.operands().isEmpty() ? -1 : Scalars.register(i, 0);
    if (to < 0 || i.operands().size() != 3 || !reads(i, 1)) {
      return null;
    }
    return switch (i.name()) {
      case "s_add_nc_u64" -> pairs(i, (f, a, b) -> f.ir.value("add i64 %s, %s", a, b));
      case "s_sub_nc_u64" -> pairs(i, (f, a, b) -> f.ir.value("sub i64 %s, %s", a, b));
      case "s_mul_u64" -> pairs(i, (f, a, b) -> f.ir.value("mul i64 %s, %s", a, b));
      case "s_add_u32" ->
          words(
              i,
              (f, a, b) -> {
                String r = f.ir.value("add i32 %s, %s", a, b);
                f.scc(f.ir.value("icmp ult i32 %s, %s", r, a));
                return r;
              });
      case "s_sub_u32" ->
          words(
              i,
              (f, a, b) -> {
                f.scc(f.ir.value("icmp ult i32 %s, %s", a, b));
                return f.ir.value("sub i32 %s, %s", a, b);
              });
      case "s_add_i32" -> words(i, (f, a, b) -> signed(f, "sadd", a, b));
      case "s_sub_i32" -> words(i, (f, a, b) -> signed(f, "ssub", a, b));
      case "s_addc_u32" -> words(i, (f, a, b) -> carry(f, "add", a, b));
      case "s_subb_u32" -> words(i, (f, a, b) -> carry(f, "sub", a, b));
      case "s_min_i32" -> words(i, (f, a, b) -> choose(f, "slt", a, b));
      case "s_max_i32" -> words(i, (f, a, b) -> choose(f, "sge", a, b));
      case "s_min_u32" -> words(i, (f, a, b) -> choose(f, "ult", a, b));
      case "s_max_u32" -> words(i, (f, a, b) -> choose(f, "uge", a, b));
      case "s_cselect_b32" ->
          words(i, (f, a, b) -> f.ir.value("select i1 %s, i32 %s, i32 %s", f.scc(), a, b));
      case "s_cselect_b64" ->
          pairs(i, (f, a, b) -> f.ir.value("select i1 %s, i64 %s, i64 %s", f.scc(), a, b));
      case "s_mul_i32" -> words(i, (f, a, b) -> f.ir.value("mul i32 %s, %s", a, b));
      case "s_mul_hi_u32" -> words(i, (f, a, b) -> high(f, "zext", a, b));
      case "s_mul_hi_i32" -> words(i, (f, a, b) -> high(f, "sext", a, b));
      case "s_lshl1_add_u32" -> words(i, (f, a, b) -> shifted(f, 1, a, b));
      case "s_lshl2_add_u32" -> words(i, (f, a, b) -> shifted(f, 2, a, b));
      case "s_lshl3_add_u32" -> words(i, (f, a, b) -> shifted(f, 3, a, b));
      case "s_lshl4_add_u32" -> words(i, (f, a, b) -> shifted(f, 4, a, b));
      case "s_pack_ll_b32_b16" ->
          words(
              i,
              (f, a, b) -> {
                String low = f.ir.value("and i32 %s, 65535", a);
                return f.ir.value("or i32 %s, %s", low, f.ir.value("shl i32 %s, 16", b));
              });
      case "s_bfe_u32" -> words(i, (f, a, b) -> field(f, "lshr", a, b));
      case "s_bfe_i32" -> words(i, (f, a, b) -> field(f, "ashr", a, b));
      case "s_bfm_b32" -> words(i, ScalarForms::ones);
      default -> logic(i);
    };
  }

  private static @Nullable Form logic(Instruction i) {
    String name = i.name();
    boolean wide = name.endsWith("64");
    String type = wide ? "i64" : "i32";
    String verb = name.substring(2, name.lastIndexOf('_'));
    boolean shift = verb.equals("lshl") || verb.equals("lshr") || verb.equals("ashr");
    String op =
        switch (verb) {
          case "and", "andn2", "nand" -> "and";
          case "or", "orn2", "nor" -> "or";
          case "xor", "xnor" -> "xor";
          case "lshl" -> "shl";
          case "lshr", "ashr" -> verb;
          default -> null;
        };
    if (op == null) {
      return null;
    }
    Binary apply =
        (f, a, b) -> {
          String right = b;
          if (shift) {
            right = f.ir.value("and %s %s, %d", type, b, wide ? 63 : 31);
          } else if (verb.endsWith("n2")) {
            right = f.ir.value("xor %s %s, -1", type, b);
          }
          String r = f.ir.value("%s %s %s, %s", op, type, a, right);
          if (verb.startsWith("n") || verb.equals("xnor")) {
            r = f.ir.value("xor %s %s, -1", type, r);
          }
          f.scc(f.ir.value("icmp ne %s %s, 0", type, r));
          return r;
        };
    return wide ? pairs(i, apply) : words(i, apply);
  }

  private static Form words(Instruction i, Binary work) {
    int to = Scalars.register(i, 0);
    return (Form.Scalar)
        f -> {
          String a = Scalars.word(f, i.operands().get(1), type(i, 1));
          String b = Scalars.word(f, i.operands().get(2), type(i, 2));
          f.scalar(to, work.apply(f, a, b));
        };
  }

  private static Form pairs(Instruction i, Binary work) {
    int to = Scalars.register(i, 0);
    return (Form.Scalar)
        f -> {
          String a = Scalars.pair(f, i.operands().get(1), type(i, 1));
          String b = Scalars.pair(f, i.operands().get(2), type(i, 2));
          f.pair(to, work.apply(f, a, b));
        };
  }

  private static String signed(WaveFunction f, String op, String a, String b) {
    String both = f.ir.value("call {i32, i1} @llvm.%s.with.overflow.i32(i32 %s, i32 %s)", op, a, b);
    f.scc(f.ir.value("extractvalue {i32, i1} %s, 1", both));
    return f.ir.value("extractvalue {i32, i1} %s, 0", both);
  }

  /** In 64 bits: a borrow makes the result negative. */
  private static String carry(WaveFunction f, String op, String a, String b) {
    String in = f.ir.value("zext i1 %s to i64", f.scc());
    String x = f.ir.value("zext i32 %s to i64", a);
    String y = f.ir.value("zext i32 %s to i64", b);
    String r = f.ir.value("%s i64 %s, %s", op, f.ir.value("%s i64 %s, %s", op, x, y), in);
    String up = f.ir.value("lshr i64 %s, 32", r);
    f.scc(f.ir.value("icmp ne i64 %s, 0", up));
    return f.ir.value("trunc i64 %s to i32", r);
  }

  private static String choose(WaveFunction f, String how, String a, String b) {
    String first = f.ir.value("icmp %s i32 %s, %s", how, a, b);
    f.scc(first);
    return f.ir.value("select i1 %s, i32 %s, i32 %s", first, a, b);
  }

  private static String high(WaveFunction f, String extend, String a, String b) {
    String x = f.ir.value("%s i32 %s to i64", extend, a);
    String y = f.ir.value("%s i32 %s to i64", extend, b);
    String up = f.ir.value("lshr i64 %s, 32", f.ir.value("mul i64 %s, %s", x, y));
    return f.ir.value("trunc i64 %s to i32", up);
  }

  private static String shifted(WaveFunction f, int by, String a, String b) {
    String x = f.ir.value("shl i64 %s, %d", f.ir.value("zext i32 %s to i64", a), by);
    String r = f.ir.value("add i64 %s, %s", x, f.ir.value("zext i32 %s to i64", b));
    f.scc(f.ir.value("icmp ugt i64 %s, 4294967295", r));
    return f.ir.value("trunc i64 %s to i32", r);
  }

  /** A field by offset and width. In 64 bits, so that no shift is too far. */
  private static String field(WaveFunction f, String shift, String a, String b) {
    boolean signed = shift.equals("ashr");
    String offset = f.ir.value("zext i32 %s to i64", f.ir.value("and i32 %s, 31", b));
    String bits = f.ir.value("and i32 %s, 127", f.ir.value("lshr i32 %s, 16", b));
    String least = f.ir.value("call i32 @llvm.umin.i32(i32 %s, i32 32)", bits);
    String width = f.ir.value("zext i32 %s to i64", least);
    String wide = f.ir.value("%s i32 %s to i64", signed ? "sext" : "zext", a);
    String down = f.ir.value("%s i64 %s, %s", shift, wide, offset);
    String none = f.ir.value("icmp eq i64 %s, 0", width);
    String left = f.ir.value("and i64 %s, 63", f.ir.value("sub i64 64, %s", width));
    String up = f.ir.value("shl i64 %s, %s", down, left);
    String back = f.ir.value("%s i64 %s, %s", shift, up, left);
    String kept = f.ir.value("select i1 %s, i64 0, i64 %s", none, back);
    String r = f.ir.value("trunc i64 %s to i32", kept);
    f.scc(f.ir.value("icmp ne i32 %s, 0", r));
    return r;
  }

  private static String ones(WaveFunction f, String a, String b) {
    String count = f.ir.value("and i32 %s, 31", a);
    String mask = f.ir.value("sub i32 %s, 1", f.ir.value("shl i32 1, %s", count));
    return f.ir.value("shl i32 %s, %s", mask, f.ir.value("and i32 %s, 31", b));
  }

  private interface Unary {
    String apply(WaveFunction f, String a);
  }

  private static @Nullable Form one(Instruction i, int lanes) {
    if (i.name().equals("s_barrier_signal")) {
      return signal(i);
    }
    int to = i.operands().size() == 2 ? Scalars.register(i, 0) : -1;
    if (to < 0 || !reads(i, 1)) {
      return null;
    }
    return switch (i.name()) {
      case "s_mov_b32" -> word(i, (f, a) -> a);
      case "s_mov_b64" -> pair(i, (f, a) -> a);
      case "s_cmov_b32" ->
          word(i, (f, a) -> f.ir.value("select i1 %s, i32 %s, i32 %s", f.scc(), a, f.scalar(to)));
      case "s_not_b32" -> word(i, (f, a) -> tested(f, "i32", f.ir.value("xor i32 %s, -1", a)));
      case "s_not_b64" -> pair(i, (f, a) -> tested(f, "i64", f.ir.value("xor i64 %s, -1", a)));
      case "s_brev_b32" ->
          word(i, (f, a) -> f.ir.value("call i32 @llvm.bitreverse.i32(i32 %s)", a));
      case "s_brev_b64" ->
          pair(i, (f, a) -> f.ir.value("call i64 @llvm.bitreverse.i64(i64 %s)", a));
      case "s_bcnt1_i32_b32" ->
          word(i, (f, a) -> tested(f, "i32", f.ir.value("call i32 @llvm.ctpop.i32(i32 %s)", a)));
      case "s_bcnt1_i32_b64" ->
          narrow(i, (f, a) -> tested(f, "i64", f.ir.value("call i64 @llvm.ctpop.i64(i64 %s)", a)));
      case "s_ff1_i32_b32" -> word(i, (f, a) -> found(f, "i32", "cttz", a));
      case "s_ff1_i32_b64" -> narrow(i, (f, a) -> found(f, "i64", "cttz", a));
      case "s_flbit_i32_b32" -> word(i, (f, a) -> found(f, "i32", "ctlz", a));
      case "s_flbit_i32_b64" -> narrow(i, (f, a) -> found(f, "i64", "ctlz", a));
      case "s_sext_i32_i8" ->
          word(i, (f, a) -> f.ir.value("sext i8 %s to i32", f.ir.value("trunc i32 %s to i8", a)));
      case "s_sext_i32_i16" ->
          word(i, (f, a) -> f.ir.value("sext i16 %s to i32", f.ir.value("trunc i32 %s to i16", a)));
      case "s_abs_i32" ->
          word(
              i,
              (f, a) ->
                  tested(f, "i32", f.ir.value("call i32 @llvm.abs.i32(i32 %s, i1 false)", a)));
      default -> saved(i, lanes);
    };
  }

  /**
   * A wave signals the barrier of its workgroup. What runs next does not depend on it before some
   * wave waits.
   */
  private static @Nullable Form signal(Instruction i) {
    return i.operands().getFirst() instanceof Operand.Inline inline
            && (int) DataType.I32.constant(inline) == Sopp.WORKGROUP
        ? (Form.Whole) (f, _) -> f.count(Context.SIGNALS)
        : null;
  }

  private static String tested(WaveFunction f, String type, String value) {
    f.scc(f.ir.value("icmp ne %s %s, 0", type, value));
    return value;
  }

  /** The number of a bit; -1 if there is none. */
  private static String found(WaveFunction f, String type, String intrinsic, String a) {
    String at = f.ir.value("call %s @llvm.%s.%s(%s %s, i1 false)", type, intrinsic, type, type, a);
    String none = f.ir.value("icmp eq %s %s, 0", type, a);
    return f.ir.value("select i1 %s, %s -1, %s %s", none, type, type, at);
  }

  private static Form word(Instruction i, Unary work) {
    int to = Scalars.register(i, 0);
    return (Form.Scalar)
        f -> f.scalar(to, work.apply(f, Scalars.word(f, i.operands().get(1), type(i, 1))));
  }

  private static Form pair(Instruction i, Unary work) {
    int to = Scalars.register(i, 0);
    return (Form.Scalar)
        f -> f.pair(to, work.apply(f, Scalars.pair(f, i.operands().get(1), type(i, 1))));
  }

  private static Form narrow(Instruction i, Unary work) {
    int to = Scalars.register(i, 0);
    return (Form.Scalar)
        f -> {
          String r = work.apply(f, Scalars.pair(f, i.operands().get(1), type(i, 1)));
          f.scalar(to, f.ir.value("trunc i64 %s to i32", r));
        };
  }

  /** EXEC is kept, and becomes the source and EXEC combined. */
  private static @Nullable Form saved(Instruction i, int lanes) {
    boolean pair = i.name().endsWith("_saveexec_b64");
    if (!(pair || i.name().endsWith("_saveexec_b32")) || pair != (lanes == Wave.LANES)) {
      return null;
    }
    return switch (i.name().substring(2, i.name().indexOf("_saveexec"))) {
      case "and" -> save(i, "and", false, false);
      case "or" -> save(i, "or", false, false);
      case "xor" -> save(i, "xor", false, false);
      case "andn2" -> save(i, "and", false, true);
      case "orn2" -> save(i, "or", false, true);
      case "andn1" -> save(i, "and", true, false);
      case "orn1" -> save(i, "or", true, false);
      default -> null;
    };
  }

  private static Form save(Instruction i, String op, boolean notSource, boolean notExec) {
    int to = Scalars.register(i, 0);
    return (Form.Scalar)
        f -> {
          String source = Scalars.pair(f, i.operands().get(1), type(i, 1));
          String exec = f.exec();
          String a = notSource ? f.ir.value("xor i64 %s, -1", source) : source;
          String b = notExec ? f.ir.value("xor i64 %s, -1", exec) : exec;
          String now = f.ir.value("%s i64 %s, %s", op, a, b);
          f.bits(Wave.EXEC, now);
          f.bits(to, exec);
          String made = f.hasNarrowMasks() ? f.ir.low(now) : now;
          f.scc(f.ir.value("icmp ne i%d %s, 0", f.size, made));
        };
  }

  private static @Nullable Form compare(Instruction i) {
    if (i.operands().size() != 2 || !reads(i, 0)) {
      return null;
    }
    String name = i.name();
    if (name.startsWith("s_bitcmp") && name.endsWith("b32")) {
      boolean one = name.startsWith("s_bitcmp1");
      return (Form.Scalar)
          f -> {
            String a = Scalars.word(f, i.operands().get(0), type(i, 0));
            String b = Scalars.word(f, i.operands().get(1), type(i, 1));
            String bit =
                f.ir.value(
                    "and i32 1, %s",
                    f.ir.value("lshr i32 %s, %s", a, f.ir.value("and i32 %s, 31", b)));
            f.scc(f.ir.value("icmp %s i32 %s, 0", one ? "ne" : "eq", bit));
          };
    }
    if (!name.startsWith("s_cmp_") || type(i, 0).isFloat()) {
      return null;
    }
    String test = test(name.substring(6, 8), name.charAt(9) == 'i');
    boolean wide = name.endsWith("64");
    return (Form.Scalar)
        f -> {
          if (wide) {
            String a = Scalars.pair(f, i.operands().get(0), type(i, 0));
            String b = Scalars.pair(f, i.operands().get(1), type(i, 1));
            f.scc(f.ir.value("icmp %s i64 %s, %s", test, a, b));
          } else {
            String a = Scalars.word(f, i.operands().get(0), type(i, 0));
            String b = Scalars.word(f, i.operands().get(1), type(i, 1));
            f.scc(f.ir.value("icmp %s i32 %s, %s", test, a, b));
          }
        };
  }

  private static String test(String how, boolean signed) {
    return switch (how) {
      case "eq" -> "eq";
      case "lg" -> "ne";
      default -> (signed ? "s" : "u") + how;
    };
  }

  private static @Nullable Form constant(Instruction i) {
    int register = Scalars.register(i, 0);
    Integer immediate = i.operands().size() == 2 ? Scalars.immediate(i, 1) : null;
    if (register < 0 || immediate == null) {
      return null;
    }
    int value = (short) (int) immediate;
    String name = i.name();
    if (name.startsWith("s_cmpk_")) {
      boolean signed = name.charAt(10) == 'i';
      String test = test(name.substring(7, 9), signed);
      int with = signed ? value : value & 0xffff;
      return (Form.Scalar)
          f -> f.scc(f.ir.value("icmp %s i32 %s, %d", test, f.scalar(register), with));
    }
    return switch (name) {
      case "s_movk_i32" -> (Form.Scalar) f -> f.scalar(register, Integer.toString(value));
      case "s_cmovk_i32" ->
          (Form.Scalar)
              f ->
                  f.scalar(
                      register,
                      f.ir.value(
                          "select i1 %s, i32 %d, i32 %s", f.scc(), value, f.scalar(register)));
      case "s_addk_i32" ->
          (Form.Scalar)
              f ->
                  f.scalar(
                      register, signed(f, "sadd", f.scalar(register), Integer.toString(value)));
      case "s_mulk_i32" ->
          (Form.Scalar)
              f -> f.scalar(register, f.ir.value("mul i32 %s, %d", f.scalar(register), value));
      default -> null;
    };
  }
}
