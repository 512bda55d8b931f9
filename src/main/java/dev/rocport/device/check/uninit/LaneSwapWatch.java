package dev.rocport.device.check.uninit;

import dev.rocport.device.check.AroundOp;
import dev.rocport.device.op.vector.LaneSwap;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;

/** v_permlane16_swap_b32 and v_permlane32_swap_b32: undefined bits change places as values do. */
final class LaneSwapWatch extends AroundOp {
  private final LaneSwap swap;

  LaneSwapWatch(Op plain, LaneSwap swap) {
    super(plain);
    this.swap = swap;
  }

  @Override
  public void execute(Wave wave) {
    Shade shade = Shade.of(wave);
    int[] registers =
        swap.upper() == swap.lower()
            ? new int[] {swap.upper()}
            : new int[] {swap.upper(), swap.lower()};
    if ((shade.any[swap.upper()] | shade.any[swap.lower()]) != 0) {
      int low = (registers.length - 1) * Wave.LANES;
      int[] bits = new int[registers.length * Wave.LANES];
      int[] origins = new int[bits.length];
      for (int i = 0; i < bits.length; i++) {
        bits[i] = shade.bits(registers[i / Wave.LANES], i % Wave.LANES);
        origins[i] = bits[i] == 0 ? 0 : shade.origin(registers[i / Wave.LANES], i % Wave.LANES);
      }
      swap.swap(bits, 0, low, wave.exec());
      swap.swap(origins, 0, low, wave.exec());
      for (int i = 0; i < bits.length; i++) {
        shade.set(registers[i / Wave.LANES], i % Wave.LANES, bits[i], origins[i]);
      }
    }
    plain.execute(wave);
  }
}
