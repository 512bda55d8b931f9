package dev.rocport.device.check.race;

import java.util.Arrays;

/**
 * The last joins of clocks of a workgroup. The lanes of an instruction often publish the same at
 * words with the same history.
 */
final class Joins {
  private final Crowd crowd;
  private final Last agent = new Last();
  private final Last system = new Last();
  private final Last ofCrowd = new Last();

  private final long[] actors = new long[Location.EXACT];
  private final int[] ticks = new int[Location.EXACT];
  private Clock inCrowd = Clock.EMPTY;

  Joins(Crowd crowd) {
    this.crowd = crowd;
  }

  Clock ofAgent(Clock one, Clock other) {
    return agent.of(one, other);
  }

  Clock ofSystem(Clock one, Clock other) {
    return system.of(one, other);
  }

  Clock ofCrowd(Clock one, Clock other) {
    return ofCrowd.of(one, other);
  }

  /** A clock that covers what some waves have released, by way of the crowd. */
  Clock crowd(long[] someActors, int[] someTicks) {
    if (inCrowd == Clock.EMPTY
        || !Arrays.equals(actors, someActors)
        || !Arrays.equals(ticks, someTicks)) {
      System.arraycopy(someActors, 0, actors, 0, actors.length);
      System.arraycopy(someTicks, 0, ticks, 0, ticks.length);
      inCrowd = Clock.at(crowd.join(someActors, someTicks));
    }
    return inCrowd;
  }

  /** The last join of one kind. */
  private final class Last {
    private Clock one = Clock.EMPTY;
    private Clock other = Clock.EMPTY;
    private Clock joined = Clock.EMPTY;

    Clock of(Clock a, Clock b) {
      if (a != one || b != other) {
        one = a;
        other = b;
        joined = a.join(b, crowd);
      }
      return joined;
    }
  }
}
