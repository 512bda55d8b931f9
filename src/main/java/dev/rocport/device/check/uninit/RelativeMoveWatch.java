package dev.rocport.device.check.uninit;

import dev.rocport.device.check.AroundOp;
import dev.rocport.device.isa.DataType;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;
import java.util.List;

/** v_movrels_b32 and v_movreld_b32, where M0 chooses a vector register. */
final class RelativeMoveWatch extends AroundOp {
  private final VectorSource source;
  private final int target;
  private final boolean movesSource;

  RelativeMoveWatch(Op plain) {
    super(plain);
    List<Operand> operands = plain.instruction().operands();
    this.target = Registers.number(operands.getFirst());
    this.source = VectorSource.of(operands.get(1), DataType.B32);
    this.movesSource = plain.instruction().name().equals("v_movrels_b32");
  }

  @Override
  public void execute(Wave wave) {
    Shade shade = Shade.of(wave);
    if (shade.s[Wave.M0] != 0) {
      shade.report.address(wave, wave.exec(), shade.originOfScalar(Wave.M0));
      shade.defineScalars(Wave.M0, 1);
    }
    int by = wave.s[Wave.M0];
    plain.execute(wave);
    for (long m = wave.exec(); m != 0; m &= m - 1) {
      int lane = Long.numberOfTrailingZeros(m);
      if (movesSource) {
        int from = source.register + by;
        shade.set(target, lane, shade.bits(from, lane), shade.origin(from, lane));
      } else {
        int bits = (int) source.undefined(shade, lane);
        shade.set(target + by, lane, bits, bits == 0 ? 0 : source.origin(shade, lane));
      }
    }
  }
}
