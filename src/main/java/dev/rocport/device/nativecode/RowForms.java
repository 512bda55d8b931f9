package dev.rocport.device.nativecode;

import dev.rocport.device.isa.DataType;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Operand;
import org.jspecify.annotations.Nullable;

/**
 * v_permlane16_b32 and v_permlanex16_b32: each lane takes the value of a lane in its own row of 16,
 * or in the other row of its 32 lanes. Source of the results: {@code device.op.vector}.
 */
final class RowForms {
  private static final int ROW = 16;

  private RowForms() {}

  static @Nullable Form of(Instruction i) {
    Registers to = MemoryForms.registers(i, "vdst");
    Registers data = MemoryForms.registers(i, "src0");
    Operand low = i.operand("src1");
    Operand high = i.operand("src2");
    if (to == null || data == null || !Scalars.knows(low) || !Scalars.knows(high)) {
      return null;
    }
    int select = i.modifiers() instanceof Modifiers.Vop3 m ? m.opSel() : 0;
    boolean fetchInactive = (select & 1) != 0;
    boolean boundControl = (select & 2) != 0;
    int other = i.name().equals("v_permlanex16_b32") ? ROW : 0;
    return (Form.Whole)
        (f, stop) -> {
          String first = Scalars.word(f, low, DataType.B32);
          String second = Scalars.word(f, high, DataType.B32);
          String all = f.ir.pair(first, second);
          new LaneGather(data, c -> lanes(c, all, other), fetchInactive).emit(f, to, boundControl);
        };
  }

  /** The lane that each lane reads: four bits of the 64 for each lane of a row. */
  private static String lanes(Chunk c, String all, int other) {
    String lane = c.lanes();
    String shift = c.i32("shl", c.i32("and", lane, LaneWork.n(ROW - 1)), LaneWork.n(2));
    String wide = c.convert("zext", c.ints, shift, c.longs);
    String in = c.low(c.i64("lshr", c.splat("i64", all), wide));
    String row = c.i32("xor", c.i32("and", lane, LaneWork.n(-ROW)), LaneWork.n(other));
    return c.i32("add", row, c.i32("and", in, LaneWork.n(ROW - 1)));
  }
}
