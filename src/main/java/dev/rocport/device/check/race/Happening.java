package dev.rocport.device.check.race;

import dev.rocport.device.check.VectorClock;
import org.jspecify.annotations.Nullable;

/** A launch, or what the host does to device memory at one time. */
abstract class Happening {
  private static final int CACHED = 64;

  private final Session session;
  private final int number;
  private final @Nullable VectorClock clock;

  /** How many had ended when it began. */
  private final int began;

  /** Some that are known to be ordered before; threads may race here, as all find the same. */
  private final int[] before = new int[CACHED];

  Happening(Session session, int number, @Nullable VectorClock clock, int began) {
    this.session = session;
    this.number = number;
    this.clock = clock;
    this.began = began;
  }

  final Session session() {
    return session;
  }

  final int number() {
    return number;
  }

  final @Nullable VectorClock clock() {
    return clock;
  }

  final int began() {
    return began;
  }

  /** Whether all of another one is ordered before this one. */
  final boolean isAfter(int other) {
    if (before[other % CACHED] == other) {
      return true;
    }
    boolean after = session.isOrdered(other, this);
    if (after) {
      before[other % CACHED] = other;
    }
    return after;
  }
}
