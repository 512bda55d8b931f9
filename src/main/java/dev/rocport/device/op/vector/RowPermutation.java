package dev.rocport.device.op.vector;

import dev.rocport.device.isa.DataType;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;
import java.util.Optional;
import java.util.Set;

/**
 * v_permlane16_b32 and v_permlanex16_b32: each lane of a row takes the value of the lane that four
 * bits of two scalars name, in its own row or in the other row of its 32 lanes. In the _var forms
 * of RDNA 4, each lane of a vector register has the bits of that lane. op_sel has whether inactive
 * lanes are read, and whether such a lane gives 0. Not checked against AMD's RDNA3 ISA manual.
 */
public final class RowPermutation extends Op {
  /** Instead of the number of a lane: 0, and what the lane had. */
  public static final int ZERO = -1;

  public static final int KEPT = -2;

  private static final Set<String> NAMES =
      Set.of(
          "v_permlane16_b32", "v_permlanex16_b32", "v_permlane16_var_b32", "v_permlanex16_var_b32");

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

  /** Empty for another instruction. */
  public static Optional<RowPermutation> of(Instruction instruction) {
    if (!NAMES.contains(instruction.name())) {
      return Optional.empty();
    }
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

  /** The lane that a lane names, active or not. */
  public int named(Wave wave, int lane) {
    int of = eachItsOwn ? low.array(wave)[low.offset() + lane] : selected(wave, lane & 15);
    return ((lane & ~15) ^ other) + (of & 15);
  }

  /** Whether a lane that reads no active lane gets 0. */
  public boolean boundControl() {
    return boundControl;
  }

  /** The lane that an active lane reads, {@link #ZERO} or {@link #KEPT}. */
  public int source(Wave wave, int lane) {
    int source = named(wave, lane);
    if (fetchInactive || (wave.exec() >>> source & 1) != 0) {
      return source;
    }
    return boundControl ? ZERO : KEPT;
  }

  /** Four bits of the scalars. */
  private int selected(Wave wave, int lane) {
    return (lane < 8 ? low : high).first(wave) >>> (4 * (lane & 7));
  }

  @Override
  public void execute(Wave wave) {
    int[] results = new int[Wave.LANES];
    long written = 0;
    for (long m = wave.exec(); m != 0; m &= m - 1) {
      int lane = Long.numberOfTrailingZeros(m);
      int source = source(wave, lane);
      if (source != KEPT) {
        results[lane] = source == ZERO ? 0 : from.array(wave)[from.offset() + source];
        written |= 1L << lane;
      }
    }
    for (; written != 0; written &= written - 1) {
      int lane = Long.numberOfTrailingZeros(written);
      wave.v[to + lane] = results[lane];
    }
  }
}
