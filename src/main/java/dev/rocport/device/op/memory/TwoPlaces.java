package dev.rocport.device.op.memory;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.memory.Memory;
import dev.rocport.device.memory.MemoryFault.Access;
import dev.rocport.device.wave.Action;
import dev.rocport.device.wave.Wave;
import java.util.List;
import java.util.Optional;

/** ds_read2, ds_write2 and ds_wrxchg2: two values of a lane, each at its own offset. */
final class TwoPlaces extends LaneOp {
  private final Space first;
  private final Space second;
  private final int dwords;
  private final Access access;
  private final Optional<Rows> source0;
  private final Optional<Rows> source1;
  private final Optional<Rows> destination;

  /**
   * @param verb read2, write2 or wrxchg2, with or without st64
   * @param wide the values have 64 bits
   */
  TwoPlaces(Instruction instruction, Space first, Space second, String verb, boolean wide) {
    super(instruction);
    this.first = first;
    this.second = second;
    this.dwords = wide ? 2 : 1;
    boolean reads = verb.startsWith("read");
    boolean writes = verb.startsWith("write");
    this.access = reads ? Access.LOAD : writes ? Access.STORE : Access.ATOMIC;
    this.source0 = reads ? Optional.empty() : Rows.in(instruction, "data0");
    this.source1 = reads ? Optional.empty() : Rows.in(instruction, "data1");
    this.destination = writes ? Optional.empty() : Rows.in(instruction, "vdst");
  }

  @Override
  public List<Action> actions() {
    if (access == Access.ATOMIC
        || !(first instanceof LocalSpace one)
        || !(second instanceof LocalSpace two)) {
      return plainly();
    }
    Moving.warm();
    return List.of(
        access == Access.LOAD
            ? new LocalLoad(this, one, two, dwords, destination.orElseThrow())
            : new LocalStore(this, one, two, dwords, source0.orElseThrow(), source1.orElseThrow()));
  }

  private record LocalLoad(
      TwoPlaces op, LocalSpace one, LocalSpace two, int dwords, Rows destination)
      implements Action {
    @Override
    public void run(Wave wave, long exec) {
      if (exec == 0) {
        return;
      }
      if (wave.observer != null) {
        op.tell(wave, exec);
      }
      int limit = wave.group.ldsSize() - 4 * dwords;
      if (limit < 0
          || !Moves.loadTwo(
              wave.v,
              one.vaddr(),
              one.offset(),
              two.offset(),
              limit,
              wave.group.lds(),
              destination.of(wave),
              destination.first(),
              dwords,
              exec)) {
        op.run(wave, exec);
      }
    }
  }

  private record LocalStore(
      TwoPlaces op, LocalSpace one, LocalSpace two, int dwords, Rows source0, Rows source1)
      implements Action {
    @Override
    public void run(Wave wave, long exec) {
      if (exec == 0) {
        return;
      }
      if (wave.observer != null) {
        op.tell(wave, exec);
      }
      int limit = wave.group.ldsSize() - 4 * dwords;
      if (limit < 0
          || !Moves.inside(wave.v, one.vaddr(), one.offset(), 0, limit, exec)
          || !Moves.inside(wave.v, two.vaddr(), two.offset(), 0, limit, exec)) {
        op.run(wave, exec);
        return;
      }
      store(wave, one, limit, source0, exec);
      store(wave, two, limit, source1, exec);
    }

    private void store(Wave wave, LocalSpace space, int limit, Rows source, long exec) {
      Moves.store(
          wave.v,
          space.vaddr(),
          space.offset(),
          0,
          limit,
          wave.group.lds(),
          source.of(wave),
          source.first(),
          dwords,
          exec);
    }
  }

  /** Tells an observer of both accesses. */
  private void tell(Wave wave, long lanes) {
    resolve(first, wave, lanes, 4 * dwords, access, wave.temporaries.addresses);
    resolve(second, wave, lanes, 4 * dwords, access, wave.temporaries.values);
  }

  @Override
  void run(Wave wave, long lanes) {
    long[] low = wave.temporaries.addresses;
    long[] high = wave.temporaries.values;
    int stride = resolve(first, wave, lanes, 4 * dwords, access, low);
    resolve(second, wave, lanes, 4 * dwords, access, high);
    if (access == Access.ATOMIC) {
      Alignment.require(wave, first, lanes, 4 * dwords, stride, low);
      Alignment.require(wave, second, lanes, 4 * dwords, stride, high);
      exchange(wave, lanes, low, high);
    } else if (destination.isPresent()) {
      Rows to = destination.get();
      int[] registers = to.of(wave);
      Transfer.load(low, stride, dwords, lanes, registers, to.first());
      Transfer.load(high, stride, dwords, lanes, registers, to.after(dwords).first());
    } else {
      Rows one = source0.orElseThrow();
      Rows two = source1.orElseThrow();
      Transfer.store(low, stride, dwords, lanes, one.of(wave), one.first());
      Transfer.store(high, stride, dwords, lanes, two.of(wave), two.first());
    }
  }

  private void exchange(Wave wave, long lanes, long[] low, long[] high) {
    for (long m = lanes; m != 0; m &= m - 1) {
      int lane = Long.numberOfTrailingZeros(m);
      long one = swap(wave, lane, low[lane], source0.orElseThrow());
      long two = swap(wave, lane, high[lane], source1.orElseThrow());
      Rows to = destination.orElseThrow();
      put(wave, lane, to, one);
      put(wave, lane, to.after(dwords), two);
    }
  }

  private long swap(Wave wave, int lane, long address, Rows source) {
    if (address == Space.NOWHERE) {
      return 0;
    }
    int[] from = source.of(wave);
    int at = source.first() + lane;
    if (dwords == 1) {
      int old = Memory.loadInt(address);
      Memory.storeInt(address, from[at]);
      return old;
    }
    long old = Memory.loadLong(address);
    Memory.storeInt(address, from[at]);
    Memory.storeInt(address + 4, from[at + Wave.LANES]);
    return old;
  }

  private void put(Wave wave, int lane, Rows to, long value) {
    int[] registers = to.of(wave);
    registers[to.first() + lane] = (int) value;
    if (dwords == 2) {
      registers[to.first() + lane + Wave.LANES] = (int) (value >>> 32);
    }
  }
}
