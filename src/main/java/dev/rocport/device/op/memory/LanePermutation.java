package dev.rocport.device.op.memory;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.wave.Action;
import java.util.List;

/** Moves values between lanes that other lanes name by byte offsets. */
abstract class LanePermutation extends LaneOp {
  final int address;
  final Rows data;
  final Rows result;
  final int offset;

  LanePermutation(Instruction instruction, int offset) {
    super(instruction);
    this.address = Rows.required(instruction, "addr").first();
    this.data = Rows.required(instruction, "data0");
    this.result = Rows.required(instruction, "vdst");
    this.offset = offset;
  }

  @Override
  public final List<Action> actions() {
    return plainly();
  }
}
