package dev.rocport.device.check.race;

import dev.rocport.device.check.Finding;
import dev.rocport.device.check.Findings;
import dev.rocport.device.check.LaunchView;
import dev.rocport.device.check.LaunchWatch;
import dev.rocport.device.check.VectorClock;
import dev.rocport.device.codeobject.CodeObject;
import dev.rocport.device.codeobject.FatBinary;
import dev.rocport.device.isa.Feature;
import dev.rocport.device.isa.Target;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** What one program does to global memory, and in which order its launches are. */
final class Session {
  /** The number of launches for which locations of accesses can still be reported. */
  private static final int REMEMBERED = 4096;

  private final Shadow shadow = new Shadow();
  private final Crowd crowd = new Crowd();
  private final Findings findings;
  private final LongAdder pairs = new LongAdder();
  private final Map<CodeObject, Reaches> reaches =
      Collections.synchronizedMap(new IdentityHashMap<>());
  private final Map<Integer, Deque<Cells>> spareLds = new ConcurrentHashMap<>();
  private final Map<Integer, Happening> happenings = new ConcurrentHashMap<>();
  private volatile int[] ends = new int[64];
  private int last;
  private int endings;
  private int running;

  Session(Findings findings) {
    this.findings = findings;
  }

  /** Pairs of accesses that were compared. */
  long pairs() {
    return pairs.sum();
  }

  void compared(long more) {
    pairs.add(more);
  }

  Shadow shadow() {
    return shadow;
  }

  /** Code was loaded, from what may have the same for other targets. */
  void loaded(CodeObject object, byte[] image) {
    if (!object.target().has(Feature.SCOPE_BITS)) {
      Optional<CodeObject> twin =
          Target.withLanes(64).stream()
              .filter(t -> t.has(Feature.SCOPE_BITS))
              .flatMap(t -> FatBinary.select(image, t).stream())
              .findFirst()
              .map(CodeObject::read);
      reaches.put(object, new Reaches(object, twin));
    }
  }

  Reaches reaches(CodeObject object) {
    return reaches.computeIfAbsent(object, o -> new Reaches(o, Optional.empty()));
  }

  Crowd crowd() {
    return crowd;
  }

  synchronized LaunchWatch begin(LaunchView view) {
    if (!next()) {
      return LaunchWatch.NONE;
    }
    return keep(new LaunchRaces(this, last, view, endings));
  }

  private <H extends Happening> H keep(H happening) {
    happenings.put(last, happening);
    happenings.remove(last - REMEMBERED);
    return happening;
  }

  /**
   * The host writes or reads memory.
   *
   * @param to 0 where it only reads
   * @param from 0 where it only writes
   */
  synchronized void touches(long to, long from, long size, @Nullable VectorClock clock) {
    if (!next()) {
      return;
    }
    HostTouch touch = keep(new HostTouch(this, last, clock, endings));
    ended(touch);
    if (from != 0) {
      touch.reads(from, size);
    }
    if (to != 0) {
      touch.writes(to, size);
    }
  }

  /** Takes the next number; false if none is available at present. */
  private boolean next() {
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
    spareLds.clear();
    ends = new int[64];
    last = 0;
    endings = 0;
  }

  synchronized void ended(Happening launch) {
    ends[launch.number()] = ++endings;
    running--;
    if (running == 0) {
      crowd.clear();
    }
  }

  /** Whether all of the first is before the second. */
  boolean isOrdered(int first, Happening second) {
    Happening other = happenings.get(first);
    if (other != null) {
      VectorClock clock = other.clock();
      VectorClock mine = second.clock();
      if (clock != null && mine != null) {
        return mine.isAfter(clock);
      }
    }
    int end = ends[first];
    return end != 0 && end <= second.began();
  }

  /** Null where it was so long ago that it is forgotten. */
  @Nullable Happening happening(int number) {
    return happenings.get(number);
  }

  /** Tells that lanes of one store do not agree. */
  void tellOfLanes(WaveClock wave, int pc, boolean inLds, long lanes) {
    add(Report.ofLanes(wave, pc, inLds, lanes));
  }

  /** Tells that the host does not wait for an access of a kernel, or of its own. */
  void tellOfHost(HostTouch touch, long other, int how, boolean stored) {
    add(Report.ofHost(touch, happening(Epoch.launch(Epoch.actor(other))), other, how, stored));
  }

  Cells takeLds(int bytes) {
    Cells spare = spare(bytes).pollFirst();
    return spare != null ? spare : new Cells(words(bytes));
  }

  void giveLds(Cells cells) {
    spare(4 * cells.writers.length).addFirst(cells);
  }

  private Deque<Cells> spare(int bytes) {
    return spareLds.computeIfAbsent(words(bytes), _ -> new ConcurrentLinkedDeque<>());
  }

  /** Words for so many bytes, rounded up so that few sizes differ. */
  private static int words(int bytes) {
    return bytes == 0 ? 0 : Integer.highestOneBit(Math.max((bytes + 3) >> 2, 2) - 1) << 1;
  }

  /** Reports a race. */
  void tell(Conflict conflict) {
    add(Report.of(conflict));
  }

  private void add(Finding finding) {
    if (!finding.isOfLibrary()) {
      findings.add(finding);
    }
  }
}
