package dev.rocport.device.check.uninit;

import dev.rocport.device.check.AroundOp;
import dev.rocport.device.isa.DataType;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.op.vector.RowPermutation;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** v_permlane16_b32 and its like: undefined bits move with the values. */
final class RowPermuteWatch extends AroundOp {
  private final RowPermutation permutation;
  private final VectorSource data;
  private final List<VectorSource> names;
  private final int target;

  RowPermuteWatch(Op plain, RowPermutation permutation) {
    super(plain);
    this.permutation = permutation;
    List<Operand> operands = plain.instruction().operands();
    this.target = Registers.number(operands.getFirst());
    this.data = VectorSource.of(operands.get(1), DataType.B32);
    this.names = operands.stream().skip(2).map(o -> VectorSource.of(o, DataType.B32)).toList();
  }

  @Override
  public void execute(Wave wave) {
    Shade shade = Shade.of(wave);
    Work work = shade.report.work();
    long written = 0;
    for (long m = wave.exec(); m != 0; m &= m - 1) {
      int lane = Long.numberOfTrailingZeros(m);
      int source = permutation.source(wave, lane);
      VectorSource unnamed = unnamed(shade, lane);
      if (unnamed == null && source == RowPermutation.KEPT) {
        continue;
      }
      written |= 1L << lane;
      work.bits[lane] =
          unnamed != null ? -1 : source == RowPermutation.ZERO ? 0 : data.undefined(shade, source);
      if (work.bits[lane] != 0) {
        work.origins[lane] =
            unnamed != null
                ? unnamed.origin(shade, lane) | Origins.COMPUTED
                : data.origin(shade, source);
      }
    }
    plain.execute(wave);
    for (; written != 0; written &= written - 1) {
      int lane = Long.numberOfTrailingZeros(written);
      shade.set(target, lane, (int) work.bits[lane], work.origins[lane]);
    }
  }

  /** What names the lane that a lane reads, if that is undefined. */
  private @Nullable VectorSource unnamed(Shade shade, int lane) {
    for (VectorSource name : names) {
      if (name.undefined(shade, lane) != 0) {
        return name;
      }
    }
    return null;
  }
}
