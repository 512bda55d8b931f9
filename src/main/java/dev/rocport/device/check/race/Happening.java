package dev.rocport.device.check.race;

import dev.rocport.device.check.VectorClock;
import org.jspecify.annotations.Nullable;

/** A launch, or what the host does to device memory at one time. */
abstract class Happening {
  private static final int CACHED = 64;

  private final Races session;
  private final Program program;
  private final int number;
  private final @Nullable VectorClock clock;

  /** How many had ended when it began. */
  private final int began;

  /** Some that are known to be ordered before; threads may race here, as all find the same. */
  private final int[] before = new int[CACHED];

  /** What comes before it by what kernels before it have learned from those of other processes. */
  private Clock inherited = Clock.EMPTY;

  Happening(Races session, Program program, int number, @Nullable VectorClock clock, int began) {
    this.session = session;
    this.program = program;
    this.number = number;
    this.clock = clock;
    this.began = began;
  }

  final Races session() {
    return session;
  }

  final Program program() {
    return program;
  }

  /** An operation that is ordered before it has learned of others. */
  final void inherit(Clock learned) {
    inherited = inherited.join(learned, session.crowd());
  }

  final Clock inherited() {
    return inherited;
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
