package dev.rocport.device.check.race;

import dev.rocport.device.check.LaunchView;
import dev.rocport.device.check.LaunchWatch;
import dev.rocport.device.check.VectorClock;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;

/** What the programs of a device do to global memory, and in which order their launches are. */
public final class Races {
  /** The number of launches for which locations of accesses can still be reported. */
  private static final int REMEMBERED = 4096;

  /** Operations whose knowledge of other processes' operations later ones can inherit. */
  private static final int LEARNED = 256;

  private final Shadow shadow = new Shadow();
  private final Crowd crowd = new Crowd();
  private final Map<Integer, Deque<Cells>> spareLds = new ConcurrentHashMap<>();
  private final Map<Integer, Happening> happenings = new ConcurrentHashMap<>();
  private final Set<Program> programs = new HashSet<>();
  private final Deque<LaunchRaces> learned = new ArrayDeque<>();
  private volatile int[] ends = new int[64];
  private volatile boolean shared;
  private int last;
  private int endings;
  private int running;
  private long meetings;

  /** Of a device that has not run anything. */
  public Races() {}

  Shadow shadow() {
    return shadow;
  }

  Crowd crowd() {
    return crowd;
  }

  /** Whether several processes have used the device at the same time. */
  boolean isShared() {
    return shared;
  }

  synchronized LaunchWatch begin(Program program, LaunchView view) {
    if (!next(program)) {
      return LaunchWatch.NONE;
    }
    return keep(new LaunchRaces(this, program, last, view, endings));
  }

  private <H extends Happening> H keep(H happening) {
    for (LaunchRaces before : learned) {
      if (isOrdered(before.number(), happening)) {
        happening.inherit(before.learned());
      }
    }
    happenings.put(last, happening);
    happenings.remove(last - REMEMBERED);
    crowd.forget(last - REMEMBERED);
    return happening;
  }

  /**
   * The host writes or reads memory.
   *
   * @param to 0 where it only reads
   * @param from 0 where it only writes
   */
  synchronized void touches(
      Program program, long to, long from, long size, @Nullable VectorClock clock) {
    if (!next(program)) {
      return;
    }
    HostTouch touch = keep(new HostTouch(this, program, last, clock, endings));
    ended(touch);
    if (from != 0) {
      touch.reads(from, size);
    }
    if (to != 0) {
      touch.writes(to, size);
    }
  }

  /**
   * A process lets others know what its host knows, or hears of what they have told.
   *
   * @param known for each of its lines the last operation that has ended; null if it only hears
   * @return the number of what was told last
   */
  synchronized long meets(Program program, @Nullable Map<Long, Long> known) {
    if (known != null) {
      program.releases().add(++meetings, known, last);
    }
    return meetings;
  }

  /** A program has ended. */
  synchronized void leaves(Program program) {
    programs.remove(program);
    if (programs.isEmpty() && running == 0) {
      forgetAll();
    }
  }

  /** Takes the next number; false if none is available at present. */
  private boolean next(Program program) {
    programs.add(program);
    shared |= programs.size() > 1;
    if (last == Epoch.MOST_LAUNCHES) {
      if (running > 0) {
        return false;
      }
      forgetAll();
    }
    last++;
    running++;
    if (last >= ends.length) {
      ends = Arrays.copyOf(ends, 2 * ends.length);
    }
    return true;
  }

  /** Numbers begin anew. */
  private void forgetAll() {
    shadow.clear();
    crowd.clear();
    happenings.clear();
    learned.clear();
    spareLds.clear();
    ends = new int[64];
    last = 0;
    endings = 0;
    shared = programs.size() > 1;
    programs.forEach(p -> p.releases().forgetBegun());
  }

  synchronized void ended(Happening happening) {
    ends[happening.number()] = ++endings;
    running--;
    if (shared) {
      if (happening instanceof LaunchRaces launch && !launch.learned().isEmpty()) {
        learned.addLast(launch);
        if (learned.size() > LEARNED) {
          learned.removeFirst();
        }
      }
    } else if (running == 0) {
      crowd.clear();
    }
  }

  /** Whether all of the first is before the second, by what the hosts of their programs do. */
  boolean isOrdered(int first, Happening second) {
    Happening other = happenings.get(first);
    if (other != null) {
      VectorClock clock = other.clock();
      VectorClock mine = second.clock();
      if (clock != null && mine != null) {
        if (other.program() == second.program()) {
          return mine.isAfter(clock);
        }
        if (tells(other, second)) {
          return other.program().releases().cover(clock, mine.met());
        }
      }
    }
    return endedBefore(first, second);
  }

  /** Whether the processes of two operations are known to let each other know what they do. */
  private static boolean tells(Happening first, Happening second) {
    return first.program().releases().any() && second.program().releases().any();
  }

  /** Whether the first had ended when the second began. */
  private boolean endedBefore(int first, Happening second) {
    int end = ends[first];
    return end != 0 && end <= second.began();
  }

  /**
   * Whether two operations of two processes, of which nothing is known to order the first before
   * the second, may be ordered by other means than those that are known: they were not at the same
   * time, and the host of the first has told others nothing meanwhile.
   */
  boolean mayBeOrdered(Happening first, Happening second) {
    VectorClock mine = second.clock();
    return first.program() != second.program()
        && endedBefore(first.number(), second)
        && mine != null
        && !first.program().releases().anyAfter(first.number(), mine.met());
  }

  /**
   * Whether an access of another launch is known by a clock: it is covered, or its launch comes
   * before one of which the clock covers some access.
   */
  boolean isKnown(long epoch, Clock clock, Happening by) {
    if (!shared || clock.isEmpty()) {
      return false;
    }
    int launch = Epoch.launch(Epoch.actor(epoch));
    return clock.covers(epoch, false, crowd)
        || clock.hasLaunch(
            l -> {
              Happening between = l == by.number() ? null : happenings.get(l);
              return between != null && between.isAfter(launch);
            },
            crowd);
  }

  /** Null where it was so long ago that it is forgotten. */
  @Nullable Happening happening(int number) {
    return happenings.get(number);
  }

  Cells takeLds(int bytes) {
    Cells spare = spare(bytes).pollFirst();
    return spare != null ? spare : new Cells(words(bytes));
  }

  void giveLds(Cells cells) {
    spare(4 * cells.words).addFirst(cells);
  }

  private Deque<Cells> spare(int bytes) {
    return spareLds.computeIfAbsent(words(bytes), _ -> new ConcurrentLinkedDeque<>());
  }

  /** Words for so many bytes, rounded up so that few sizes differ. */
  private static int words(int bytes) {
    return bytes == 0 ? 0 : Integer.highestOneBit(Math.max((bytes + 3) >> 2, 2) - 1) << 1;
  }
}
