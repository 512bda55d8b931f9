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
 * @param boundControl whether a lane is written that has no active source
 * @param fetchInactive whether inactive lanes are sources like active ones
 */
record DppForm(
    int[] reads, int rowMask, int bankMask, boolean boundControl, boolean fetchInactive) {
  static @Nullable DppForm of(Modifiers modifiers, DataType type) {
    DppForm form =
        switch (modifiers) {
          case Modifiers.Dpp m -> {
            int[] reads = DppLanes.of(m.control());
            yield reads == null
                ? null
                : new DppForm(reads, m.rowMask(), m.bankMask(), m.boundControl(), false);
          }
          case Modifiers.Moved m ->
              new DppForm(
                  DppLanes.of(m), m.rowMask(), m.bankMask(), m.boundControl(), m.fetchInactive());
          default -> null;
        };
    return type.dwords() == 1 ? form : null;
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
    int size = f.size;
    String bits = "<%d x i1>".formatted(size);
    String words = "<%d x i32>".formatted(size);
    String at = ir.value("getelementptr inbounds i32, ptr %%v, i64 %d", register * Wave.LANES);
    String row = ir.value("load %s, ptr %s, align 4", words, at);
    StringBuilder order = new StringBuilder();
    StringBuilder keeps = new StringBuilder();
    long valid = 0;
    long enabled = 0;
    for (int lane = 0; lane < size; lane++) {
      String comma = lane == 0 ? "" : ", ";
      boolean source = reads[lane] >= 0;
      order.append(comma).append("i32 ").append(source ? reads[lane] : lane);
      keeps.append(comma).append("i1 ").append(source);
      valid |= source ? 1L << lane : 0;
      boolean in = (rowMask >> (lane / 16) & 1) != 0 && (bankMask >> (lane % 16 / 4) & 1) != 0;
      enabled |= in ? 1L << lane : 0;
    }
    String from = fetchInactive ? "splat (i1 true)" : f.active();
    String sources =
        ir.value("shufflevector %s %s, %s poison, %s <%s>", bits, from, bits, words, order);
    String shuffled =
        ir.value("shufflevector %s %s, %s poison, %s <%s>", words, row, words, words, order);
    String known = ir.value("and %s %s, <%s>", bits, sources, keeps);
    String value =
        ir.value("select %s %s, %s %s, %s zeroinitializer", bits, known, words, shuffled, words);
    ir.line("store %s %s, ptr %s, align 64", words, value, f.lanes());
    if (boundControl) {
      return Long.toString(enabled);
    }
    String mask = ir.value("bitcast %s %s to i%d", bits, sources, size);
    String wide = size == Wave.LANES ? mask : ir.value("zext i%d %s to i64", size, mask);
    return ir.value("and i64 %s, %d", wide, enabled & valid);
  }
}
