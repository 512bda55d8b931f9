package dev.rocport.device.check.uninit;

import dev.rocport.device.check.AroundOp;
import dev.rocport.device.op.vector.HalfSwap;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;

/** v_swap_b16: undefined bits change places as values do. */
final class HalfSwapWatch extends AroundOp {
  private final HalfSwap swap;

  HalfSwapWatch(Op plain, HalfSwap swap) {
    super(plain);
    this.swap = swap;
  }

  @Override
  public void execute(Wave wave) {
    Shade shade = Shade.of(wave);
    if ((shade.any[swap.one()] | shade.any[swap.other()]) != 0) {
      for (long m = wave.exec(); m != 0; m &= m - 1) {
        lane(shade, Long.numberOfTrailingZeros(m));
      }
    }
    plain.execute(wave);
  }

  private void lane(Shade shade, int lane) {
    int[] bits = {shade.bits(swap.one(), lane), shade.bits(swap.other(), lane)};
    int ofOne = bits[0] == 0 ? 0 : shade.origin(swap.one(), lane);
    int ofOther = bits[1] == 0 ? 0 : shade.origin(swap.other(), lane);
    boolean keepsOne = (bits[0] & ~swap.swapped(true)) != 0;
    boolean keepsOther = (bits[1] & ~swap.swapped(false)) != 0;
    boolean same = swap.one() == swap.other();
    swap.swap(bits, 0, same ? 0 : 1);
    shade.set(swap.one(), lane, bits[0], keepsOne || same ? ofOne : ofOther);
    if (!same) {
      shade.set(swap.other(), lane, bits[1], keepsOther ? ofOther : ofOne);
    }
  }
}
