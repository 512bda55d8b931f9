package dev.rocport.device.nativecode;

import dev.rocport.device.isa.DataType;
import dev.rocport.device.isa.Generation;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.wave.Wave;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The step of an instruction of the vector ALU in a {@link Run}.
 *
 * @param sources its sources, with scalars read
 * @param mask the mask that it takes, as {@link WaveFunction#mask} gives it
 */
record LaneStep(
    Instruction i, LaneWork work, LaneForms.Operands operands, List<Source> sources, String mask) {

  /**
   * What a chunk computes.
   *
   * @param value the result, or null
   * @param bits the mask that it makes, or null
   */
  record Results(@Nullable String value, @Nullable String bits) {}

  /** Reads the scalars among the sources, which may end the run. */
  static List<Source> sources(WaveFunction f, LaneForms.Operands operands) {
    List<Source> sources = new ArrayList<>();
    for (int n = 0; n < operands.sources().size(); n++) {
      sources.add(Source.of(f, operands.sources().get(n), operands.types().get(n)));
    }
    return sources;
  }

  /** The modifiers of an instruction but for the moving of lanes of RDNA. */
  static Modifiers modifiers(Instruction i) {
    return i.modifiers() instanceof Modifiers.Moved moved ? moved.with() : i.modifiers();
  }

  /** Whether the other half of the destination stays as it was. */
  static boolean keepsHalf(Instruction i, @Nullable DataType type) {
    boolean isRdna = i.opcode().generation() != Generation.CDNA;
    return isRdna ? type != null && type.isHalf() : HalfWork.keepsHalf(i.name());
  }

  /** Whether it makes a mask that is kept: carries often are not. */
  boolean makesMask() {
    return operands.sdst() >= 0 && operands.sdst() != Operand.NULL;
  }

  boolean writesExec() {
    return i.name().startsWith("v_cmpx_");
  }

  private boolean isAccumulator() {
    return operands.destination() instanceof Operand.Accumulator;
  }

  private int register() {
    return switch (operands.destination()) {
      case Operand.Vector(int r, int _) -> r;
      case Operand.Accumulator(int r, int _) -> r;
      case null, default -> -1;
    };
  }

  /** Notes what the step changes. */
  void changes(WaveFunction f) {
    DataType type = operands.type();
    if (type != null) {
      f.changes(isAccumulator(), register(), type.dwords());
    }
  }

  /**
   * Computes the results from the sources as they are now.
   *
   * @param first the name of words that stand for source 0, or null
   */
  Results compute(Chunk c, @Nullable String first) {
    String[] values = new String[3];
    for (int n = 0; n < sources.size(); n++) {
      values[n] = source(c, n, first);
    }
    String in = operands.mask() < 0 ? null : c.mask(operands.mask(), mask);
    LaneWork.Values of = new LaneWork.Values(c, values[0], values[1], values[2], in);
    return new Results(
        work.value() == null ? null : work.value().apply(of),
        work.test() == null ? null : work.test().apply(of));
  }

  /**
   * Writes the results.
   *
   * @param lanes the lanes whose result is written, an i64; null for all that are active
   */
  void put(Chunk c, Results results, @Nullable String lanes) {
    DataType type = operands.type();
    if (results.value() != null && type != null) {
      destination(c, type, results.value(), lanes);
    }
    if (results.bits() != null && makesMask()) {
      c.makes(operands.sdst(), results.bits());
      if (writesExec()) {
        c.makes(Wave.EXEC, results.bits());
      }
    }
  }

  private String source(Chunk c, int n, @Nullable String first) {
    Source source = sources.get(n);
    DataType type = operands.types().get(n);
    if (type.dwords() == 2) {
      String value = c.pair(source.word(c, 0), source.word(c, 1));
      return switch (modifiers(i)) {
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
    return switch (modifiers(i)) {
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

  private void destination(Chunk c, DataType type, String result, @Nullable String lanes) {
    boolean accumulator = isAccumulator();
    int register = register();
    if (type.dwords() == 2) {
      c.register(accumulator, register, c.low(result));
      c.register(accumulator, register + 1, c.high(result));
      return;
    }
    String value = result;
    if (modifiers(i) instanceof Modifiers.Vop3 m && m.clamp()) {
      value = FloatWork.clamped(c, value);
    }
    if (i.modifiers() instanceof Modifiers.Sdwa m) {
      value = m.dstSel() == 6 ? value : placed(c, value, m, c.register(accumulator, register));
    } else if (keepsHalf(i, type)) {
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
