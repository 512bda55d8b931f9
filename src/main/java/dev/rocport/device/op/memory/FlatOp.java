package dev.rocport.device.op.memory;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.wave.Action;
import dev.rocport.device.wave.Wave;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A flat access: each lane's address says whether it goes to global memory, LDS or scratch. It is
 * the address with the offset: compilers put a pointer before the start of an array and come back
 * by the offset.
 */
final class FlatOp extends LaneOp {
  /** The bits that no high word of an address in a process has, but one near an aperture has. */
  private static final int NOT_GLOBAL = 0xffff8000;

  final int low;
  final int offset;
  final LaneOp global;
  final LaneOp local;
  final LaneOp scratch;

  /**
   * One operation for each kind of memory.
   *
   * @param low the index of lane 0 of the low words of the addresses
   */
  FlatOp(
      Instruction instruction, int low, int offset, LaneOp global, LaneOp local, LaneOp scratch) {
    super(instruction);
    this.low = low;
    this.offset = offset;
    this.global = global;
    this.local = local;
    this.scratch = scratch;
  }

  /** To global memory as one of its own does it: the windows of that have addresses of no other. */
  @Override
  public @Nullable List<Action> actions() {
    List<Action> actions = global.actions();
    return actions == null ? null : List.of(new Flat(this, low, actions.getFirst()));
  }

  private record Flat(FlatOp flat, int low, Action global) implements Action {
    @Override
    public void run(Wave wave, long exec) {
      if (exec == 0) {
        return;
      }
      int high = low + Wave.LANES;
      if ((wave.v[high + Long.numberOfTrailingZeros(exec)] & NOT_GLOBAL) == 0
          && Moves.isUniform(wave.v, high, exec)) {
        global.run(wave, exec);
      } else {
        flat.run(wave, exec);
      }
    }
  }

  @Override
  void run(Wave wave, long lanes) {
    int[] v = wave.v;
    int high = low + Wave.LANES;
    int any = 0;
    for (int l = 0; l < Wave.LANES; l++) {
      any |= v[high + l];
    }
    if ((any & NOT_GLOBAL) == 0) {
      global.run(wave, lanes);
      return;
    }
    long inLocal = 0;
    long inScratch = 0;
    for (long m = lanes; m != 0; m &= m - 1) {
      int lane = Long.numberOfTrailingZeros(m);
      long address = ((v[low + lane] & 0xffffffffL) | (long) v[high + lane] << 32) + offset;
      int word = (int) (address >>> 32);
      if (word == Wave.SHARED_APERTURE) {
        inLocal |= 1L << lane;
      } else if (word == Wave.PRIVATE_APERTURE) {
        inScratch |= 1L << lane;
      }
    }
    long inGlobal = lanes & ~inLocal & ~inScratch;
    if (inGlobal != 0) {
      global.run(wave, inGlobal);
    }
    if (inLocal != 0) {
      local.run(wave, inLocal);
    }
    if (inScratch != 0) {
      scratch.run(wave, inScratch);
    }
  }
}
