package dev.rocport.device.nativecode;

import dev.rocport.device.isa.DataType;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Operand;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Instructions on two floats at once, and exchanges of registers. */
final class PairForms {
  private PairForms() {}

  static @Nullable Form of(Instruction i) {
    List<Operand> operands = i.operands();
    if (!(operands.getFirst() instanceof Operand.Vector(int to, int _))
        || !operands.stream().skip(1).allMatch(Source::knows)) {
      return null;
    }
    if (i.name().equals("v_swap_b32")) {
      return operands.get(1) instanceof Operand.Vector(int other, int _) ? swap(to, other) : null;
    }
    Modifiers.Packed m = Modifiers.Packed.of(i);
    String single =
        switch (i.name()) {
          case "v_pk_fma_f32" -> "v_fma_f32";
          case "v_pk_mul_f32" -> "v_mul_f32";
          case "v_pk_add_f32" -> "v_add_f32";
          case "v_pk_mov_b32" -> "";
          default -> null;
        };
    if (single == null) {
      return null;
    }
    LaneWork work = single.isEmpty() ? null : LaneWork.of(single);
    return (Form.Lanes) f -> emit(f, operands.subList(1, operands.size()), to, m, work);
  }

  private static Form swap(int one, int other) {
    return (Form.Lanes)
        f -> {
          Run run = f.run();
          f.changes(false, one, 1);
          f.changes(false, other, 1);
          run.step(
              c -> {
                String a = c.register(false, one);
                String b = c.register(false, other);
                c.register(false, one, b);
                c.register(false, other, a);
              });
        };
  }

  private static void emit(
      WaveFunction f, List<Operand> operands, int to, Modifiers.Packed m, @Nullable LaneWork work) {
    List<Source> sources = new ArrayList<>();
    for (Operand operand : operands) {
      sources.add(Source.of(f, operand, DataType.PK_F32));
    }
    Run run = f.run();
    f.changes(false, to, 2);
    run.step(
        c -> {
          String low;
          String high;
          if (work == null) {
            low = sources.get(0).word(c, m.opSel() & 1);
            high = sources.get(1).word(c, m.opSel() >> 1 & 1);
          } else {
            low = single(c, work, sources, m.opSel(), m.negLo());
            high = single(c, work, sources, m.opSelHi(), m.negHi());
            if (m.clamp()) {
              low = FloatWork.clamped(c, low);
              high = FloatWork.clamped(c, high);
            }
          }
          c.register(false, to, low);
          c.register(false, to + 1, high);
        });
  }

  private static String single(
      Chunk c, LaneWork work, List<Source> sources, int selects, int negates) {
    String[] values = new String[3];
    for (int n = 0; n < sources.size(); n++) {
      String value = sources.get(n).word(c, selects >> n & 1);
      values[n] =
          (negates >> n & 1) != 0
              ? c.i32("xor", value, "splat (i32 %d)".formatted(Integer.MIN_VALUE))
              : value;
    }
    LaneWork.Work value = work.value();
    if (value == null) {
      throw new IllegalStateException("no result");
    }
    return value.apply(new LaneWork.Values(c, values[0], values[1], values[2], null));
  }
}
