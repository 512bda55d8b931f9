package dev.rocport.device.op.vector;

import static dev.rocport.device.isa.DataType.B32;
import static dev.rocport.device.isa.DataType.F16;
import static dev.rocport.device.isa.DataType.F32;
import static dev.rocport.device.isa.DataType.PK_F32;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.wave.Op;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Instructions that are several operations of 32 bits: packed floats, mixed precision, a swap. */
final class Composite {
  private static final int SPREAD = 2;
  private static final int MODIFIED = 8;
  private static final int RESULT = 16;
  private static final int RESULT_2 = 18;
  private static final int DPP = 20;

  private final Instruction instruction;
  private final Modifiers.Packed modifiers;
  private @Nullable DppStep dpp;
  private final List<Step> before = new ArrayList<>();
  private final List<Step> work = new ArrayList<>();

  Composite(Instruction instruction) {
    this.instruction = instruction;
    this.modifiers = Modifiers.Packed.of(instruction);
  }

  Optional<Op> op() {
    boolean done =
        switch (instruction.name()) {
          case "v_swap_b32" -> swap();
          case "v_pk_mov_b32" -> pairOfMoves();
          case "v_pk_fma_f32" -> pair("v_fma_f32");
          case "v_pk_mul_f32" -> pair("v_mul_f32");
          case "v_pk_add_f32" -> pair("v_add_f32");
          default -> mixed();
        };
    return done
        ? Optional.of(
            new VectorOp(
                instruction, dpp, before, work.getFirst(), work.subList(1, work.size()), -1, false))
        : Optional.empty();
  }

  private List<Operand> sources() {
    return instruction.operands().subList(1, instruction.operands().size());
  }

  private @Nullable Row target(dev.rocport.device.isa.DataType type) {
    return instruction.operands().getFirst() instanceof Operand.Vector v
        ? Row.of(v, type, 0)
        : null;
  }

  private void move(Row to, Row from) {
    work.add(new Step(Bits.MOVE, to, from, from, from, -1));
  }

  private boolean swap() {
    Row one = target(B32);
    Row other = Row.of(instruction.operands().get(1), B32, 0);
    if (one == null || other == null || !other.isVector()) {
      return false;
    }
    Row kept = Row.temporary(RESULT);
    move(kept, one);
    move(one, other);
    move(other, kept);
    return true;
  }

  private boolean pairOfMoves() {
    Row d = target(PK_F32);
    Row a = Row.of(sources().get(0), PK_F32, 0);
    Row b = Row.of(sources().get(1), PK_F32, SPREAD);
    if (d == null || a == null || b == null) {
      return false;
    }
    Row low = a.plus(modifiers.opSel() & 1);
    Row high = b.plus(modifiers.opSel() >> 1 & 1);
    Row kept = Row.temporary(RESULT);
    boolean clash = high.overlaps(d);
    move(clash ? kept : d, low);
    move(d.plus(1), high);
    if (clash) {
      move(d, kept);
    }
    return true;
  }

  private boolean pair(String single) {
    Routine routine = VectorTranslator.routine(single).orElseThrow();
    Row d = target(PK_F32);
    if (d == null) {
      return false;
    }
    Row[] low = new Row[3];
    Row[] high = new Row[3];
    boolean clash = false;
    for (int i = 0; i < sources().size(); i++) {
      Row row = Row.of(sources().get(i), PK_F32, SPREAD * i);
      if (row == null) {
        return false;
      }
      low[i] =
          negated(
              row.plus(modifiers.opSel() >> i & 1),
              modifiers.negLo() >> i & 1,
              MODIFIED + SPREAD * i);
      high[i] =
          negated(
              row.plus(modifiers.opSelHi() >> i & 1),
              modifiers.negHi() >> i & 1,
              MODIFIED + SPREAD * i + 1);
      clash |= high[i].overlaps(d);
    }
    boolean aside = clash || modifiers.clamp();
    Row result = aside ? Row.temporary(RESULT) : d;
    work.add(step(routine, result, low));
    work.add(step(routine, aside ? result.plus(1) : d.plus(1), high));
    if (aside) {
      Routine last = modifiers.clamp() ? Bits.CLAMP_F32 : Bits.MOVE;
      for (int word = 0; word < 2; word++) {
        Row from = result.plus(word);
        work.add(new Step(last, d.plus(word), from, from, from, -1));
      }
    }
    return true;
  }

  private static Step step(Routine routine, Row d, Row[] sources) {
    Row c = sources[2] == null ? sources[0] : sources[2];
    return new Step(routine, d, sources[0], sources[1], c, -1);
  }

  private Row negated(Row row, int neg, int temporary) {
    return neg == 0 ? row : change(row, -1, 0x80000000, temporary);
  }

  private Row change(Row row, int and, int xor, int temporary) {
    return prepare(
        Bits.AND_XOR,
        row,
        Row.constant(and & 0xffffffffL, 1),
        Row.constant(xor & 0xffffffffL, 1),
        temporary);
  }

  private Row prepare(Routine routine, Row a, Row b, Row c, int temporary) {
    Row to = Row.temporary(temporary);
    before.add(new Step(routine, to, a, b, c, -1));
    return to;
  }

  /** Each source a float, or where op_sel_hi says so a half that op_sel picks. */
  private boolean mixed() {
    Row[] rows = new Row[3];
    for (int i = 0; i < 3; i++) {
      boolean half = (modifiers.opSelHi() >> i & 1) != 0;
      Row row = Row.of(sources().get(i), half ? F16 : F32, SPREAD * i);
      if (row == null) {
        return false;
      }
      if (i == 0 && instruction.modifiers() instanceof Modifiers.Moved moved) {
        Row from = row;
        row = Row.temporary(DPP);
        dpp = DppStep.of(moved, from, row, 1);
      }
      int temporary = MODIFIED + SPREAD * i;
      if (half) {
        if ((modifiers.opSel() >> i & 1) != 0) {
          Row shift = Row.constant(16, 1);
          row = prepare(Bits.FIELD, row, Row.constant(0, 1), shift, temporary);
        }
        row = prepare(converter("v_cvt_f32_f16"), row, row, row, temporary);
      }
      boolean abs = (modifiers.negHi() >> i & 1) != 0;
      boolean neg = (modifiers.negLo() >> i & 1) != 0;
      if (abs || neg) {
        row = change(row, abs ? 0x7fffffff : -1, neg ? 0x80000000 : 0, temporary);
      }
      rows[i] = row;
    }
    Routine fma = converter("v_fma_mix_f32");
    boolean whole = instruction.name().equals("v_fma_mix_f32");
    Row d = target(whole ? F32 : F16);
    if (d == null) {
      return false;
    }
    Row sum = whole && !modifiers.clamp() ? d : Row.temporary(RESULT);
    work.add(step(fma, sum, rows));
    if (whole) {
      if (modifiers.clamp()) {
        work.add(new Step(Bits.CLAMP_F32, d, sum, sum, sum, -1));
      }
      return true;
    }
    Row half = Row.temporary(RESULT_2);
    work.add(new Step(converter("v_cvt_f16_f32"), half, sum, sum, sum, -1));
    if (modifiers.clamp()) {
      work.add(new Step(Bits.CLAMP_F16, half, half, half, half, -1));
    }
    boolean high = instruction.name().equals("v_fma_mixhi_f16");
    if (high) {
      Row up = Row.constant(16, 1);
      work.add(new Step(Bits.FIELD, half, half, up, Row.constant(0, 1), -1));
    }
    Row kept = Row.constant(high ? 0xffff0000L : 0xffffL, 1);
    work.add(new Step(Bits.INSERT, d, kept, half, d, -1));
    return true;
  }

  private static Routine converter(String name) {
    return VectorTranslator.routine(name).orElseThrow();
  }
}
