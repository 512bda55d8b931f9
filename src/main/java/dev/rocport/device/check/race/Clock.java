package dev.rocport.device.check.race;

import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * A vector clock: for each wave that is known, up to which tick its accesses are ordered before
 * here, those of global memory and those of LDS apart. Long ones go to the {@link Crowd}.
 * Immutable.
 */
final class Clock {
  /** More entries than this go to the crowd. */
  private static final int MOST = 64;

  static final Clock EMPTY = new Clock(new long[0], new int[0], new int[0], 0);

  private final long[] actors;
  private final int[] global;
  private final int[] lds;

  /** The moment at which it looked at the crowd; 0 for never. */
  private final long clock;

  private Clock(long[] actors, int[] global, int[] lds, long clock) {
    this.actors = actors;
    this.global = global;
    this.lds = lds;
    this.clock = clock;
  }

  /**
   * A clock that covers some waves.
   *
   * @param actors in ascending order
   */
  static Clock of(long[] actors, int[] global, int[] lds) {
    return new Clock(actors, global, lds, 0);
  }

  /** A clock that covers everything that has joined the crowd by a moment. */
  static Clock at(long clock) {
    return new Clock(EMPTY.actors, EMPTY.global, EMPTY.lds, clock);
  }

  boolean isEmpty() {
    return actors.length == 0 && clock == 0;
  }

  boolean covers(long epoch, boolean inLds, Crowd crowd) {
    long actor = Epoch.actor(epoch);
    int at = find(actor);
    if (at >= 0 && (inLds ? lds[at] : global[at]) >= Epoch.tick(epoch)) {
      return true;
    }
    return isInCrowd(epoch, crowd);
  }

  /** Whether the crowd, as far as this clock has looked at it, covers an access. */
  boolean isInCrowd(long epoch, Crowd crowd) {
    return clock != 0 && crowd.covers(Epoch.actor(epoch), Epoch.tick(epoch), clock);
  }

  /** The ticks of LDS that are named here of some waves that follow each other. */
  int[] inLds(long firstActor, int waves) {
    int[] ticks = new int[waves];
    for (int i = 0; i < waves; i++) {
      int at = find(firstActor + i);
      ticks[i] = at < 0 ? 0 : lds[at];
    }
    return ticks;
  }

  /** Without the waves of a launch. */
  Clock without(int launch) {
    int others = 0;
    for (long actor : actors) {
      others += Epoch.launch(actor) == launch ? 0 : 1;
    }
    if (others == actors.length) {
      return this;
    }
    long[] all = new long[others];
    int[] allGlobal = new int[others];
    int[] allLds = new int[others];
    int k = 0;
    for (int i = 0; i < actors.length; i++) {
      if (Epoch.launch(actors[i]) != launch) {
        all[k] = actors[i];
        allGlobal[k] = global[i];
        allLds[k++] = lds[i];
      }
    }
    return others == 0 && clock == 0 ? EMPTY : new Clock(all, allGlobal, allLds, clock);
  }

  /** Whether it covers something of a launch of which a condition holds. */
  boolean hasLaunch(IntPredicate condition, Crowd crowd) {
    int before = 0;
    for (long actor : actors) {
      int launch = Epoch.launch(actor);
      if (launch != before && condition.test(launch)) {
        return true;
      }
      before = launch;
    }
    return clock != 0 && crowd.hasLaunch(condition, clock);
  }

  private int find(long actor) {
    // The waves of a workgroup follow each other, and often there are no others.
    long guess = actors.length == 0 ? -1 : actor - actors[0];
    return guess >= 0 && guess < actors.length && actors[(int) guess] == actor
        ? (int) guess
        : Arrays.binarySearch(actors, actor);
  }

  /** What is before either of two moments. */
  Clock join(Clock other, Crowd crowd) {
    if (other == this || other == EMPTY || other.isIn(this)) {
      return this;
    }
    if (this == EMPTY || isIn(other)) {
      return other;
    }
    int n = actors.length + other.actors.length;
    long[] all = new long[n];
    int[] allGlobal = new int[n];
    int[] allLds = new int[n];
    int i = 0;
    int j = 0;
    int k = 0;
    while (i < actors.length || j < other.actors.length) {
      boolean mine =
          j >= other.actors.length || (i < actors.length && actors[i] <= other.actors[j]);
      boolean others =
          i >= actors.length || (j < other.actors.length && other.actors[j] <= actors[i]);
      all[k] = mine ? actors[i] : other.actors[j];
      allGlobal[k] = Math.max(mine ? global[i] : 0, others ? other.global[j] : 0);
      allLds[k] = Math.max(mine ? lds[i] : 0, others ? other.lds[j] : 0);
      i += mine ? 1 : 0;
      j += others ? 1 : 0;
      k++;
    }
    return new Clock(
            Arrays.copyOf(all, k),
            Arrays.copyOf(allGlobal, k),
            Arrays.copyOf(allLds, k),
            Math.max(clock, other.clock))
        .shortened(crowd);
  }

  /** Whether another clock certainly covers this one; cheap, so a negative answer may be wrong. */
  private boolean isIn(Clock other) {
    if (clock > other.clock || actors.length > other.actors.length) {
      return false;
    }
    int j = 0;
    for (int i = 0; i < actors.length; i++) {
      while (j < other.actors.length && other.actors[j] < actors[i]) {
        j++;
      }
      if (j == other.actors.length
          || other.actors[j] != actors[i]
          || other.global[j] < global[i]
          || other.lds[j] < lds[i]) {
        return false;
      }
    }
    return true;
  }

  private Clock shortened(Crowd crowd) {
    if (actors.length <= MOST) {
      return this;
    }
    return new Clock(EMPTY.actors, EMPTY.global, EMPTY.lds, crowd.join(actors, global));
  }
}
