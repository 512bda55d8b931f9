package dev.rocport.device.op.memory;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.wave.Wave;
import java.util.Arrays;

/**
 * ds_permute_b32: each active lane gives its value to the lane it names, the highest one wins; a
 * lane that gets none has 0.
 */
final class Permute extends LanePermutation {
  Permute(Instruction instruction, int offset) {
    super(instruction, offset);
  }

  @Override
  void run(Wave wave, long lanes) {
    int[] from = data.of(wave);
    int[] rows = wave.temporaries.rows;
    Arrays.fill(rows, 0, Wave.LANES, 0);
    for (long m = lanes; m != 0; m &= m - 1) {
      int lane = Long.numberOfTrailingZeros(m);
      int target = lane(wave, lane, (wave.v[address + lane] + offset) >>> 2);
      rows[target] = from[data.first() + lane];
    }
    Lanes.write(rows, lanes, result.of(wave), result.first());
  }
}
