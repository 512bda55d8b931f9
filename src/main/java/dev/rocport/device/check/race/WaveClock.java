package dev.rocport.device.check.race;

import dev.rocport.device.check.WaitCounts;
import dev.rocport.device.isa.Feature;
import dev.rocport.device.isa.Generation;
import dev.rocport.device.wave.Notes;
import dev.rocport.device.wave.Wave;
import java.util.Arrays;

/**
 * How far a wave's own accesses have come, and what of others is ordered before it. The counters
 * are those of {@code s_waitcnt}; which instructions make a release or an acquire of which scope is
 * told by LLVM's AMDGPUUsage, "Memory Model gfx90a" and "gfx942".
 */
final class WaveClock implements Notes {
  /** States of knowledge that are remembered. */
  private static final int SEENS = 8;

  final Wave wave;
  final GroupRaces group;
  final long actor;
  private final boolean waitReleases;

  /** Whether stores have a counter of their own, and no write-back exists, as on RDNA. */
  private final boolean countsStores;

  /** The next accesses' tick. */
  private int tick = 1;

  private boolean accessed;

  /** All that is ordered before what comes next. */
  private Clock before;

  /** That, and what atomics have seen but no invalidation of the cache has followed yet. */
  private Clock seen;

  /** What {@link #matesInLds} has told last, and by which clock. */
  private int[] mates = {};

  private Clock matesBy = Clock.EMPTY;

  /** Accesses that are under way, of the kinds that {@code vmcnt} and {@code lgkmcnt} count. */
  private int vectorUnderWay;

  private int localUnderWay;

  /** Stores, where they are counted apart from {@link #vectorUnderWay}. */
  private int storesUnderWay;

  /** Accesses of LDS up to this tick are complete. */
  private int localTick;

  /** The clock when its accesses were last visible to its whole GPU, and to all GPUs. */
  private Release agent = Release.NONE;

  private Release system = Release.NONE;

  /** The clock when it last started an L2 write-back, to be waited for. */
  private Release writtenBack = Release.NONE;

  private boolean writtenBackToSystem;

  /** Whether the cache of its compute unit was ever invalidated while it ran. */
  private boolean invalidated;

  /** All vector accesses so far, and those of them whose values are there. */
  private int issued;

  private int done;

  /** Where atomics load from that may not have been done yet. */
  private Location[] locations = new Location[4];

  /** Which vector accesses these are; 0 for those that are done at once. */
  private int[] numbers = new int[4];

  private int looks;

  /** What it had seen of others in its last updates of LDS, and from which tick on. */
  private final Clock[] seens = new Clock[SEENS];

  private final int[] seenSince = new int[SEENS];
  private int seenCount;

  /**
   * What an atomic makes known.
   *
   * @param tick of the wave itself; 0 where it has released nothing
   * @param clock of others
   */
  record Release(int tick, Clock clock) {
    static final Release NONE = new Release(0, Clock.EMPTY);
  }

  WaveClock(Wave wave, GroupRaces group, long actor) {
    this.wave = wave;
    this.group = group;
    this.actor = actor;
    this.before = group.launch.inherited();
    this.seen = before;
    this.waitReleases = !wave.group.environment().target().has(Feature.SCOPE_BITS);
    this.countsStores = wave.group.environment().target().generation() != Generation.CDNA;
  }

  long epoch() {
    return Epoch.of(actor, tick);
  }

  /**
   * It loads from where others may have released something; {@link #look} tells what.
   *
   * @param waits whether only s_waitcnt's vmcnt tells that the value is there
   */
  void sees(Location location, boolean waits) {
    // Without the caches of the check of orders, memory gives values at once.
    int number = waits && wave.order != null ? issued + 1 : 0;
    if (looks == 0 || locations[looks - 1] != location || numbers[looks - 1] != number) {
      if (looks == locations.length) {
        locations = Arrays.copyOf(locations, 2 * looks);
        numbers = Arrays.copyOf(numbers, 2 * looks);
      }
      numbers[looks] = number;
      locations[looks++] = location;
    }
  }

  /** Some atomics before this have loaded now: what was released there is known. */
  void look() {
    int left = 0;
    for (int i = 0; i < looks; i++) {
      if (numbers[i] <= done) {
        locations[i].join(this);
        if (numbers[i] != 0 && locations[i].unknown() != 0) {
          // The load may have read a store that happened after it was issued.
          trusts(locations[i].unknown());
        }
      } else {
        numbers[left] = numbers[i];
        locations[left++] = locations[i];
      }
    }
    looks = left;
  }

  /**
   * An access is under way.
   *
   * @param stores it gives the wave no value
   */
  void issued(boolean vector, boolean stores, boolean local) {
    accessed = true;
    if (stores && countsStores) {
      storesUnderWay++;
    } else if (vector) {
      vectorUnderWay++;
      issued++;
    }
    localUnderWay += local ? 1 : 0;
  }

  /** Ends the tick, if anything was done in it; the last one that has ended. */
  private int closed() {
    if (tick == Epoch.MOST_TICKS) {
      return tick;
    }
    if (accessed) {
      accessed = false;
      tick++;
    }
    return tick - 1;
  }

  /** s_waitcnt with the most that may still be under way. */
  void waited(WaitCounts most) {
    done = issued - Math.min(most.vector(), vectorUnderWay);
    look();
    if (most.local() < localUnderWay) {
      localUnderWay = most.local();
      if (localUnderWay == 0) {
        localTick = closed();
      }
    }
    boolean wasComplete = isComplete();
    vectorUnderWay = Math.min(vectorUnderWay, most.vector());
    storesUnderWay = Math.min(storesUnderWay, most.stores());
    if (!wasComplete && isComplete()) {
      vectorsComplete();
    }
  }

  private boolean isComplete() {
    return (vectorUnderWay | storesUnderWay) == 0;
  }

  private void vectorsComplete() {
    if (waitReleases) {
      agent = new Release(closed(), seen);
      if (countsStores) {
        system = agent;
      } else if (writtenBackToSystem) {
        system = writtenBack;
      }
    } else if (writtenBack.tick() != 0) {
      agent = writtenBack;
      if (writtenBackToSystem) {
        system = writtenBack;
      }
    }
    writtenBack = Release.NONE;
    writtenBackToSystem = false;
  }

  /** buffer_wbl2, which is complete with what was under way: compilers do not wait for it alone. */
  void writesBack(boolean toSystem) {
    writtenBack = new Release(closed(), seen);
    writtenBackToSystem |= toSystem;
    if (vectorUnderWay == 0) {
      vectorsComplete();
    }
  }

  /** The vector cache was invalidated: what atomics have seen, plain loads see too. */
  void invalidated() {
    look();
    invalidated = true;
    before = seen;
  }

  /**
   * Whether it has seen that an access was released, though nothing has kept its loads from the
   * cache since.
   */
  boolean hasSeen(long epoch) {
    return seen.covers(epoch, false, group.crowd());
  }

  /** Everything before an atomic or a barrier is ordered before what follows. */
  void saw(Clock clock) {
    seen = seen.join(clock, group.crowd());
  }

  /** {@link #saw} where no cache is between. */
  void acquired(Clock clock) {
    before = before.join(clock, group.crowd());
    seen = seen.join(clock, group.crowd());
  }

  /** The wave continues after a barrier that has joined its clocks with those of other waves. */
  void met(Clock nowBefore, Clock nowSeen, Clock ofAgent, Clock ofSystem, boolean nowInvalidated) {
    // What other waves had made visible is also published by this wave's atomics.
    agent = new Release(agent.tick(), agent.clock().join(ofAgent, group.crowd()));
    system = new Release(system.tick(), system.clock().join(ofSystem, group.crowd()));
    invalidated |= nowInvalidated;
    before = nowBefore;
    seen = nowSeen;
  }

  boolean isInvalidated() {
    return invalidated;
  }

  Clock before() {
    return before;
  }

  Clock seen() {
    return seen;
  }

  /** All that it has done of global memory, closed: what its own workgroup sees. */
  int released() {
    return closed();
  }

  /** The tick up to which its accesses of LDS are complete. */
  int localReleased() {
    if (localUnderWay == 0) {
      localTick = closed();
    }
    return localTick;
  }

  /**
   * It updates LDS, and gets no value.
   *
   * @return its tick, shifted by one, and whether all that it did in this tick is released with it
   */
  int updates() {
    int now = tick;
    if (seenCount == 0 || seens[(seenCount - 1) % SEENS] != seen) {
      seens[seenCount % SEENS] = seen;
      seenSince[seenCount++ % SEENS] = now;
    }
    return now << 1 | (closed() == now ? 1 : 0);
  }

  /** What an update of LDS at a tick has made known. If that is long ago, it may be more. */
  Published published(int at, int released) {
    int i = seenCount - 1;
    while (i > 0 && i > seenCount - SEENS && seenSince[i % SEENS] > at) {
      i--;
    }
    return new Published(released, released, seens[i % SEENS], Release.NONE, Clock.EMPTY);
  }

  Release agentRelease() {
    if (waitReleases && isComplete()) {
      agent = new Release(closed(), seen);
    }
    return agent;
  }

  /** A release of this wave as a clock. */
  Clock known(Release release) {
    if (release.tick() == 0) {
      return release.clock();
    }
    Clock own = Clock.of(new long[] {actor}, new int[] {release.tick()}, new int[] {localTick});
    return release.clock().join(own, group.crowd());
  }

  Release systemRelease() {
    if (countsStores) {
      system = agentRelease();
    }
    return system;
  }

  /**
   * Whether an access of global memory is ordered before this wave's next one.
   *
   * @param bypasses whether that one needs no fresh cache: it stores, or goes around the cache
   */
  boolean isAfter(long epoch, boolean bypasses) {
    return orderedBy(bypasses).covers(epoch, false, group.crowd());
  }

  /** The same by way of launches of other processes that come after it. */
  boolean isKnown(long epoch, boolean bypasses) {
    return group.launch.session().isKnown(epoch, orderedBy(bypasses), group.launch);
  }

  /**
   * For each wave of the workgroup, up to which tick its accesses of LDS are ordered before this
   * wave's next one. Valid until clocks are joined.
   */
  int[] matesInLds(boolean bypasses) {
    Clock by = orderedBy(bypasses);
    if (by != matesBy || mates.length == 0) {
      matesBy = by;
      mates = by.inLds(group.firstActor, group.waves.length);
      mates[(int) (actor - group.firstActor)] = Epoch.MOST_TICKS;
    }
    return mates;
  }

  /** The same by way of the crowd, which {@link #matesInLds} leaves out. */
  boolean isInCrowd(long epoch, boolean bypasses) {
    return orderedBy(bypasses).isInCrowd(epoch, group.crowd());
  }

  private Clock orderedBy(boolean bypasses) {
    return bypasses || invalidated ? seen : before;
  }

  /**
   * It has seen a store that may have been a release, and nothing tells: what that wave did before
   * it counts as released.
   */
  void trusts(long epoch) {
    long other = Epoch.actor(epoch);
    int tick = Epoch.tick(epoch);
    Clock own = Clock.of(new long[] {other}, new int[] {tick}, new int[] {tick});
    saw(own);
    if (group.holds(other)) {
      acquired(own);
      acquired(group.waves[(int) (other - group.firstActor)].seen);
    } else {
      saw(group.launch.allOf(other));
    }
  }
}
