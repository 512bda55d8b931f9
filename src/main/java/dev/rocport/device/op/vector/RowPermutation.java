package dev.rocport.device.op.vector;

import dev.rocport.device.isa.DataType;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;
import java.util.Optional;

/**
 * v_permlane16_b32 and v_permlanex16_b32: each lane of a row takes the value of the lane that four
 * bits of two scalars name, in its own row or in the other row of its 32 lanes. In the _var forms
 * of RDNA 4, each lane of a vector register has the bits of that lane. op_sel has whether inactive
 * lanes are read, and whether such a lane gives 0. Not checked against AMD's RDNA3 ISA manual.
 */
final class RowPermutation extends Op {
  private static final int[] NOTHING = new int[0];

  private final Row from;
  private final Row low;
  private final Row high;
  private final int to;
  private final int other;
  private final boolean eachItsOwn;
  private final boolean fetchInactive;
  private final boolean boundControl;

  private RowPermutation(Instruction instruction, Row from, Row low, Row high, int to) {
    super(instruction);
    this.from = from;
    this.low = low;
    this.high = high;
    this.to = to * Wave.LANES;
    this.other = instruction.name().startsWith("v_permlanex16_") ? 16 : 0;
    this.eachItsOwn = instruction.name().endsWith("_var_b32");
    int select = instruction.modifiers() instanceof Modifiers.Vop3 m ? m.opSel() : 0;
    this.fetchInactive = (select & 1) != 0;
    this.boundControl = (select & 2) != 0;
  }

  static Optional<Op> of(Instruction instruction) {
    Row from = Row.of(instruction.operands().get(1), DataType.B32, 0);
    Row low = Row.of(instruction.operands().get(2), DataType.B32, 1);
    Row high =
        instruction.operands().size() > 3
            ? Row.of(instruction.operands().get(3), DataType.B32, 2)
            : low;
    return from == null
            || low == null
            || high == null
            || !(instruction.operands().getFirst() instanceof Operand.Vector(int to, int _))
        ? Optional.empty()
        : Optional.of(new RowPermutation(instruction, from, low, high, to));
  }

  @Override
  public void execute(Wave wave) {
    long exec = wave.exec();
    int[] own = eachItsOwn ? low.array(wave).clone() : NOTHING;
    long lanes = eachItsOwn ? 0 : (low.first(wave) & 0xffffffffL) | (long) high.first(wave) << 32;
    int[] values = from.array(wave).clone();
    for (long m = exec; m != 0; m &= m - 1) {
      int lane = Long.numberOfTrailingZeros(m);
      int of =
          eachItsOwn ? own[low.offset() + lane] & 15 : (int) (lanes >>> (4 * (lane & 15)) & 15);
      int source = ((lane & ~15) ^ other) + of;
      if (fetchInactive || (exec >>> source & 1) != 0) {
        wave.v[to + lane] = values[from.offset() + source];
      } else if (boundControl) {
        wave.v[to + lane] = 0;
      }
    }
  }
}
