package dev.rocport.device.op.memory;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.memory.Memory;
import dev.rocport.device.memory.MemoryFault.Access;
import dev.rocport.device.wave.Action;
import dev.rocport.device.wave.Wave;
import java.util.List;
import java.util.Optional;

/** Atomics on 64 bits, lane by lane from 0 up. */
final class Atomic64 extends LaneOp {
  final Space space;
  private final LongUpdate update;
  private final Rows data;
  private final Rows second;
  private final Optional<Rows> result;

  Atomic64(
      Instruction instruction,
      Space space,
      LongUpdate update,
      Rows data,
      Rows second,
      Optional<Rows> result) {
    super(instruction);
    this.space = space;
    this.update = update;
    this.data = data;
    this.second = second;
    this.result = result;
  }

  @Override
  public List<Action> actions() {
    return plainly();
  }

  @Override
  void run(Wave wave, long lanes) {
    long[] addresses = wave.temporaries.addresses;
    int stride = resolve(space, wave, lanes, 8, Access.ATOMIC, addresses);
    Alignment.require(wave, space, lanes, 8, stride, addresses);
    int[] from = data.of(wave);
    boolean returns = result.isPresent();
    int[] to = returns ? result.get().of(wave) : from;
    int destination = returns ? result.get().first() : 0;
    for (long m = lanes; m != 0; m &= m - 1) {
      int lane = Long.numberOfTrailingZeros(m);
      long address = addresses[lane];
      long old = 0;
      if (address != Space.NOWHERE) {
        long first = pair(from, data.first() + lane);
        long other = pair(from, second.first() + lane);
        old =
            space.shared()
                ? exchange(update, address, first, other)
                : replace(address, stride, first, other);
      }
      if (returns) {
        to[destination + lane] = (int) old;
        to[destination + lane + Wave.LANES] = (int) (old >>> 32);
      }
    }
  }

  /** The same with its operands read, on memory that others see. */
  AtomicAccess access(Wave wave, long lanes, long[] addresses) {
    int[] from = data.of(wave);
    long[] values = new long[Wave.LANES];
    long[] others = new long[Wave.LANES];
    for (int l = 0; l < Wave.LANES; l++) {
      values[l] = pair(from, data.first() + l);
      others[l] = pair(from, second.first() + l);
    }
    return new AtomicAccess(
        8,
        lanes,
        addresses.clone(),
        values,
        others,
        (address, first, other) -> exchange(update, address, first, other),
        result.map(r -> r.of(wave)).orElse(null),
        result.map(Rows::first).orElse(0));
  }

  private static long pair(int[] registers, int at) {
    return (registers[at] & 0xffffffffL) | (long) registers[at + Wave.LANES] << 32;
  }

  private long replace(long address, int stride, long first, long other) {
    long upper = address + stride;
    long old = (Memory.loadInt(address) & 0xffffffffL) | (long) Memory.loadInt(upper) << 32;
    long next = update.apply(old, first, other);
    Memory.storeInt(address, (int) next);
    Memory.storeInt(upper, (int) (next >>> 32));
    return old;
  }

  /** Updates memory that others see; the old value. */
  static long exchange(LongUpdate update, long address, long first, long other) {
    long old = (long) Memory.LONG.getVolatile(Memory.ALL, address);
    while (true) {
      long next = update.apply(old, first, other);
      long seen = (long) Memory.LONG.compareAndExchange(Memory.ALL, address, old, next);
      if (seen == old) {
        return old;
      }
      old = seen;
    }
  }
}
