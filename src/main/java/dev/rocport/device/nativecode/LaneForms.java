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
      case "v_readfirstlane_b32", "v_readlane_b32", "v_writelane_b32" -> LaneAccessForms.of(i);
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
    DppForm dpp =
        i.modifiers() instanceof Modifiers.Dpp m
            ? DppForm.of(m, operands.types().getFirst())
            : null;
    if (i.modifiers() instanceof Modifiers.Dpp && dpp == null) {
      return null;
    }
    if (dpp != null) {
      return dpp.around(i, work, operands);
    }
    return (Form.Lanes) f -> emit(f, i, work, operands, null, null);
  }

  /**
   * The operands of an instruction.
   *
   * @param destination null where there is none
   * @param sdst the code of the pair for the mask that it makes, or -1
   * @param mask the code of the pair of the mask that it takes, or -1
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
          if (!(operand instanceof Operand.Scalar(int code, int _))) {
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

    private static boolean isKnown(DataType type) {
      return switch (type) {
        case B16, I16, U16, F16 -> true;
        default -> type.elementBits() >= 32 && type.dwords() <= 2;
      };
    }
  }

  private static boolean modifiersKnown(Instruction i, LaneWork work, Operands operands) {
    return switch (i.modifiers()) {
      case Modifiers.None _ -> true;
      case Modifiers.Vop3 m ->
          m.omod() == 0
              && opSelKnown(i, m.opSel(), operands)
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
    return (opSel & 8) == 0 || HalfWork.keepsHalf(i.name());
  }

  private static boolean isPair(DataType type) {
    return type == DataType.PK_F32 || type == DataType.PK_B32;
  }

  /**
   * Adds the step of an instruction.
   *
   * @param first the name of 64 words that stand for source 0, or null
   * @param lanes the lanes that the step writes, an i64; null for all that are active
   */
  static void emit(
      WaveFunction f,
      Instruction i,
      LaneWork work,
      Operands operands,
      @Nullable String first,
      @Nullable String lanes) {
    List<Source> sources = new ArrayList<>();
    for (int n = 0; n < operands.sources().size(); n++) {
      sources.add(Source.of(f, operands.sources().get(n), operands.types().get(n)));
    }
    Operand destination = operands.destination();
    DataType type = operands.type();
    boolean accumulator = destination instanceof Operand.Accumulator;
    int register =
        switch (destination) {
          case Operand.Vector(int r, int _) -> r;
          case Operand.Accumulator(int r, int _) -> r;
          case null, default -> -1;
        };
    String mask = operands.mask() < 0 ? "" : f.mask(operands.mask());
    // After all that may end the run.
    Run run = f.run();
    if (type != null) {
      f.changes(accumulator, register, type.dwords());
    }
    run.step(
        c -> {
          String[] values = new String[3];
          for (int n = 0; n < sources.size(); n++) {
            values[n] = source(c, i, sources.get(n), operands.types().get(n), n, first);
          }
          String in = operands.mask() < 0 ? null : c.mask(operands.mask(), mask);
          LaneWork.Values of = new LaneWork.Values(c, values[0], values[1], values[2], in);
          // Both are of the sources as they were.
          String result = work.value() == null ? null : work.value().apply(of);
          String bits = work.test() == null ? null : work.test().apply(of);
          if (result != null && type != null) {
            destination(c, i, accumulator, register, type, result, lanes);
          }
          if (bits != null) {
            c.makes(operands.sdst(), bits);
            if (i.name().startsWith("v_cmpx_")) {
              c.makes(Wave.EXEC, bits);
            }
          }
        });
    if (operands.sdst() >= 0) {
      run.makes(operands.sdst());
      if (i.name().startsWith("v_cmpx_")) {
        run.makes(Wave.EXEC);
        f.flush();
      }
    }
  }

  private static String source(
      Chunk c, Instruction i, Source source, DataType type, int n, @Nullable String first) {
    if (type.dwords() == 2) {
      String value = c.pair(source.word(c, 0), source.word(c, 1));
      return switch (i.modifiers()) {
        case Modifiers.Vop3 m when type.isFloat() -> {
          String v = value;
          if ((m.abs() >> n & 1) != 0) {
            v = c.i64("and", v, "splat (i64 9223372036854775807)");
          }
          yield (m.neg() >> n & 1) != 0 ? c.i64("xor", v, "splat (i64 -9223372036854775808)") : v;
        }
        default -> value;
      };
    }
    String value;
    if (first != null && n == 0) {
      String at = c.ir.value("getelementptr i32, ptr %s, i64 %s", first, c.first);
      value = c.ir.value("load %s, ptr %s, align 4", c.ints, at);
    } else {
      value = source.word(c, 0);
    }
    boolean signs = type.isFloat() || i.name().equals("v_cndmask_b32");
    int sign = !signs ? 0 : type.elementBits() == 16 ? 0x8000 : Integer.MIN_VALUE;
    return switch (i.modifiers()) {
      case Modifiers.Vop3 m -> {
        String part = (m.opSel() >> n & 1) != 0 ? c.i32("lshr", value, number(16)) : value;
        yield signed(c, part, sign, m.abs() >> n & 1, m.neg() >> n & 1);
      }
      case Modifiers.Dpp m -> signed(c, value, sign, m.abs() >> n & 1, m.neg() >> n & 1);
      case Modifiers.Sdwa m -> {
        int select = n == 0 ? m.src0Sel() : n == 1 ? m.src1Sel() : 6;
        String part = value;
        if (select != 6) {
          int width = select < 4 ? 8 : 16;
          int shift = select < 4 ? 8 * select : 16 * (select - 4);
          String up = c.i32("shl", value, number(32 - width - shift));
          part = c.i32((m.sext() >> n & 1) != 0 ? "ashr" : "lshr", up, number(32 - width));
        }
        yield signed(c, part, sign, m.abs() >> n & 1, m.neg() >> n & 1);
      }
      default -> value;
    };
  }

  private static String number(int value) {
    return "splat (i32 %d)".formatted(value);
  }

  /**
   * After the absolute value and the negation.
   *
   * @param sign the bit of the sign, or 0 for what has none
   */
  static String signed(Chunk c, String value, int sign, int abs, int neg) {
    String v = abs != 0 && sign != 0 ? c.i32("and", value, number(~sign)) : value;
    return neg != 0 && sign != 0 ? c.i32("xor", v, number(sign)) : v;
  }

  private static void destination(
      Chunk c,
      Instruction i,
      boolean accumulator,
      int register,
      DataType type,
      String result,
      @Nullable String lanes) {
    if (type.dwords() == 2) {
      c.register(accumulator, register, c.low(result));
      c.register(accumulator, register + 1, c.high(result));
      return;
    }
    String value = result;
    if (i.modifiers() instanceof Modifiers.Vop3 m && m.clamp()) {
      value = FloatWork.clamped(c, value);
    }
    if (i.modifiers() instanceof Modifiers.Sdwa m) {
      value = m.dstSel() == 6 ? value : placed(c, value, m, c.register(accumulator, register));
    } else if (HalfWork.keepsHalf(i.name())) {
      String old = c.register(accumulator, register);
      boolean high = i.modifiers() instanceof Modifiers.Vop3 m && (m.opSel() & 8) != 0;
      value = HalfWork.inserted(c, value, old, high);
    }
    if (lanes != null) {
      String old = c.register(accumulator, register);
      value = c.select(c.bitsOf(lanes), c.ints, value, old);
    }
    c.register(accumulator, register, value);
  }

  private static String placed(Chunk c, String value, Modifiers.Sdwa m, String old) {
    int select = m.dstSel();
    int width = select < 4 ? 8 : 16;
    int shift = select < 4 ? 8 * select : 16 * (select - 4);
    String up = c.i32("shl", value, number(32 - width));
    String down = c.i32(m.dstUnused() == 1 ? "ashr" : "lshr", up, number(32 - width - shift));
    if (m.dstUnused() != 2) {
      return down;
    }
    int field = (int) (0xffffffffL >>> (32 - width) << shift);
    return c.i32("or", c.i32("and", down, number(field)), c.i32("and", old, number(~field)));
  }
}
