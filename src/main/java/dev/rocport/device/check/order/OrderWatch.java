package dev.rocport.device.check.order;

import dev.rocport.device.check.Check;
import dev.rocport.device.check.Finding;
import dev.rocport.device.check.LaunchView;
import dev.rocport.device.check.LaunchWatch;
import dev.rocport.device.isa.Target;
import dev.rocport.device.wave.Wave;
import java.util.List;

/** A launch whose waves go through the caches of a {@link Machine}. */
final class OrderWatch implements LaunchWatch {
  private final Machine machine;
  private final LaunchView launch;
  private final Kinds kinds = new Kinds();
  private final int firstXcd;
  private int groups;
  private boolean began;

  OrderWatch(Machine machine, LaunchView launch, long seed) {
    this.machine = machine;
    this.launch = launch;
    this.firstXcd = new Chance(seed).below(1 << 16);
  }

  Chance chance() {
    return machine.chance;
  }

  History history() {
    return machine.history;
  }

  Kind kind(Wave wave, long line) {
    return kinds.of(wave.group.environment().memory(), line * Lines.BYTES);
  }

  private Machine.Units units(Wave wave) {
    return machine.units(launch.gpuIndex(), wave.group.environment().target() == Target.GFX942);
  }

  @Override
  public void groupBegan(List<Wave> waves) {
    machine.lock.lock();
    try {
      Machine.Units units = units(waves.getFirst());
      if (!began) {
        began = true;
        begin(units);
      }
      // MI300 deals workgroups out to its XCDs in turn
      int xcd = (firstXcd + groups++) % units.ofXcds().size();
      List<ComputeUnit> there = units.ofXcds().get(xcd);
      ComputeUnit unit = there.get(machine.chance.below(there.size()));
      for (Wave wave : waves) {
        wave.order = new Pending(unit, this);
      }
    } finally {
      machine.lock.unlock();
    }
  }

  /** A kernel starts with nothing loaded. */
  private void begin(Machine.Units units) {
    for (ComputeUnit unit : units.all()) {
      unit.invalidateL1();
      unit.invalidateL2();
    }
  }

  @Override
  public void turnBegins(Wave wave) {
    machine.lock.lock();
    if (wave.order instanceof Pending pending) {
      Chance chance = machine.chance;
      if (chance.once(4)) {
        pending.complete(0);
      }
      if (chance.once(8)) {
        pending.unit.evict(chance.below(1 << 16));
      }
      if (chance.once(64)) {
        pending.unit.writeBack();
      }
    }
  }

  @Override
  public void turnEnds(Wave wave) {
    machine.lock.unlock();
  }

  @Override
  public void waveEnded(Wave wave) {
    if (wave.order instanceof Pending pending) {
      pending.complete(0);
    }
  }

  @Override
  public void groupEnded(List<Wave> waves) {
    machine.lock.lock();
    try {
      for (Wave wave : waves) {
        waveEnded(wave);
      }
    } finally {
      machine.lock.unlock();
    }
  }

  /** A kernel ends with all it has stored in memory. */
  @Override
  public void ended() {
    machine.lock.lock();
    try {
      for (ComputeUnit unit : machine.unitsOf(launch.gpuIndex())) {
        unit.drainAll();
        unit.writeBack();
      }
    } finally {
      machine.lock.unlock();
    }
  }

  /** Lets a store go on early, now and then. */
  void maybeDrain(Pending pending) {
    if (machine.chance.once(4)) {
      pending.drainOne(machine.chance);
    }
  }

  Writer writer(Wave wave, ComputeUnit unit, long lanes, String what) {
    return new Writer(
        launch, unit.gpu, unit.number, wave.pc - 1, wave.group, wave.number, lanes, what);
  }

  /**
   * A load without an order has seen other bytes than were stored last.
   *
   * @param slot of the line in the history
   * @param offset of the first byte that differs
   */
  void missed(Wave wave, int lane, int bytes, int slot, int offset) {
    Writer writer = history().writer(slot, offset);
    if (writer == null) {
      return;
    }
    boolean onItsWay = history().isOnItsWay(slot, offset);
    if (!machine.isNew(
        launch.kernel().name() + " " + wave.pc + " " + writer.pc() + " " + onItsWay)) {
      return;
    }
    machine.add(
        new Finding(
            Check.ORDER,
            true,
            onItsWay
                ? "a load misses a store that has not left its compute unit"
                : "a load sees what its caches kept from before a store",
            launch.site("load of " + bytes + " bytes", wave, 1L << lane),
            List.of(writer.site()),
            onItsWay
                ? "Stores of a block stay in its compute unit's queue, and on MI300 in the L2 of"
                      + " its XCD, until a release at agent scope sends them on; this one ran"
                      + " before the load, and nothing has sent it on."
                : "The L1 of a compute unit, and on MI300 the L2 of its XCD, keeps lines that were"
                      + " loaded until an acquire at agent scope drops them; this store came to"
                      + " memory before the load, which took the old line.",
            onItsWay
                ? "After the store, and before the flag or counter that tells others of it, call"
                    + " __threadfence(), or write the flag with __hip_atomic_store(flag, value,"
                    + " __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT). Between kernels no fence is"
                    + " needed."
                : "After the flag or counter was seen, and before the load, call __threadfence(),"
                      + " or read the flag with __hip_atomic_load(flag, __ATOMIC_ACQUIRE,"
                      + " __HIP_MEMORY_SCOPE_AGENT)."));
  }
}
