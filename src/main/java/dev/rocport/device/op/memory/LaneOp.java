package dev.rocport.device.op.memory;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.memory.MemoryFault.Access;
import dev.rocport.device.wave.AccessObserver;
import dev.rocport.device.wave.AccessObserver.Kind;
import dev.rocport.device.wave.Action;
import dev.rocport.device.wave.MemoryAccess;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An operation of the active lanes that can also be done for some of them. */
abstract class LaneOp extends Op {
  /** Runs after which {@link #actions} are worth their making, also outside of a block. */
  private static final int HOT = 500;

  /** The bytes of a dword. */
  private static final int DWORD = 4;

  /** Threads may lose counts to each other. */
  private int left = HOT;

  private @Nullable Action fast;

  LaneOp(Instruction instruction) {
    super(instruction);
  }

  @Override
  public final void execute(Wave wave) {
    long exec = wave.exec();
    if (exec == 0) {
      return;
    }
    Action action = fast;
    if (action != null) {
      action.run(wave, exec);
      return;
    }
    if (left > 0 && --left == 0) {
      Moving.whenWarm(this::quicken);
    }
    run(wave, exec);
  }

  private void quicken() {
    List<Action> actions = actions();
    fast = actions == null ? null : actions.getFirst();
  }

  /** {@link #actions} of an operation that has nothing faster than {@link #run}. */
  final List<Action> plainly() {
    return List.of(
        (wave, exec) -> {
          if (exec != 0) {
            run(wave, exec);
          }
        });
  }

  /**
   * Does the work of some lanes.
   *
   * @param lanes bit l: lane l takes part; not 0
   */
  abstract void run(Wave wave, long lanes);

  /** {@link Space#resolve}, with a call of the observer. */
  final int resolve(
      Space space, Wave wave, long lanes, int bytes, Access access, long[] addresses) {
    AccessObserver observer = wave.observer;
    if (observer == null) {
      return space.resolve(wave, lanes, bytes, access, addresses);
    }
    int known = place(space, wave, lanes, bytes, access, addresses);
    int stride =
        known == Moves.OUTSIDE ? space.resolve(wave, lanes, bytes, access, addresses) : DWORD;
    boolean own =
        space instanceof BufferSpace
            && stride != Space.SCATTERED
            && isScratch(wave, lanes, addresses);
    Kind kind = own ? Kind.SCRATCH : space.kind();
    int shape = known == Moves.OUTSIDE ? MemoryAccess.ANY : known;
    observer.lanes(
        wave,
        instruction(),
        new MemoryAccess(kind, access, lanes, bytes, addresses, stride, shape));
    return stride;
  }

  /** Finds addresses and their shape at once; {@link Moves#OUTSIDE} where that cannot be done. */
  private static int place(
      Space space, Wave wave, long lanes, int bytes, Access access, long[] addresses) {
    if (bytes < DWORD || !(space instanceof LinearSpace linear) || !Moving.isWarm()) {
      return Moves.OUTSIDE;
    }
    LinearSpace.Window window = linear.window(wave, lanes, bytes, access);
    if (window == null) {
      return Moves.OUTSIDE;
    }
    int shape;
    if (access == Access.ATOMIC) {
      // Their lanes are looked at one by one in any case.
      boolean inside =
          Moves.inside(wave.v, linear.row(), linear.add(), window.low(), window.limit(), lanes);
      shape = inside ? MemoryAccess.ANY : Moves.OUTSIDE;
    } else {
      shape =
          Moves.shape(
              wave.v, linear.row(), linear.add(), window.low(), window.limit(), bytes, lanes);
    }
    if (shape != Moves.OUTSIDE) {
      linear.addresses(wave, window, addresses);
      linear.count(wave, lanes, bytes, access);
    }
    return shape;
  }

  /** The stack of some targets lies behind a buffer descriptor. */
  static boolean isScratch(Wave wave, long lanes, long[] addresses) {
    long at = addresses[Long.numberOfTrailingZeros(lanes)] - wave.scratch;
    return wave.scratch != 0 && at >= 0 && at < (long) wave.scratchPerLane * Wave.LANES;
  }

  /** Tells an observer of an access of all lanes to one word of LDS. */
  final void counter(Wave wave, long lanes, long address) {
    AccessObserver observer = wave.observer;
    if (observer != null) {
      long[] addresses = wave.temporaries.addresses;
      Arrays.fill(addresses, address);
      observer.lanes(
          wave, instruction(), new MemoryAccess(Kind.LDS, Access.ATOMIC, lanes, 4, addresses, 4));
    }
  }
}
