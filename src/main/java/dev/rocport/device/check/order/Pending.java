package dev.rocport.device.check.order;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.wave.Notes;
import dev.rocport.device.wave.Wave;
import dev.rocport.device.wave.WaveState;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The accesses of a wave that no s_waitcnt has waited for, in order. */
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
  final Deque<LateLoad> home = LateLoad.home();
  private final Deque<Late> late = new ArrayDeque<>();

  /** What lgkmcnt counts. */
  private final List<LateRegisters> locals = new ArrayList<>();

  private long[] lines = new long[64];
  private int[] times = new int[64];
  private int head;
  private int tail;
  private int issued;
  private int waits;

  /** Accesses up to this one have been waited for. */
  private int waitedFor;

  /** The last stores that it has seen of some other waves. */
  private final @Nullable Writer[] seen = new Writer[8];

  /**
   * Waits in which it stays most often: after accesses by which waves tell each other something.
   */
  private int tension;

  Pending(ComputeUnit unit, OrderWatch launch) {
    this.unit = unit;
    this.launch = launch;
  }

  /** The wave has issued an access that vmcnt counts. */
  void count() {
    issued++;
    complete(MOST);
  }

  /** The access that was counted last is on its way. */
  void add(Late access) {
    access.time = issued;
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

  /** Waits until at most {@code left} accesses are on their way. */
  void complete(int left) {
    int until = issued - left;
    while (!late.isEmpty() && late.getFirst().time - until <= 0) {
      Late access = late.removeFirst();
      unit.perform(access);
      access.deliver();
      access.recycle();
    }
    while (head < tail && times[head] - until <= 0) {
      unit.drain(lines[head++]);
    }
    if (head == tail) {
      head = 0;
      tail = 0;
    }
  }

  /** The same at the wave's own wish. */
  void await(int left) {
    complete(left);
    waitedFor = Math.max(waitedFor, issued - left);
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

  /** Waits until at most {@code left} of them are on their way. */
  void completeLocals(int left) {
    while (locals.size() > left) {
      locals.remove(left == 0 ? 0 : any()).deliver();
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
  boolean stays(Wave wave, Instruction instruction, int left) {
    waits++;
    Chance chance = launch.chance();
    tension--;
    if (!chance.once(tension > 0 ? 2 : waits < OFTEN ? 4 : 64)) {
      return false;
    }
    int until = issued - left;
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
    wave.pc -= instruction.size() >> 2;
    wave.state = WaveState.YIELDED;
    return true;
  }

  /** Whether stores have not been waited for. */
  boolean stores() {
    return head < tail;
  }

  /** The wave has seen a store. */
  void saw(Writer writer) {
    int at = (writer.group().hashCode() * 31 + writer.wave()) & seen.length - 1;
    Writer before = seen[at];
    if (before == null || !writer.isOfWave(before) || before.moment() < writer.moment()) {
      seen[at] = writer;
    }
  }

  /** Whether the wave has seen a later store of the same wave. */
  boolean sawLater(Writer writer) {
    Writer later = seen[(writer.group().hashCode() * 31 + writer.wave()) & seen.length - 1];
    return later != null && writer.isOfWave(later) && later.moment() > writer.moment();
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

  /** Lets one of the stores go on. */
  void drainOne(Chance chance) {
    if (head < tail) {
      // flags come last, and go first
      unit.drain(lines[chance.once(2) ? tail - 1 : head + chance.below(tail - head)]);
    }
  }
}
