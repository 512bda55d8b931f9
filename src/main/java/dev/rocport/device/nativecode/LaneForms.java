package dev.rocport.device.nativecode;

import dev.rocport.device.isa.DataType;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Opcode;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.wave.Wave;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The vector ALU: operands and modifiers of an instruction around the {@link LaneWork} of its
 * opcode.
 */
final class LaneForms {
  private LaneForms() {}

  static @Nullable Form of(Instruction i) {
    return switch (i.name()) {
      case "v_nop" -> new Form.Nothing();
      case "v_permlane16_b32", "v_permlanex16_b32" -> RowForms.of(i);
      case "v_readfirstlane_b32", "v_readlane_b32", "v_writelane_b32" -> LaneAccessForms.of(i);
      case "v_lshlrev_b64" -> {
        Form shift = ShiftForms.of(i);
        yield shift == null ? lanes(i) : shift;
      }
      case "v_swap_b32", "v_pk_fma_f32", "v_pk_mul_f32", "v_pk_add_f32", "v_pk_mov_b32" ->
          PairForms.of(i);
      default -> {
        Form packed = PackedForms.of(i);
        yield packed == null ? lanes(i) : packed;
      }
    };
  }

  private static @Nullable Form lanes(Instruction i) {
    LaneWork work = LaneWork.of(i.name());
    if (work == null) {
      return null;
    }
    Operands operands = Operands.of(i, work);
    if (operands == null || !modifiersKnown(i, work, operands)) {
      return null;
    }
    if (i.modifiers() instanceof Modifiers.Dpp || i.modifiers() instanceof Modifiers.Moved) {
      DppForm dpp = DppForm.of(i.modifiers(), operands.types().getFirst());
      return dpp == null ? null : dpp.around(i, work, operands);
    }
    return (Form.Lanes) f -> emit(f, i, work, operands, null, null);
  }

  /** A dual instruction: both halves read before either writes. */
  static @Nullable Form both(Instruction i) {
    if (!(i.modifiers() instanceof Modifiers.Dual(Instruction x, Instruction y))) {
      return null;
    }
    LaneWork one = LaneWork.of(x.name());
    LaneWork other = LaneWork.of(y.name());
    Operands first = one == null ? null : Operands.of(x, one);
    Operands second = other == null ? null : Operands.of(y, other);
    if (one == null || other == null || first == null || second == null) {
      return null;
    }
    return (Form.Lanes)
        f -> {
          List<Source> sources = LaneStep.sources(f, first);
          List<Source> others = LaneStep.sources(f, second);
          LaneStep a = new LaneStep(x, one, first, sources, first.mask(f));
          LaneStep b = new LaneStep(y, other, second, others, second.mask(f));
          // After all that may end the run.
          Run run = f.run();
          a.changes(f);
          b.changes(f);
          run.step(
              c -> {
                LaneStep.Results of = a.compute(c, null);
                LaneStep.Results and = b.compute(c, null);
                a.put(c, of, null);
                b.put(c, and, null);
              });
        };
  }

  /**
   * The operands of an instruction.
   *
   * @param destination null where there is none
   * @param sdst the code of the mask that it makes, or -1
   * @param mask the code of the mask that it takes, or -1
   */
  record Operands(
      @Nullable Operand destination,
      @Nullable DataType type,
      int sdst,
      List<Operand> sources,
      List<DataType> types,
      int mask) {

    static @Nullable Operands of(Instruction i, LaneWork work) {
      Operand destination = null;
      DataType type = null;
      int sdst = -1;
      int mask = -1;
      List<Operand> sources = new ArrayList<>();
      List<DataType> types = new ArrayList<>();
      for (int n = 0; n < i.operands().size(); n++) {
        Opcode.Slot slot = i.opcode().slots().get(n);
        Operand operand = i.operands().get(n);
        if (slot.destination()) {
          if (operand instanceof Operand.Scalar(int code, int _)) {
            sdst = code;
          } else {
            destination = operand;
            type = slot.type();
          }
        } else if (work.takesMask() && sources.size() == work.sources()) {
          if (!(operand instanceof Operand.Scalar(int code, int _)) || code == Operand.NULL) {
            return null;
          }
          mask = code;
        } else {
          sources.add(operand);
          types.add(slot.type());
        }
      }
      if (work.takesMask() && mask < 0) {
        mask = Wave.VCC;
      }
      if (i.name().startsWith("v_cmpx_") && sdst < 0) {
        sdst = Wave.EXEC; // the only result of RDNA's
      }
      if (sources.size() == work.sources() - 1 && destination != null && type != null) {
        sources.add(destination);
        types.add(type);
      }
      boolean fits =
          sources.size() == work.sources()
              && (work.value() != null) == (destination != null)
              && (work.test() != null) == (sdst >= 0)
              && sources.stream().allMatch(Source::knows)
              && types.stream().allMatch(Operands::isKnown)
              && (type == null || isKnown(type));
      return fits ? new Operands(destination, type, sdst, sources, types, mask) : null;
    }

    /** What a step needs of the mask that it takes, as {@link WaveFunction#mask} gives it. */
    String mask(WaveFunction f) {
      return mask < 0 ? "" : f.mask(mask);
    }

    private static boolean isKnown(DataType type) {
      return switch (type) {
        case B16, I16, U16, F16 -> true;
        default -> type.elementBits() >= 32 && type.dwords() <= 2;
      };
    }
  }

  private static boolean modifiersKnown(Instruction i, LaneWork work, Operands operands) {
    return switch (LaneStep.modifiers(i)) {
      case Modifiers.None _ -> true;
      case Modifiers.Vop3 m ->
          m.omod() == 0
              && opSelKnown(i, m.opSel(), operands)
              && (m.opSel() < 8 || i.modifiers() == m)
              && (!m.clamp() || operands.type() == null || operands.type() == DataType.F32);
      case Modifiers.Sdwa m ->
          m.omod() == 0
              && !m.clamp()
              && work.test() == null == (operands.sdst() < 0)
              && operands.types().stream().allMatch(t -> t.dwords() == 1)
              && (operands.type() == null || operands.type().dwords() == 1);
      case Modifiers.Dpp _ -> operands.types().stream().allMatch(t -> t.dwords() == 1);
      case Modifiers.Packed m ->
          !m.clamp() && operands.types().stream().noneMatch(LaneForms::isPair);
      default -> false;
    };
  }

  /** Whether halves can be picked: of sources of 16 bits, and where one half is kept. */
  private static boolean opSelKnown(Instruction i, int opSel, Operands operands) {
    for (int n = 0; n < operands.sources().size(); n++) {
      if ((opSel >> n & 1) != 0 && operands.types().get(n).elementBits() != 16) {
        return false;
      }
    }
    return (opSel & 8) == 0 || LaneStep.keepsHalf(i, operands.type());
  }

  private static boolean isPair(DataType type) {
    return type == DataType.PK_F32 || type == DataType.PK_B32;
  }

  /**
   * Adds the step of an instruction.
   *
   * @param first the name of words that stand for source 0, or null
   * @param lanes the lanes that the step writes, an i64; null for all that are active
   */
  static void emit(
      WaveFunction f,
      Instruction i,
      LaneWork work,
      Operands operands,
      @Nullable String first,
      @Nullable String lanes) {
    List<Source> sources = LaneStep.sources(f, operands);
    LaneStep step = new LaneStep(i, work, operands, sources, operands.mask(f));
    // After all that may end the run.
    Run run = f.run();
    step.changes(f);
    run.step(c -> step.put(c, step.compute(c, first), lanes));
    if (step.makesMask()) {
      run.makes(operands.sdst());
      if (step.writesExec()) {
        run.makes(Wave.EXEC);
        f.flush();
      }
    }
  }
}
