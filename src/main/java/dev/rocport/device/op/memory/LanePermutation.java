package dev.rocport.device.op.memory;

import dev.rocport.device.isa.Generation;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.wave.Action;
import dev.rocport.device.wave.Wave;
import java.util.List;

/** Moves values between lanes that other lanes name by byte offsets. */
abstract class LanePermutation extends LaneOp {
  final int address;
  final Rows data;
  final Rows result;
  final int offset;
  private final boolean inHalves;

  LanePermutation(Instruction instruction, int offset) {
    super(instruction);
    this.address = Rows.required(instruction, "addr").first();
    this.data = Rows.required(instruction, "data0");
    this.result = Rows.required(instruction, "vdst");
    this.offset = offset;
    this.inHalves = instruction.opcode().generation() == Generation.RDNA3;
  }

  /**
   * The lane that a lane names. On RDNA 3, it is one of its own 32 lanes, in waves of 64 too.
   * Source: supportsWaveWideBPermute of LLVM.
   */
  final int lane(Wave wave, int lane, int named) {
    return inHalves ? (lane & 32) | (named & 31) : named & (wave.lanes - 1);
  }

  @Override
  public final List<Action> actions() {
    return plainly();
  }
}
