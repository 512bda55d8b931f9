package dev.rocport.device.check.uninit;

import dev.rocport.device.check.AroundOp;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;

/**
 * ds_bpermute_b32, ds_permute_b32 and ds_swizzle_b32. The operation is done on undefined bits as it
 * is on values: they are put in the place of the values for once. That takes the bare operation,
 * since what another check has put around it may bring the result to its register only later.
 */
final class PermuteWatch extends AroundOp {
  private static final int NONE = -1;

  private final Op bare;
  private final int names;
  private final int data;
  private final int target;

  PermuteWatch(Op plain, Op bare) {
    super(plain);
    this.bare = bare;
    boolean swizzle = plain.instruction().name().equals("ds_swizzle_b32");
    this.names = swizzle ? NONE : number("addr");
    this.data = number(swizzle ? "addr" : "data0");
    this.target = number("vdst");
  }

  private int number(String slot) {
    Operand operand = instruction().operand(slot);
    return Registers.number(operand);
  }

  @Override
  public void execute(Wave wave) {
    Shade shade = Shade.of(wave);
    long exec = wave.exec();
    long unnamed = names == NONE ? 0 : shade.any[names] & exec;
    if ((shade.any[data] & exec) == 0 && unnamed == 0) {
      plain.execute(wave);
      shade.any[target] &= ~exec;
      return;
    }
    Work work = shade.report.work();
    int[] values = file(wave, data);
    int[] results = file(wave, target);
    int from = at(data);
    int to = at(target);
    int[] kept = new int[Wave.LANES];
    int[] before = new int[Wave.LANES];
    System.arraycopy(values, from, kept, 0, Wave.LANES);
    System.arraycopy(results, to, before, 0, Wave.LANES);
    int origin = Origins.REGISTER;
    for (int lane = 0; lane < Wave.LANES; lane++) {
      int bits = shade.bits(data, lane);
      values[from + lane] = bits;
      if ((exec >>> lane & 1) != 0 && bits != 0) {
        origin = shade.origin(data, lane);
      }
    }
    boolean named = names == NONE || names != data;
    if (!named) {
      // data and lane numbers are one register: what is undefined is unnamed too
      System.arraycopy(kept, 0, values, from, Wave.LANES);
    }
    bare.execute(wave);
    for (int lane = 0; lane < Wave.LANES; lane++) {
      work.bits[lane] = named ? results[to + lane] : unnamed == 0 ? 0 : -1;
    }
    System.arraycopy(before, 0, results, to, Wave.LANES);
    System.arraycopy(kept, 0, values, from, Wave.LANES);
    plain.execute(wave);
    boolean pushes = instruction().name().equals("ds_permute_b32");
    for (long m = exec; m != 0; m &= m - 1) {
      int lane = Long.numberOfTrailingZeros(m);
      boolean unknown = pushes ? unnamed != 0 : (unnamed >>> lane & 1) != 0;
      if (unknown) {
        int first = Long.numberOfTrailingZeros(unnamed);
        shade.set(target, lane, -1, shade.origin(names, pushes ? first : lane) | Origins.COMPUTED);
      } else {
        shade.set(target, lane, (int) work.bits[lane], origin);
      }
    }
  }

  private static int[] file(Wave wave, int register) {
    return register < Shade.ACCUMULATORS ? wave.v : wave.a;
  }

  private static int at(int register) {
    return (register & Shade.ACCUMULATORS - 1) * Wave.LANES;
  }
}
