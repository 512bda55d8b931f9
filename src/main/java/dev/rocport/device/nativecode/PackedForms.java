package dev.rocport.device.nativecode;

import static dev.rocport.device.nativecode.LaneWork.n;

import dev.rocport.device.isa.DataType;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Operand;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Instructions on two halves of each register, sums of their products, and mixed precision. */
final class PackedForms {
  private PackedForms() {}

  /** What a lane gets of its sources, one word each. */
  private interface Work {
    String apply(Chunk c, List<String> words);
  }

  static @Nullable Form of(Instruction i) {
    List<Operand> operands = i.operands();
    Modifiers.Packed m = Modifiers.Packed.of(i);
    boolean plain = i.modifiers() instanceof Modifiers.None;
    if (m.clamp() || !(plain || i.modifiers() instanceof Modifiers.Packed)) {
      return null;
    }
    Work work = work(i.name(), m);
    if (work == null
        || !(operands.getFirst() instanceof Operand.Vector(int to, int _))
        || !operands.stream().skip(1).allMatch(Source::knows)) {
      return null;
    }
    List<Operand> sources = new ArrayList<>(operands.subList(1, operands.size()));
    List<DataType> types = new ArrayList<>();
    for (int s = 0; s < sources.size(); s++) {
      types.add(type(i, s, m));
    }
    // The destination is a source of sums, and of what leaves one of its halves as it was.
    sources.add(operands.getFirst());
    types.add(DataType.B32);
    return (Form.Lanes) f -> emit(f, sources, types, to, work);
  }

  private static DataType type(Instruction i, int source, Modifiers.Packed m) {
    if (i.name().startsWith("v_fma_mix")) {
      return (m.opSelHi() >> source & 1) != 0 ? DataType.F16 : DataType.F32;
    }
    return i.opcode().slots().get(1 + source).type();
  }

  private static void emit(
      WaveFunction f, List<Operand> operands, List<DataType> types, int to, Work work) {
    List<Source> sources = new ArrayList<>();
    for (int s = 0; s < operands.size(); s++) {
      sources.add(Source.of(f, operands.get(s), types.get(s)));
    }
    Run run = f.run();
    f.changes(false, to, 1);
    run.step(
        c -> {
          List<String> words = sources.stream().map(s -> s.word(c, 0)).toList();
          c.register(false, to, work.apply(c, words));
        });
  }

  private static @Nullable Work work(String name, Modifiers.Packed m) {
    return switch (name) {
      case "v_fma_mix_f32", "v_fma_mixlo_f16", "v_fma_mixhi_f16" -> mixed(name, m);
      case "v_dot2_f32_f16", "v_dot2c_f32_f16" -> dotOfFloats(m);
      case "v_dot2_i32_i16", "v_dot2c_i32_i16" -> dot(16, true, m);
      case "v_dot2_u32_u16" -> dot(16, false, m);
      case "v_dot4_i32_i8", "v_dot4c_i32_i8" -> dot(8, true, m);
      case "v_dot4_u32_u8" -> dot(8, false, m);
      case "v_dot8_i32_i4", "v_dot8c_i32_i4" -> dot(4, true, m);
      case "v_dot8_u32_u4" -> dot(4, false, m);
      default -> both(name, m);
    };
  }

  /** The first product, then the second, each sum rounded. */
  private static Work dotOfFloats(Modifiers.Packed m) {
    return (c, words) -> {
      String sum = signed(c, words.get(2), m, 2);
      List<String> factors = words.subList(0, 2);
      sum = product(c, picked(c, factors, m.opSel(), m.negLo()), sum);
      return product(c, picked(c, factors, m.opSelHi(), m.negHi()), sum);
    };
  }

  private static String product(Chunk c, String[] halves, String sum) {
    String a = HalfWork.widened(c, halves[0]);
    return HalfWork.sum(c, a, HalfWork.widened(c, halves[1]), sum);
  }

  /** A sum of products of integers. */
  private static Work dot(int bits, boolean signed, Modifiers.Packed m) {
    return (c, words) -> {
      String sum = words.get(2);
      for (int at = 0; at < 32; at += bits) {
        int selects = bits == 16 ? (at == 0 ? m.opSel() : m.opSelHi()) : 0;
        String[] parts = new String[2];
        for (int s = 0; s < 2; s++) {
          int from = bits == 16 ? 16 * (selects >> s & 1) : at;
          String up = c.i32("shl", words.get(s), n(32 - bits - from));
          parts[s] = c.i32(signed ? "ashr" : "lshr", up, n(32 - bits));
        }
        sum = c.i32("add", sum, c.i32("mul", parts[0], parts[1]));
      }
      return sum;
    };
  }

  /** An opcode on halves, done to both halves. */
  private static @Nullable Work both(String name, Modifiers.Packed m) {
    String single =
        switch (name) {
          case "v_pk_add_f16" -> "v_add_f16";
          case "v_pk_mul_f16" -> "v_mul_f16";
          case "v_pk_min_f16" -> "v_min_f16";
          case "v_pk_max_f16" -> "v_max_f16";
          case "v_pk_fma_f16" -> "v_fma_f16";
          case "v_pk_add_u16", "v_pk_add_i16" -> "v_add_u16";
          case "v_pk_sub_u16", "v_pk_sub_i16" -> "v_sub_u16";
          case "v_pk_mul_lo_u16" -> "v_mul_lo_u16";
          case "v_pk_mad_u16", "v_pk_mad_i16" -> "v_mad_legacy_u16";
          case "v_pk_min_u16" -> "v_min_u16";
          case "v_pk_max_u16" -> "v_max_u16";
          case "v_pk_min_i16" -> "v_min_i16";
          case "v_pk_max_i16" -> "v_max_i16";
          case "v_pk_lshlrev_b16" -> "v_lshlrev_b16";
          case "v_pk_lshrrev_b16" -> "v_lshrrev_b16";
          case "v_pk_ashrrev_i16" -> "v_ashrrev_i16";
          default -> null;
        };
    if (single == null) {
      return null;
    }
    LaneWork work = LaneWork.of(single);
    LaneWork.Work value = work == null ? null : work.value();
    if (work == null || value == null) {
      return null;
    }
    boolean real = name.endsWith("f16");
    int sources = work.sources();
    return (c, words) ->
        HalfWork.both(
            c,
            half(c, value, words.subList(0, sources), m.opSel(), real ? m.negLo() : 0),
            half(c, value, words.subList(0, sources), m.opSelHi(), real ? m.negHi() : 0));
  }

  private static String half(
      Chunk c, LaneWork.Work work, List<String> words, int selects, int negates) {
    String[] values = picked(c, words, selects, negates);
    return work.apply(new LaneWork.Values(c, values[0], values[1], values[2], null));
  }

  private static String[] picked(Chunk c, List<String> words, int selects, int negates) {
    String[] values = new String[3];
    for (int s = 0; s < words.size(); s++) {
      String value = words.get(s);
      if ((selects >> s & 1) != 0) {
        value = c.i32("lshr", value, n(16));
      }
      values[s] = (negates >> s & 1) != 0 ? c.i32("xor", value, n(0x8000)) : value;
    }
    return values;
  }

  /** Each source a float, or where op_sel_hi says so a half that op_sel picks. */
  private static Work mixed(String name, Modifiers.Packed m) {
    return (c, words) -> {
      String[] values = new String[3];
      for (int s = 0; s < 3; s++) {
        String value = words.get(s);
        if ((m.opSelHi() >> s & 1) != 0) {
          value =
              HalfWork.widened(c, (m.opSel() >> s & 1) != 0 ? c.i32("lshr", value, n(16)) : value);
        }
        values[s] = signed(c, value, m, s);
      }
      String sum = HalfWork.sum(c, values[0], values[1], values[2]);
      String old = words.get(3);
      return switch (name) {
        case "v_fma_mixlo_f16" -> HalfWork.inserted(c, HalfWork.narrowed(c, sum), old, false);
        case "v_fma_mixhi_f16" -> HalfWork.inserted(c, HalfWork.narrowed(c, sum), old, true);
        default -> sum;
      };
    };
  }

  /** A float of 32 bits among halves: for it, neg_hi is the absolute value. */
  private static String signed(Chunk c, String value, Modifiers.Packed m, int source) {
    int abs = m.negHi() >> source & 1;
    return LaneStep.signed(c, value, Integer.MIN_VALUE, abs, m.negLo() >> source & 1);
  }
}
