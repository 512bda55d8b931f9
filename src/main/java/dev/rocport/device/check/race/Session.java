package dev.rocport.device.check.race;

import dev.rocport.device.check.Finding;
import dev.rocport.device.check.Findings;
import dev.rocport.device.check.LaunchView;
import dev.rocport.device.check.LaunchWatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;

/** What one program does to global memory, and in which order its launches are. */
final class Session {
  /** Of so many launches the places of accesses can still be told. */
  private static final int REMEMBERED = 4096;

  private final Shadow shadow = new Shadow();
  private final Crowd crowd = new Crowd();
  private final Findings findings;
  private final Map<Integer, Deque<Cells>> spareLds = new ConcurrentHashMap<>();
  private final Map<Integer, LaunchRaces> launches = new HashMap<>();
  private final Map<String, Finding> told = new ConcurrentHashMap<>();
  private volatile int[] ends = new int[64];
  private int last;
  private int endings;
  private int running;

  Session(Findings findings) {
    this.findings = findings;
  }

  Shadow shadow() {
    return shadow;
  }

  Crowd crowd() {
    return crowd;
  }

  synchronized LaunchWatch begin(LaunchView view) {
    if (last == Epoch.MOST_LAUNCHES) {
      if (running > 0) {
        return LaunchWatch.NONE;
      }
      forgetAll();
    }
    last++;
    running++;
    if (last >= ends.length) {
      ends = Arrays.copyOf(ends, 2 * ends.length);
    }
    LaunchRaces launch = new LaunchRaces(this, last, view, endings);
    launches.put(last, launch);
    launches.remove(last - REMEMBERED);
    return launch;
  }

  /** Numbers begin anew. */
  private void forgetAll() {
    shadow.clear();
    crowd.clear();
    launches.clear();
    spareLds.clear();
    ends = new int[64];
    last = 0;
    endings = 0;
  }

  synchronized void ended(LaunchRaces launch) {
    ends[launch.number()] = ++endings;
    running--;
    if (running == 0) {
      crowd.clear();
    }
  }

  /** Whether a launch had ended when only so many had. */
  boolean endedBefore(int launch, int endings) {
    int end = ends[launch];
    return end != 0 && end <= endings;
  }

  synchronized @Nullable LaunchRaces launch(int number) {
    return launches.get(number);
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

  /** Tells of a race, once for two places in the source, whichever of them came first. */
  void tell(Conflict conflict) {
    Finding finding = Report.of(conflict);
    List<String> places = new ArrayList<>();
    places.add(finding.site().source());
    finding.others().forEach(o -> places.add(o.source()));
    Collections.sort(places);
    Finding first = told.putIfAbsent(finding.title() + finding.site().kernel() + places, finding);
    findings.add(first == null ? finding : first);
  }
}
