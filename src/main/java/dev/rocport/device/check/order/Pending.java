package dev.rocport.device.check.order;

import dev.rocport.device.check.WaitCounts;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.wave.Notes;
import dev.rocport.device.wave.Wave;
import dev.rocport.device.wave.WaveState;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The accesses of a wave that no wait has waited for, in order. */
final class Pending implements Notes {
  /** Accesses that a wave can have on their way: vmcnt has 6 bits. */
  private static final int MOST = 63;

  /** The same for lgkmcnt, which has 4 bits. */
  private static final int MOST_LOCALS = 15;

  /** Waits of a wave in which it stays often. */
  private static final int OFTEN = 32;

  private static final int TENSION = 8;

  final ComputeUnit unit;
  final OrderWatch launch;
  private final Deque<Late> late = new ArrayDeque<>();

  /** What lgkmcnt counts. */
  private final List<LateRegisters> locals = new ArrayList<>();

  private long[] lines = new long[64];
  private int[] times = new int[64];
  private int head;
  private int tail;
  private int issued;

  /** RDNA counts accesses that give the wave no value apart from the others; else null. */
  private final @Nullable Apart apart;

  /** The access that was counted last is counted with the stores. */
  private boolean lastIsStore;

  private int waits;

  /** Accesses up to this one have been waited for. */
  private int waitedFor;

  /** What its atomic loads have seen of some other waves. */
  private final @Nullable Seen[] seen = new Seen[8];

  /** Its last atomic load. */
  private int lastAtomic;

  /**
   * Waits in which it stays most often: after accesses by which waves tell each other something.
   */
  private int tension;

  /** Turns that it stays where it waits, or -1 where it does not. */
  private int stay = -1;

  private @Nullable Mood mood;
  private int moods;

  /**
   * @param apart whether stores have a counter of their own
   */
  Pending(ComputeUnit unit, OrderWatch launch, boolean apart) {
    this.unit = unit;
    this.launch = launch;
    this.apart = apart ? new Apart(new Counted(), new Counted()) : null;
  }

  /**
   * The accesses up to which all of a kind are over.
   *
   * @param loads those that give the wave a value, where they are counted apart
   */
  record Until(int loads, int stores) {}

  /** Accesses of one counter. */
  private static final class Counted {
    private static final int ROOM = 2 * (MOST + 1);

    private final int[] times = new int[ROOM];
    private int count;

    void issued(int time) {
      times[count++ % ROOM] = time;
    }

    /** The last access that is over where at most {@code left} are not; 0 for none. */
    int until(int left) {
      return left > MOST || left >= count ? 0 : times[(count - 1 - left) % ROOM];
    }
  }

  private record Apart(Counted loads, Counted stores) {}

  /**
   * The wave has issued an access.
   *
   * @param store whether it gives the wave no value
   */
  void count(boolean store) {
    issued++;
    lastIsStore = store;
    if (apart != null) {
      (store ? apart.stores : apart.loads).issued(issued);
    }
    complete(until(MOST, MOST));
  }

  /**
   * The accesses that are over once no more are on their way than these.
   *
   * @param loads of all accesses, or of those that give the wave a value
   * @param stores of the others, where they are counted apart
   */
  Until until(int loads, int stores) {
    return apart == null
        ? new Until(issued - loads, issued - loads)
        : new Until(apart.loads.until(loads), apart.stores.until(stores));
  }

  /** The access that was counted last is on its way. */
  void add(Late access) {
    access.time = issued;
    access.store = lastIsStore;
    late.addLast(access);
  }

  /** The access that was counted last has stored to a line. */
  void store(long line) {
    if (head < tail && lines[tail - 1] == line && times[tail - 1] == issued) {
      return;
    }
    if (tail == lines.length) {
      make();
    }
    lines[tail] = line;
    times[tail++] = issued;
  }

  private void make() {
    int live = tail - head;
    int size = live > lines.length / 2 ? 2 * lines.length : lines.length;
    lines = Arrays.copyOf(Arrays.copyOfRange(lines, head, tail), size);
    times = Arrays.copyOf(Arrays.copyOfRange(times, head, tail), size);
    head = 0;
    tail = live;
  }

  /** Waits for all accesses that are on their way. */
  void completeAll() {
    complete(new Until(issued, issued));
  }

  private void complete(Until until) {
    if (!late.isEmpty()) {
      completeLate(until);
    }
    while (head < tail && times[head] - until.stores <= 0) {
      unit.drain(lines[head++]);
    }
    if (head == tail) {
      head = 0;
      tail = 0;
    }
  }

  private void completeLate(Until until) {
    for (Iterator<Late> i = late.iterator(); i.hasNext(); ) {
      Late access = i.next();
      if (access.time - Math.max(until.loads, until.stores) > 0) {
        break;
      }
      if (isOver(access, until)) {
        i.remove();
        unit.perform(access);
        access.deliver();
        access.recycle();
      }
    }
  }

  private static boolean isOver(Late access, Until until) {
    return access.time - (access.store ? until.stores : until.loads) <= 0;
  }

  /**
   * Completes what would overwrite what a load at once brings to registers: those of before return
   * before it.
   */
  void completeFor(int[] registers, int from, int to) {
    if (late.isEmpty()) {
      return;
    }
    int until = -1;
    for (Late access : late) {
      if (access.writes(registers, from, to)) {
        until = access.time;
      }
    }
    if (until >= 0) {
      complete(new Until(until, until));
    }
  }

  /** The same at the wave's own wish. */
  void await(Until until) {
    complete(until);
    waitedFor = Math.max(waitedFor, until.stores);
  }

  /** The last access that the wave has waited for. */
  int waitedFor() {
    return waitedFor;
  }

  boolean hasWaitedFor(int time) {
    return time <= waitedFor;
  }

  /** The access that was counted last. */
  int issued() {
    return issued;
  }

  /** Accesses of LDS and scalar ones return in their registers when they are waited for. */
  void addLocal(LateRegisters access) {
    locals.add(access);
    completeLocals(MOST_LOCALS);
  }

  /** Waits until at most so many of them are on their way, which RDNA 4 counts apart. */
  void completeLocals(WaitCounts left) {
    if (left.local() == left.scalars()) {
      completeLocals(left.local());
      return;
    }
    int local = 0;
    int scalars = 0;
    for (int i = locals.size() - 1; i >= 0; i--) {
      LateRegisters access = locals.get(i);
      boolean over = access.isInOrder() ? ++local > left.local() : ++scalars > left.scalars();
      // scalars return in any order: all of them, where some are waited for
      if (over) {
        locals.remove(i);
        access.deliver();
        access.recycle();
      }
    }
  }

  /** Waits until at most {@code left} of them are on their way. */
  void completeLocals(int left) {
    if (left == 0) {
      for (LateRegisters access : locals) {
        access.deliver();
        access.recycle();
      }
      locals.clear();
      return;
    }
    while (locals.size() > left) {
      LateRegisters access = locals.remove(any());
      access.deliver();
      access.recycle();
    }
  }

  /** Scalar loads return in any order, the others in theirs. */
  private int any() {
    int chosen = launch.chance().below(locals.size());
    if (locals.get(chosen).isInOrder()) {
      chosen = 0;
      while (!locals.get(chosen).isInOrder()) {
        chosen++;
      }
    }
    return chosen;
  }

  /**
   * Whether the wave waits a while longer at an instruction that waits; some of what it waits for
   * goes on, and others have their turns.
   */
  boolean stays(Wave wave, Instruction instruction, Until until) {
    Chance chance = launch.chance();
    boolean begins = stay < 0;
    if (begins) {
      stay = turnsToStay(chance);
    }
    if (stay-- == 0) {
      return false;
    }
    if (!begins && isOvertaken()) {
      stay = -1;
      return false;
    }
    if (chance.once(begins ? 4 : 64)) {
      someGoOn(until.stores, chance);
    }
    wave.pc -= instruction.size() >> 2;
    wave.state = WaveState.YIELDED;
    return true;
  }

  private int turnsToStay(Chance chance) {
    waits++;
    if (tension-- > 0 && isOnItsWay()) {
      return launch.patience(mood().stays().turns(chance));
    }
    return chance.once(waits < OFTEN ? 4 : 64) ? 1 : 0;
  }

  private void someGoOn(int until, Chance chance) {
    boolean newestFirst = head < tail && times[tail - 1] - until <= 0 && chance.once(2);
    if (newestFirst) {
      unit.drain(lines[tail - 1]);
    }
    for (int i = newestFirst ? tail : head; i < tail && times[i] - until <= 0; i++) {
      if (chance.once(2)) {
        unit.drain(lines[i]);
      }
    }
    for (Late access : late) {
      if (chance.once(2)) {
        unit.perform(access);
      }
    }
  }

  /** Whether others have stored to what it is about to load, since it could have loaded it. */
  private boolean isOvertaken() {
    for (Late access : late) {
      if (!access.isPerformed() && access instanceof LateLoad load && launch.isStoredSince(load)) {
        return true;
      }
    }
    return false;
  }

  private boolean isOnItsWay() {
    return head < tail || !late.isEmpty();
  }

  /** All may go on where the wave does not wait; there it does so of itself. */
  void mayComplete() {
    if (stay < 0 && launch.chance().once(tension > 0 ? 64 : 4)) {
      completeAll();
    }
  }

  private Mood mood() {
    Machine machine = launch.machine();
    if (mood == null || moods != machine.moods) {
      moods = machine.moods;
      mood = machine.mood.ofWave(machine.chance);
    }
    return mood;
  }

  /** Whether the load or atomic that is issued now is performed later. */
  boolean keepsLoad() {
    return mood().loads().isKept(late.isEmpty(), launch.chance());
  }

  /** Lets stores go on early, after the one that was issued last. */
  void maybeDrain() {
    Chance chance = launch.chance();
    if (head < tail && !mood().stores().isKept(tail - head == 1, chance)) {
      // flags come last, and go first
      unit.drain(lines[chance.once(4) ? head + chance.below(tail - head) : tail - 1]);
    }
  }

  /** An atomic load was issued. */
  void atomicLoad() {
    lastAtomic = issued;
  }

  private static int slot(Writer writer) {
    return (writer.group().hashCode() * 31 + writer.wave()) & 7;
  }

  /** An atomic load of the wave has seen a store. */
  void saw(LateLoad load, Writer writer) {
    Seen before = seen[slot(writer)];
    if (before == null
        || !writer.isOfWave(before.writer())
        || before.writer().clock() < writer.clock()) {
      seen[slot(writer)] = new Seen(writer, load.time, false);
    }
  }

  /** The wave acquires: its last atomic load counts from here on, and not those before it. */
  void acquires() {
    for (int i = 0; i < seen.length; i++) {
      Seen each = seen[i];
      if (each != null) {
        seen[i] = each.by() == lastAtomic ? each.thenAcquired() : null;
      }
    }
  }

  /**
   * What a load before this one has seen of a later store of the same wave, or null. Loads behind
   * it may: the stores may have come between the two.
   */
  @Nullable Seen sawLater(LateLoad load, Writer writer) {
    Seen later = seen[slot(writer)];
    return later != null
            && writer.isOfWave(later.writer())
            && later.writer().clock() > writer.clock()
            && later.by() - load.time < 0
        ? later
        : null;
  }

  /**
   * The wave has told others something, or may have been told; once in a while, others go on now.
   */
  void meets(Wave wave, int times) {
    tension = TENSION;
    if (launch.chance().once(times)) {
      wave.state = WaveState.YIELDED;
    }
  }
}
