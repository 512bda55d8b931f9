package dev.rocport.device.op.memory;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.wave.Wave;

/** ds_bpermute_b32: each lane takes the value of the lane it names; of an inactive one, 0. */
final class BackwardPermute extends LanePermutation {
  BackwardPermute(Instruction instruction, int offset) {
    super(instruction, offset);
  }

  @Override
  void run(Wave wave, long lanes) {
    int[] names = wave.v;
    int[] from = data.of(wave);
    int[] rows = wave.temporaries.rows;
    int source = data.first();
    for (int l = 0; l < Wave.LANES; l++) {
      int lane = lane(wave, l, (names[address + l] + offset) >>> 2);
      rows[l] = from[source + lane] & -(int) (lanes >>> lane & 1);
    }
    Lanes.write(rows, lanes, result.of(wave), result.first());
  }
}
