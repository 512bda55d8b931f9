package dev.rocport.device.op.memory;

import dev.rocport.device.isa.Feature;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.memory.Memory;
import dev.rocport.device.memory.MemoryFault.Access;
import dev.rocport.device.wave.Action;
import dev.rocport.device.wave.Wave;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Atomics on 32 bits, lane by lane from 0 up. gfx90a takes denormal floats for 0 where it adds them
 * to global memory: LLVM does not select its instruction where they count.
 */
final class Atomic32 extends LaneOp {
  final Space space;
  private final IntUpdate update;
  private final Rows data;
  private final Rows second;
  private final Optional<Rows> result;
  private final boolean addsFloats;

  Atomic32(
      Instruction instruction,
      Space space,
      IntUpdate update,
      Rows data,
      Rows second,
      Optional<Rows> result) {
    super(instruction);
    this.space = space;
    this.update = update;
    this.data = data;
    this.second = second;
    this.result = result;
    this.addsFloats = space.shared() && instruction.name().endsWith("_add_f32");
  }

  @Override
  public List<Action> actions() {
    // Where floats are flushed, and in scratch, the plain way serves.
    if (addsFloats || !(space instanceof LinearSpace linear)) {
      return plainly();
    }
    Moving.warm();
    return List.of(new Linear(this, linear, update, data, second, result.orElse(null)));
  }

  private record Linear(
      Atomic32 atomic,
      LinearSpace space,
      IntUpdate update,
      Rows data,
      Rows second,
      @Nullable Rows result)
      implements Action {
    @Override
    public void run(Wave wave, long exec) {
      if (exec == 0) {
        return;
      }
      LinearSpace.Window window =
          wave.observer == null ? space.window(wave, exec, 4, Access.ATOMIC) : null;
      if (window == null
          || !Moves.inside(wave.v, space.row(), space.add(), window.low(), window.limit(), exec)
          || !Moves.aligned(wave.v, space.row(), space.add() + (int) window.base(), 3, exec)) {
        atomic.run(wave, exec);
        return;
      }
      space.count(wave, exec, 4, Access.ATOMIC);
      update(wave.v, window.base(), data.of(wave), result == null ? null : result.of(wave), exec);
    }

    private void update(int[] v, long base, int[] from, int @Nullable [] to, long lanes) {
      for (long m = lanes; m != 0; m &= m - 1) {
        int lane = Long.numberOfTrailingZeros(m);
        long address = base + ((v[space.row() + lane] + space.add()) & 0xffffffffL);
        int one = from[data.first() + lane];
        int other = from[second.first() + lane];
        int old;
        if (space.shared()) {
          old = exchange(update, address, one, other);
        } else {
          old = Memory.loadInt(address);
          Memory.storeInt(address, update.apply(old, one, other));
        }
        if (to != null && result != null) {
          to[result.first() + lane] = old;
        }
      }
    }
  }

  @Override
  void run(Wave wave, long lanes) {
    long[] addresses = wave.temporaries.addresses;
    int stride = resolve(space, wave, lanes, 4, Access.ATOMIC, addresses);
    Alignment.require(wave, space, lanes, 4, stride, addresses);
    IntUpdate change = change(wave);
    int[] from = data.of(wave);
    boolean returns = result.isPresent();
    int[] to = returns ? result.get().of(wave) : from;
    int destination = returns ? result.get().first() : 0;
    for (long m = lanes; m != 0; m &= m - 1) {
      int lane = Long.numberOfTrailingZeros(m);
      long address = addresses[lane];
      int old = 0;
      if (address != Space.NOWHERE) {
        int first = from[data.first() + lane];
        int other = from[second.first() + lane];
        old =
            space.shared()
                ? exchange(change, address, first, other)
                : replace(address, first, other);
      }
      if (returns) {
        to[destination + lane] = old;
      }
    }
  }

  /** The update as the wave's target does it. */
  private IntUpdate change(Wave wave) {
    boolean flushes =
        addsFloats && !wave.group.environment().target().has(Feature.ATOMIC_F32_DENORMALS);
    return flushes ? FloatUpdates::addFlushed : update;
  }

  /** The same with its operands read, on memory that others see. */
  AtomicAccess access(Wave wave, long lanes, long[] addresses) {
    IntUpdate change = change(wave);
    int[] from = data.of(wave);
    long[] values = new long[Wave.LANES];
    long[] others = new long[Wave.LANES];
    for (int l = 0; l < Wave.LANES; l++) {
      values[l] = from[data.first() + l];
      others[l] = from[second.first() + l];
    }
    return new AtomicAccess(
        4,
        lanes,
        addresses.clone(),
        values,
        others,
        (address, first, other) -> exchange(change, address, (int) first, (int) other),
        result.map(r -> r.of(wave)).orElse(null),
        result.map(Rows::first).orElse(0));
  }

  private int replace(long address, int first, int other) {
    int old = Memory.loadInt(address);
    Memory.storeInt(address, update.apply(old, first, other));
    return old;
  }

  /** Updates memory that others see; the old value. */
  static int exchange(IntUpdate update, long address, int first, int other) {
    int old = (int) Memory.INT.getVolatile(Memory.ALL, address);
    while (true) {
      int next = update.apply(old, first, other);
      int seen = (int) Memory.INT.compareAndExchange(Memory.ALL, address, old, next);
      if (seen == old) {
        return old;
      }
      old = seen;
    }
  }
}
