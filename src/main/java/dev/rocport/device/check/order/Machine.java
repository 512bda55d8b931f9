package dev.rocport.device.check.order;

import dev.rocport.device.check.DelayedPlaces;
import dev.rocport.device.check.Finding;
import dev.rocport.device.check.Findings;
import dev.rocport.device.check.LaunchView;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/** The caches of a program's GPUs. One thread at a time may touch them: who has the lock. */
final class Machine {
  /** Of a GPU with one L2. */
  private static final int UNITS = 8;

  /** Of a GPU whose XCDs have an L2 each. */
  private static final int XCDS = 4;

  private static final int UNITS_OF_XCD = 3;
  private static final int L2_BITS = 12;

  /** Turns. */
  private static final int SHORTEST_MOOD = 8;

  /** The compute units of a GPU, XCD by XCD. */
  record Units(List<List<ComputeUnit>> ofXcds, List<ComputeUnit> all) {
    Units(List<List<ComputeUnit>> ofXcds) {
      this(ofXcds, ofXcds.stream().flatMap(List::stream).toList());
    }
  }

  final ReentrantLock lock = new ReentrantLock();
  final History history = new History();
  final Chance chance;

  /** Accesses of all waves so far. */
  long clock;

  /** What waves keep back now, and which such time this is. */
  Mood mood;

  int moods;
  private int turnsOfMood;

  /** Accesses that were late. */
  private long late;

  private final long seed;
  private final Findings findings;

  /** The instructions that may be late. */
  final DelayedPlaces places;

  /** The GPU of each allocation that is of one, by its base. */
  final Map<Long, Integer> owners = new ConcurrentHashMap<>();

  private final Map<Integer, Units> gpus = new TreeMap<>();
  private final Set<String> told = new HashSet<>();
  private int units;
  private int launches;

  Machine(long seed, Findings findings, DelayedPlaces places) {
    this.seed = seed;
    this.findings = findings;
    this.places = places;
    this.chance = new Chance(seed);
    this.mood = Mood.any(chance);
  }

  OrderWatch launch(LaunchView launch) {
    lock.lock();
    try {
      return new OrderWatch(this, launch, seed + 0x5851_f42d_4c95_7f2dL * ++launches);
    } finally {
      lock.unlock();
    }
  }

  /** An access is late. */
  void delayed() {
    late++;
  }

  /** How many were. */
  long late() {
    lock.lock();
    try {
      return late;
    } finally {
      lock.unlock();
    }
  }

  /** A wave has a turn. */
  void turn() {
    if (--turnsOfMood < 0) {
      mood = Mood.any(chance);
      moods++;
      turnsOfMood = chance.below(SHORTEST_MOOD << chance.below(5));
    }
  }

  /** The compute units of a GPU, which has one L2 or several. */
  Units units(int gpu, boolean several) {
    return gpus.computeIfAbsent(gpu, g -> several ? many(g) : one(g));
  }

  /** All compute units of a GPU that has run something. */
  List<ComputeUnit> unitsOf(int gpu) {
    Units found = gpus.get(gpu);
    return found == null ? List.of() : found.all();
  }

  private Units one(int gpu) {
    List<ComputeUnit> all = new ArrayList<>();
    Lines remote = new Lines(L2_BITS);
    for (int i = 0; i < UNITS; i++) {
      all.add(new ComputeUnit(units++, gpu, null, remote, history));
    }
    return new Units(List.of(all));
  }

  private Units many(int gpu) {
    List<List<ComputeUnit>> xcds = new ArrayList<>();
    Lines remote = new Lines(L2_BITS);
    for (int x = 0; x < XCDS; x++) {
      Lines l2 = new Lines(L2_BITS);
      List<ComputeUnit> all = new ArrayList<>();
      for (int i = 0; i < UNITS_OF_XCD; i++) {
        all.add(new ComputeUnit(units++, gpu, l2, remote, history));
      }
      xcds.add(all);
    }
    return new Units(xcds);
  }

  /** Writes a line back to memory, and invalidates it in all caches. */
  void settle(long line) {
    for (Units units : gpus.values()) {
      units.all().forEach(u -> u.giveUp(line));
    }
  }

  /** Whether a key is reported for the first time. */
  boolean isNew(String key) {
    return told.add(key);
  }

  void add(Finding finding) {
    findings.add(finding);
  }
}
