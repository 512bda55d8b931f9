package dev.rocport.device.op.vector;

import dev.rocport.device.isa.DataType;
import dev.rocport.device.isa.Generation;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Puts an instruction together from its opcode's routine and what its modifiers add. */
final class Assembly {
  /** Temporary rows of source i as it comes: a scalar takes as many as it has words. */
  private static final int SPREAD = 2;

  private static final int MODIFIED = 8;
  private static final int RESULT = 16;
  private static final int RESULT_2 = 18;
  private static final int DPP = 20;

  private final Instruction instruction;
  private final List<Step> before = new ArrayList<>();
  private final List<Step> after = new ArrayList<>();
  private @Nullable DppStep dpp;

  Assembly(Instruction instruction) {
    this.instruction = instruction;
  }

  /** The operation, or empty where some part of the instruction is not known. */
  Optional<Op> op() {
    return Optional.ofNullable(assemble());
  }

  private @Nullable Op assemble() {
    Routine routine = routine().orElse(null);
    if (routine == null) {
      return null;
    }
    if (multiplies()) {
      return null;
    }
    Definition definition = routine.definition();
    Operand target = null;
    int sdst = -1;
    List<Operand> sources = new ArrayList<>();
    for (int i = 0; i < instruction.operands().size(); i++) {
      Operand operand = instruction.operands().get(i);
      if (!instruction.opcode().slots().get(i).destination()) {
        sources.add(operand);
      } else if (operand instanceof Operand.Scalar register) {
        sdst = Masks.of(register);
      } else {
        target = operand;
      }
    }
    boolean writesExec = instruction.name().startsWith("v_cmpx_");
    if (writesExec && sdst < 0) {
      sdst = Wave.EXEC; // the only result of RDNA's; the upper lanes of 32 are 0
    }
    if ((definition.test() != null) != (sdst >= 0)
        || (definition.lane() != null) != (target != null)) {
      return null;
    }
    int mask = -1;
    int named = definition.sources().size() - (definition.implied() == null ? 0 : 1);
    if (definition.takesMask()) {
      // the lanes above 32 are not active in a wave without them, whatever VCC_HI is
      mask = Wave.VCC;
      if (sources.size() > named) {
        if (!(sources.removeLast() instanceof Operand.Scalar register)
            || register.code() == Operand.NULL) {
          return null;
        }
        mask = Masks.of(register);
      }
    }
    if (sources.size() == named - 1 && target != null) {
      sources.add(target);
    }
    if (sources.size() != named) {
      return null;
    }
    @Nullable Row[] rows = new @Nullable Row[3];
    for (int i = 0; i < named; i++) {
      DataType type = definition.sources().get(i);
      Row row = Row.of(sources.get(i), type, SPREAD * i);
      if (row == null) {
        return null;
      }
      Row changed = modified(row, type, i);
      if (changed == null) {
        return null;
      }
      rows[i] = changed;
    }
    if (definition.implied() != null) {
      rows[named] = Row.constant(definition.implied());
    }
    Row none = Definition.known(rows[0]);
    Row b = rows[1] == null ? none : rows[1];
    Row c = rows[2] == null ? none : rows[2];
    if (clamps() && definition.result() != null && !definition.result().isFloat()) {
      routine = VectorTranslator.clampedRoutine(work()).orElse(null);
      if (routine == null) {
        return null;
      }
    }
    Row d = Row.temporary(RESULT);
    DataType type = definition.result();
    if (target != null && type != null) {
      Row end = Row.of(target, type, 0);
      if (end == null) {
        return null;
      }
      d = finish(type, end, definition.keepsHalf());
      if (d == null) {
        return null;
      }
    }
    Step main = new Step(routine, d, none, b, c, mask);
    return dpp == null && before.isEmpty() && after.isEmpty() && sdst < 0
        ? new PlainOp(instruction, main)
        : new VectorOp(instruction, dpp, before, main, after, sdst, writesExec);
  }

  private Optional<Routine> routine() {
    return instruction.modifiers() instanceof Modifiers.TruthTable table
        ? VectorTranslator.routine(instruction.name(), table.bits())
        : VectorTranslator.routine(work());
  }

  /** The name of what it does, with the signs that neg_lo gives small integers. */
  private String work() {
    return modifiers() instanceof Modifiers.Packed m && Packed.takesSigns(instruction.name())
        ? Packed.withSigns(instruction.name(), m.negLo())
        : instruction.name();
  }

  private boolean isRdna() {
    return instruction.opcode().generation() != Generation.CDNA;
  }

  /** Its modifiers but for the moving of lanes of RDNA. */
  private Modifiers modifiers() {
    return instruction.modifiers() instanceof Modifiers.Moved moved
        ? moved.with()
        : instruction.modifiers();
  }

  /** Output modifiers need a MODE that no compiler sets for compute. */
  private boolean multiplies() {
    return switch (modifiers()) {
      case Modifiers.Vop3 m -> m.omod() != 0;
      case Modifiers.Sdwa m -> m.omod() != 0;
      default -> false;
    };
  }

  private int opSel() {
    return switch (modifiers()) {
      case Modifiers.Vop3 m -> m.opSel();
      case Modifiers.TruthTable m -> m.opSel();
      default -> 0;
    };
  }

  private boolean clamps() {
    return switch (modifiers()) {
      case Modifiers.Vop3 m -> m.clamp();
      case Modifiers.Packed m -> m.clamp();
      case Modifiers.Sdwa m -> m.clamp();
      default -> false;
    };
  }

  /** The rows of a source after its modifiers, or null where they are none that it can have. */
  private @Nullable Row modified(Row row, DataType type, int i) {
    if (i == 0 && instruction.modifiers() instanceof Modifiers.Moved moved) {
      Row from = Row.temporary(DPP);
      dpp = DppStep.of(moved, row, from, type.dwords());
      return changed(from, type, i);
    }
    return changed(row, type, i);
  }

  private @Nullable Row changed(Row row, DataType type, int i) {
    return switch (modifiers()) {
      case Modifiers.Vop3 m -> {
        Row half = row;
        if (type == DataType.PK_B8 && i == 0) {
          half = small(row, m.opSel());
        } else if ((m.opSel() >> i & 1) != 0 && type.elementBits() == 16) {
          half = step(Bits.FIELD, row, 0, 16, i);
        }
        yield signed(half, type, i, m.abs() >> i & 1, m.neg() >> i & 1);
      }
      case Modifiers.TruthTable m ->
          (m.opSel() >> i & 1) != 0 ? step(Bits.FIELD, row, 0, 16, i) : row;
      case Modifiers.Sdwa m -> {
        int select = i == 0 ? m.src0Sel() : i == 1 ? m.src1Sel() : 6;
        Row part = row;
        if (select != 6) {
          int width = select < 4 ? 8 : 16;
          int shift = select < 4 ? 8 * select : 16 * (select - 4);
          Routine field = (m.sext() >> i & 1) != 0 ? Bits.SIGNED_FIELD : Bits.FIELD;
          part = step(field, row, 32 - width - shift, 32 - width, i);
        }
        yield signed(part, type, i, m.abs() >> i & 1, m.neg() >> i & 1);
      }
      case Modifiers.Dpp m -> {
        Row from = row;
        if (i == 0) {
          from = Row.temporary(DPP);
          dpp = DppStep.of(m, row, from, type.dwords()).orElse(null);
          if (dpp == null) {
            yield null;
          }
        }
        yield signed(from, type, i, m.abs() >> i & 1, m.neg() >> i & 1);
      }
      case Modifiers.Packed m -> packed(row, type, i, m);
      default -> row;
    };
  }

  /** The source of a conversion of floats of 8 bits: RDNA 4 picks a byte, or two of them. */
  private Row small(Row row, int opSel) {
    if (instruction.name().startsWith("v_cvt_pk_f32_")) {
      return (opSel & 1) != 0 ? step(Bits.FIELD, row, 0, 16, 0) : row;
    }
    int number = (opSel & 1) << 1 | (opSel >> 1 & 1);
    return instruction.name().startsWith("v_cvt_f32_") && number != 0
        ? step(Bits.FIELD, row, 24 - 8 * number, 24, 0)
        : row;
  }

  private Row packed(Row row, DataType type, int i, Modifiers.Packed m) {
    if (!isPackedHalf(type)) {
      return type == DataType.F32
          ? signed(row, type, i, m.negHi() >> i & 1, m.negLo() >> i & 1)
          : row;
    }
    Row result = row;
    int low = m.opSel() >> i & 1;
    int high = m.opSelHi() >> i & 1;
    if (low != 0 || high == 0) {
      result = step(Bits.HALVES, row, 16 * low, 16 * high, i);
    }
    int sign = (m.negLo() >> i & 1) << 15 | (m.negHi() >> i & 1) << 31;
    return sign != 0 && type.isFloat() ? step(Bits.AND_XOR, result, -1, sign, i) : result;
  }

  private static boolean isPackedHalf(DataType type) {
    return switch (type) {
      case PK_B16, PK_I16, PK_U16, PK_F16, PK_BF16 -> true;
      default -> false;
    };
  }

  /** After the absolute value and the negation, which floats have, and what is chosen of bits. */
  private Row signed(Row row, DataType type, int i, int abs, int neg) {
    if ((abs == 0 && neg == 0)
        || (!type.isFloat() && !instruction.name().equals("v_cndmask_b32"))) {
      return row;
    }
    int sign = type.elementBits() == 16 ? 0x8000 : 0x80000000;
    int and = abs != 0 ? ~sign : -1;
    int xor = neg != 0 ? sign : 0;
    if (type.dwords() == 1) {
      return step(Bits.AND_XOR, row, and, xor, i);
    }
    Row to = Row.temporary(MODIFIED + SPREAD * i);
    before.add(new Step(Bits.MOVE, to, row, row, row, -1));
    before.add(
        new Step(
            Bits.AND_XOR,
            to.plus(1),
            row.plus(1),
            Row.constant(and & 0xffffffffL, 1),
            Row.constant(xor & 0xffffffffL, 1),
            -1));
    return to;
  }

  private Row step(Routine routine, Row a, int b, int c, int i) {
    Row to = Row.temporary(MODIFIED + SPREAD * i);
    before.add(
        new Step(
            routine,
            to,
            a,
            Row.constant(b & 0xffffffffL, 1),
            Row.constant(c & 0xffffffffL, 1),
            -1));
    return to;
  }

  /** Where the work leaves its result, so that the steps after it bring it to its end. */
  private @Nullable Row finish(DataType type, Row end, boolean keepsHalf) {
    Row at = end;
    Modifiers.Sdwa sdwa = instruction.modifiers() instanceof Modifiers.Sdwa m ? m : null;
    boolean partial = sdwa != null && sdwa.dstSel() != 6;
    boolean highHalf = (opSel() & 8) != 0;
    boolean half = (keepsHalf || (isRdna() && type.isHalf())) && sdwa == null;
    if (highHalf && !half) {
      return null;
    }
    if (partial || half) {
      at = Row.temporary(RESULT);
    }
    Row worked = at;
    if (clamps() && type.isFloat()) {
      Routine clamp =
          switch (type) {
            case F32 -> Bits.CLAMP_F32;
            case F64 -> Bits.CLAMP_F64;
            case F16 -> Bits.CLAMP_F16;
            case PK_F16 -> Bits.CLAMP_PK_F16;
            default -> null;
          };
      if (clamp == null) {
        return null;
      }
      worked = Row.temporary(RESULT_2);
      after.add(new Step(clamp, at, worked, worked, worked, -1));
    }
    if (sdwa != null && partial) {
      int select = sdwa.dstSel();
      int width = select < 4 ? 8 : 16;
      int shift = select < 4 ? 8 * select : 16 * (select - 4);
      place(at, end, width, shift, sdwa.dstUnused());
    } else if (half) {
      place(at, end, 16, highHalf ? 16 : 0, 2);
    }
    return worked;
  }

  /** The low bits of a result into a field of a register; the others zero, sign or as they were. */
  private void place(Row from, Row end, int width, int shift, int unused) {
    Row up = Row.constant(32 - width, 1);
    Row down = Row.constant(32 - width - shift, 1);
    if (unused != 2) {
      Routine field = unused == 1 ? Bits.SIGNED_FIELD : Bits.FIELD;
      after.add(new Step(field, end, from, up, down, -1));
      return;
    }
    after.add(new Step(Bits.FIELD, from, from, up, down, -1));
    Row bits = Row.constant(0xffffffffL >>> (32 - width) << shift, 1);
    after.add(new Step(Bits.INSERT, end, bits, from, end, -1));
  }
}
