package dev.rocport.device.check.order;

import dev.rocport.device.check.Certainty;
import dev.rocport.device.check.Check;
import dev.rocport.device.check.Delays;
import dev.rocport.device.check.Finding;
import dev.rocport.device.check.LaunchView;
import dev.rocport.device.check.LaunchWatch;
import dev.rocport.device.isa.Feature;
import dev.rocport.device.isa.Generation;
import dev.rocport.device.isa.Target;
import dev.rocport.device.memory.Memory;
import dev.rocport.device.wave.Wave;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/** A launch whose waves go through the caches of a {@link Machine}. */
final class OrderWatch implements LaunchWatch {
  /** Misses after which a line becomes coherent, so that waiting loops end. */
  private static final int MOST_MISSES = 64;

  /** Those that are not needed any more: few, so that they stay near. */
  final Deque<LateLoad> loads = new ArrayDeque<>();

  final Deque<LateRegisters> registers = new ArrayDeque<>();

  /** Whether the instruction of an index may be late, where that is known. */
  private final Map<Integer, Boolean> delayed = new HashMap<>();

  private final Machine machine;
  private final LaunchView launch;
  private final Kinds kinds;
  private final int firstUnit;
  private int groups;
  private boolean began;
  private int misses;
  private boolean ended;

  /** Turns for which its waves may still stay long where they wait. */
  private int patience = 1 << 17;

  /** When its first workgroup began. */
  private long beganAt;

  /** When it ended. */
  private long endedAt = Long.MAX_VALUE;

  OrderWatch(Machine machine, LaunchView launch, long seed) {
    this.machine = machine;
    this.launch = launch;
    this.kinds = new Kinds(machine.owners, launch.gpuIndex());
    this.firstUnit = new Chance(seed).below(1 << 16);
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

  @Override
  public void groupBegan(List<Wave> waves) {
    machine.lock.lock();
    try {
      Target target = waves.getFirst().group.environment().target();
      Machine.Units units = machine.units(launch.gpuIndex(), target.has(Feature.SEVERAL_XCDS));
      if (!began) {
        began = true;
        beganAt = clock();
        begin(units);
      }
      // workgroups are dealt out to XCDs in turn, and there to compute units in turn
      int number = firstUnit + groups++;
      int xcds = units.ofXcds().size();
      List<ComputeUnit> there = units.ofXcds().get(number % xcds);
      int first = number / xcds;
      boolean rdna = target.generation() != Generation.CDNA;
      boolean pairs = rdna && launch.kernel().descriptor().usesPairs();
      if (pairs) {
        ComputeUnit.pair(
            there.get(2 * first % there.size()), there.get((2 * first + 1) % there.size()));
      }
      for (Wave wave : waves) {
        int at = pairs ? 2 * first + wave.number % 2 : first;
        wave.order = new Pending(there.get(at % there.size()), this, rdna);
      }
    } finally {
      machine.lock.unlock();
    }
  }

  /** A kernel starts with nothing loaded. */
  private void begin(Machine.Units units) {
    for (ComputeUnit unit : units.all()) {
      unit.meetOthers();
      unit.metOthers = clock();
      unit.acquired = clock();
      unit.acquiredInGroup = clock();
      unit.invalidateL1();
      unit.invalidateL2();
    }
  }

  @Override
  public void turnBegins(Wave wave) {
    machine.lock.lock();
    if (wave.order instanceof Pending pending) {
      Chance chance = machine.chance;
      machine.turn();
      pending.mayComplete();
      if (chance.once(8)) {
        pending.unit.evict(chance.below(1 << 16));
      }
      if (chance.once(64)) {
        pending.unit.writeBack();
      }
      if (chance.once(256)) {
        pending.unit.meetOthers();
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
      pending.completeAll();
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

  /** The grid's barrier orders as an acquire at agent scope does. */
  @Override
  public void leftGridBarrier(Wave wave) {
    if (wave.order instanceof Pending pending) {
      machine.lock.lock();
      try {
        pending.unit.meets(clock());
      } finally {
        machine.lock.unlock();
      }
    }
  }

  /** The same where the barrier is a counter in memory, which an access may have looked at. */
  void maybeMet(ComputeUnit unit, Late access) {
    long counter = launch.gridBarrier();
    if (counter != 0 && access.touches(counter, counter + 3)) {
      unit.meets(clock());
    }
  }

  /** A kernel ends with all it has stored in memory. */
  @Override
  public void ended() {
    machine.lock.lock();
    try {
      ended = true;
      endedAt = clock();
      for (ComputeUnit unit : machine.unitsOf(launch.gpuIndex())) {
        unit.drainAll();
        unit.writeBack();
        unit.meetOthers();
      }
    } finally {
      machine.lock.unlock();
    }
  }

  /**
   * Whether the instruction that a wave is running may act later than it is issued.
   *
   * @param what it does, in words
   */
  boolean mayDelay(Wave wave, Supplier<String> what) {
    if (machine.places.chosen().kind() == Delays.Kind.ALL) {
      return true;
    }
    int pc = wave.pc - 1;
    return delayed.computeIfAbsent(
        pc,
        p ->
            machine.places.mayDelay(
                (launch.kernel().name() + "@" + p).hashCode(),
                () -> launch.site(what.get(), p, wave.group, wave.number, wave.exec())));
  }

  /** The number of the access that is being issued. */
  long clock() {
    return ++machine.clock;
  }

  /** So many turns, or fewer where waves have stayed long for many already: that takes time. */
  int patience(int turns) {
    if (patience < turns) {
      return chance().once(4) ? 1 : 0;
    }
    patience -= turns;
    return turns;
  }

  Machine machine() {
    return machine;
  }

  Writer writer(Wave wave, Pending from, long lanes, boolean swaps, String what) {
    return new Writer(
        launch,
        clock(),
        from.unit.gpu,
        from.unit.number,
        wave.pc - 1,
        wave.group,
        wave.number,
        lanes,
        what,
        from,
        from.issued(),
        swaps,
        from.waitedFor());
  }

  /** Whether the first byte of a load has been stored since the load was issued. */
  boolean isStoredSince(LateLoad load) {
    long line = load.first >>> 6;
    int offset = (int) load.first & Lines.BYTES - 1;
    int slot = history().find(line);
    if (slot < 0 || history().isOnItsWay(slot, offset)) {
      return false;
    }
    Writer writer = history().writer(slot, offset);
    return writer != null && writer.clock() > load.clock();
  }

  boolean hasEnded() {
    return ended;
  }

  /**
   * A load has seen other bytes than were stored last.
   *
   * @param plain whether it is in no order
   * @param slot of the line in the history
   * @param offset of the first byte that differs
   */
  void missed(LateLoad load, boolean plain, long line, int lane, int slot, int offset) {
    if (++misses % MOST_MISSES == 0) {
      machine.settle(line);
    }
    Kind kind = kind(load.wave(), line);
    if (load.isGuess() || kind == Kind.INTERNAL) {
      return;
    }
    Writer writer = history().writer(slot, offset);
    if (writer == null
        || writer.clock() > load.clock()
        || writer.unit() == pending(load).unit.number
        || (plain && writer.swaps())
        || endedBefore(writer)) {
      return;
    }
    boolean far = writer.gpu() != launch.gpuIndex();
    boolean incoherent = far && kind != Kind.FINE;
    boolean onItsWay = history().isOnItsWay(slot, offset);
    if (plain || incoherent) {
      tell(load, lane, writer, true, Miss.of(onItsWay, far, incoherent));
    } else if (pending(load).sawLater(load, writer) != null) {
      tell(load, lane, writer, false, Miss.outOfOrder(onItsWay));
    }
  }

  /** Whether what a load sees of a line may be worth telling. */
  boolean tellsOf(LateLoad load, long line) {
    return !load.isGuess() && kind(load.wave(), line) != Kind.INTERNAL;
  }

  /**
   * A load has seen what was stored last, which it is worth telling of.
   *
   * @param slot of the line in the history
   * @param offset of the first byte
   * @param seen the address of the first byte as it was seen
   */
  void saw(
      LateLoad load,
      boolean plain,
      long line,
      int lane,
      int slot,
      int offset,
      int bytes,
      long seen) {
    Writer before = null;
    for (int b = 0; b < bytes; b++) {
      Writer writer = history().writer(slot, offset + b);
      if (writer != null
          && !writer.equals(before)
          && history().isStored(slot, offset + b, Memory.loadByte(seen + b))) {
        before = writer;
        saw(load, plain, line, lane, writer);
      }
    }
  }

  /** Whether a store is of a kernel that had ended when this one began. */
  private boolean endedBefore(Writer writer) {
    return writer.from().launch.endedAt < beganAt;
  }

  /** The same of one who has stored all that was seen. */
  void saw(LateLoad load, boolean plain, long line, int lane, Writer writer) {
    if (endedBefore(writer)) {
      return;
    }
    Pending pending = pending(load);
    ComputeUnit unit = pending.unit;
    if (!plain) {
      Seen later = pending.sawLater(load, writer);
      if (later != null && later.tellsTooEarly(writer)) {
        tell(load, lane, writer, false, Miss.TOLD_TOO_EARLY);
      }
      pending.saw(load, writer);
    } else if (writer.unit() == unit.number || writer.clock() > load.clock() || writer.swaps()) {
      return;
    } else if (writer.gpu() != unit.gpu) {
      if (writer.clock() > unit.metOthers && kind(load.wave(), line) == Kind.FINE) {
        tell(load, lane, writer, true, Miss.NARROW);
      }
    } else if (writer.clock() > acquired(unit, load.wave(), writer)) {
      tell(load, lane, writer, true, Miss.NOT_ACQUIRED);
    } else if (!writer.isWaitedFor()) {
      tell(load, lane, writer, true, Miss.NOT_RELEASED);
    }
  }

  /** When a compute unit last forgot what a writer may have changed. */
  @SuppressWarnings("ReferenceEquality") // a workgroup is itself alone
  private static long acquired(ComputeUnit unit, Wave wave, Writer writer) {
    return writer.group() == wave.group
        ? Math.max(unit.acquired, unit.acquiredInGroup)
        : unit.acquired;
  }

  private static Pending pending(LateLoad load) {
    return (Pending) Objects.requireNonNull(load.wave().order);
  }

  private void tell(LateLoad load, int lane, Writer writer, boolean certain, Miss miss) {
    if (!machine.isNew(
        launch.kernel().name() + " " + load.pc() + " " + writer.pc() + " " + miss.title())) {
      return;
    }
    machine.add(
        new Finding(
            Check.ORDER,
            Certainty.of(certain),
            miss.title(),
            launch.site(load.what(), load.pc(), load.wave().group, load.wave().number, 1L << lane),
            List.of(writer.site()),
            miss.why(),
            miss.advice()));
  }
}
