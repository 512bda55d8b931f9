package dev.rocport.device.check.uninit;

import dev.rocport.device.check.AroundOp;
import dev.rocport.device.isa.DataType;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;

/** Instructions between one lane and scalar registers. */
final class LaneWatch extends AroundOp {
  private final VectorSource from;
  private final boolean first;
  private final boolean writes;
  private final VectorSource lane;

  /** A scalar code, or for v_writelane_b32 a vector register. */
  private final int target;

  LaneWatch(Op plain) {
    super(plain);
    String name = plain.instruction().name();
    this.first = name.equals("v_readfirstlane_b32");
    this.writes = name.equals("v_writelane_b32");
    this.from = VectorSource.of(plain.instruction().operands().get(1), DataType.B32);
    this.lane =
        first
            ? VectorSource.number(0)
            : VectorSource.of(plain.instruction().operands().get(2), DataType.B32);
    Operand to = plain.instruction().operands().getFirst();
    this.target = to instanceof Operand.Scalar(int code, int _) ? code : Registers.number(to);
  }

  @Override
  public void execute(Wave wave) {
    Shade shade = Shade.of(wave);
    long exec = wave.exec();
    int n =
        first
            ? exec == 0 ? 0 : Long.numberOfTrailingZeros(exec)
            : (int) lane.value(wave, 0) & (wave.lanes - 1);
    int bits = (int) from.undefined(shade, n);
    int origin = bits == 0 ? 0 : from.origin(shade, n);
    if (lane.undefined(shade, 0) != 0) {
      bits = -1;
      origin = lane.origin(shade, 0) | Origins.COMPUTED;
    }
    plain.execute(wave);
    if (writes && lane.undefined(shade, 0) != 0) {
      for (int any = 0; any < wave.lanes; any++) {
        shade.set(target, any, -1, origin);
      }
    } else if (writes) {
      shade.set(target, n, bits, origin);
    } else {
      shade.setScalar(target, bits, origin);
    }
  }
}
