package dev.rocport.device.op.memory;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.wave.Action;
import dev.rocport.device.wave.Wave;
import java.util.List;

/**
 * ds_swizzle_b32: lanes exchange values in a fixed pattern; an inactive source gives 0. CDNA3 ISA,
 * DS_SWIZZLE_B32.
 */
final class Swizzle extends LaneOp {
  private final Rows data;
  private final Rows result;
  private final int[] sources = new int[Wave.LANES];

  Swizzle(Instruction instruction, int pattern) {
    super(instruction);
    this.data = Rows.required(instruction, "addr");
    this.result = Rows.required(instruction, "vdst");
    for (int l = 0; l < Wave.LANES; l++) {
      sources[l] = SwizzleLanes.source(pattern, l);
    }
  }

  @Override
  public List<Action> actions() {
    return plainly();
  }

  @Override
  void run(Wave wave, long lanes) {
    int[] from = data.of(wave);
    int[] rows = wave.temporaries.rows;
    for (int l = 0; l < Wave.LANES; l++) {
      int lane = sources[l];
      rows[l] = from[data.first() + lane] & -(int) (lanes >>> lane & 1);
    }
    Lanes.write(rows, lanes, result.of(wave), result.first());
  }
}
