package dev.rocport.device.nativecode;

import dev.rocport.device.isa.DataType;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.op.vector.DppLanes;
import dev.rocport.device.wave.Wave;
import org.jspecify.annotations.Nullable;

/**
 * Data-parallel primitives: source 0 comes from other lanes.
 *
 * @param reads the lane that each lane reads; -1 for none
 */
record DppForm(Modifiers.Dpp modifiers, int[] reads) {
  static @Nullable DppForm of(Modifiers.Dpp modifiers, DataType type) {
    int[] reads = DppLanes.of(modifiers.control());
    return reads == null || type.dwords() != 1 ? null : new DppForm(modifiers, reads);
  }

  @Nullable Form around(Instruction i, LaneWork work, LaneForms.Operands operands) {
    if (operands.sdst() >= 0
        || !(operands.sources().getFirst() instanceof Operand.Vector(int register, int _))) {
      return null;
    }
    return (Form.Whole)
        (f, stop) -> {
          f.uses(false, register, 1);
          LaneForms.emit(f, i, work, operands, f.lanes(), moved(f, register));
        };
  }

  /** Fills the words of source 0, and returns the lanes that the instruction writes. */
  private String moved(WaveFunction f, int register) {
    Ir ir = f.ir;
    String at = ir.value("getelementptr inbounds i32, ptr %%v, i64 %d", register * Wave.LANES);
    String row = ir.value("load <64 x i32>, ptr %s, align 4", at);
    StringBuilder order = new StringBuilder();
    StringBuilder keeps = new StringBuilder();
    long valid = 0;
    long enabled = 0;
    for (int lane = 0; lane < Wave.LANES; lane++) {
      String comma = lane == 0 ? "" : ", ";
      boolean source = reads[lane] >= 0;
      order.append(comma).append("i32 ").append(source ? reads[lane] : lane);
      keeps.append(comma).append("i1 ").append(source);
      valid |= source ? 1L << lane : 0;
      boolean in =
          (modifiers.rowMask() >> (lane / 16) & 1) != 0
              && (modifiers.bankMask() >> (lane % 16 / 4) & 1) != 0;
      enabled |= in ? 1L << lane : 0;
    }
    String exec = f.pair(Wave.EXEC);
    String active = ir.value("bitcast i64 %s to <64 x i1>", exec);
    String sources =
        ir.value("shufflevector <64 x i1> %s, <64 x i1> poison, <64 x i32> <%s>", active, order);
    String shuffled =
        ir.value("shufflevector <64 x i32> %s, <64 x i32> poison, <64 x i32> <%s>", row, order);
    String known = ir.value("and <64 x i1> %s, <%s>", sources, keeps);
    String value =
        ir.value("select <64 x i1> %s, <64 x i32> %s, <64 x i32> zeroinitializer", known, shuffled);
    ir.line("store <64 x i32> %s, ptr %s, align 64", value, f.lanes());
    if (modifiers.boundControl()) {
      return Long.toString(enabled);
    }
    String mask = ir.value("bitcast <64 x i1> %s to i64", sources);
    return ir.value("and i64 %s, %d", mask, enabled & valid);
  }
}
