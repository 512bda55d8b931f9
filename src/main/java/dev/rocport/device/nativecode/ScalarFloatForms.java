package dev.rocport.device.nativecode;

import dev.rocport.device.isa.DataType;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Opcode;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.op.vector.ScalarFloats;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Floats in scalar registers: the {@link LaneWork} of the vector opcode, on vectors of the host
 * whose first element counts. Source of the results: {@link ScalarFloats}.
 */
final class ScalarFloatForms {
  private static final String HIGH = "s_cvt_hi_f32_f16";
  private static final int LOW_HALF = 0xffff;

  private ScalarFloatForms() {}

  /**
   * A source.
   *
   * @param down by how much its word is shifted first
   */
  private record Read(Operand operand, DataType type, int down, int abs, int neg) {
    String of(WaveFunction f, Chunk c) {
      String word = Scalars.word(f, operand, type);
      String value = c.spread("i32", word);
      String part = down == 0 ? value : c.i32("lshr", value, LaneWork.n(down));
      int sign = type.elementBits() == 16 ? 0x8000 : Integer.MIN_VALUE;
      return LaneStep.signed(c, part, sign, abs, neg);
    }
  }

  static @Nullable Form of(Instruction i) {
    LaneWork work = ScalarFloats.vectorName(i).map(LaneWork::of).orElse(null);
    Modifiers.Vop3 bits =
        switch (i.modifiers()) {
          case Modifiers.Vop3 m -> m;
          case Modifiers.None _ -> new Modifiers.Vop3(0, 0, 0, false, 0);
          default -> null;
        };
    if (work == null
        || work.takesMask()
        || bits == null
        || bits.omod() != 0
        || bits.clamp()
        || bits.opSel() != 0) {
      return null;
    }
    int to = -1;
    boolean isHalf = false;
    List<Read> reads = new ArrayList<>();
    for (int n = 0; n < i.operands().size(); n++) {
      Opcode.Slot slot = i.opcode().slots().get(n);
      Operand operand = i.operands().get(n);
      if (slot.destination()) {
        to = Scalars.register(i, n);
        isHalf = slot.type().isHalf();
        continue;
      }
      boolean isKnown =
          operand instanceof Operand.Scalar
              || operand instanceof Operand.Inline
              || operand instanceof Operand.Literal;
      if (!isKnown) {
        return null;
      }
      int source = reads.size();
      int down = i.name().equals(HIGH) ? 16 : 0;
      reads.add(
          new Read(operand, slot.type(), down, bits.abs() >> source & 1, bits.neg() >> source & 1));
    }
    if (reads.size() == work.sources() - 1 && to >= 0) {
      // It adds to its destination.
      reads.add(new Read(new Operand.Scalar(to, 1), reads.getFirst().type(), 0, 0, 0));
    }
    boolean compares = work.test() != null;
    return reads.size() == work.sources()
            && compares == (to < 0)
            && compares == (work.value() == null)
        ? form(work, List.copyOf(reads), to, isHalf)
        : null;
  }

  private static Form form(LaneWork work, List<Read> reads, int to, boolean isHalf) {
    return (Form.Scalar)
        f -> {
          Chunk c = new Chunk(f.ir, f.width, "0", null);
          String[] values = new String[3];
          for (int n = 0; n < reads.size(); n++) {
            values[n] = reads.get(n).of(f, c);
          }
          LaneWork.Values of = new LaneWork.Values(c, values[0], values[1], values[2], null);
          if (work.test() != null) {
            String test = work.test().apply(of);
            f.scc(f.ir.value("extractelement %s %s, i64 0", c.bits, test));
          } else if (work.value() != null) {
            String value = work.value().apply(of);
            String word = f.ir.value("extractelement %s %s, i64 0", c.ints, value);
            f.scalar(to, isHalf ? f.ir.value("and i32 %s, %d", word, LOW_HALF) : word);
          }
        };
  }
}
