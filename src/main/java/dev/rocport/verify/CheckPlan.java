package dev.rocport.verify;

import dev.rocport.device.check.Check;
import dev.rocport.device.check.Checks;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Chooses the checks of the next run of a program. The first run has none and shows what the
 * program does by itself; the second one looks for what does not depend on chance; all others
 * change orders by a new seed each, one in four of them with all checks, which costs the most.
 */
final class CheckPlan {
  /** What the runs of one kind have in common: about the same time. */
  enum Kind {
    PLAIN,
    FIXED,
    ORDER,
    ALL
  }

  /** A run is not begun if it would probably not end in time: runs of a kind differ by this. */
  private static final double SLACK = 1.2;

  /** The number of the first run that has a seed. */
  private static final int FIRST_ORDER = 2;

  private static final int ROUND = 4;

  private final long budget;
  private final long seed;
  private final Map<Kind, Long> took = new EnumMap<>(Kind.class);
  private int next;
  private long used;

  /**
   * A plan.
   *
   * @param budget time for all runs together
   * @param seed the first one
   */
  CheckPlan(Duration budget, long seed) {
    this.budget = budget.toNanos();
    this.seed = seed;
  }

  /** The checks of the next run; empty if the time is used. */
  Optional<Checks> next() {
    Kind kind = kind(next);
    if (left().isZero() || used + SLACK * took.getOrDefault(kind, 0L) > budget) {
      return Optional.empty();
    }
    return Optional.of(checks(kind, seed + next - FIRST_ORDER));
  }

  /** The time that is left, at least zero. */
  Duration left() {
    return Duration.ofNanos(Math.max(0, budget - used));
  }

  /** The run that {@link #next} chose has ended. */
  void ended(Duration time) {
    // The first run of a kind starts its device, later ones find it running.
    took.merge(kind(next), time.toNanos(), (before, now) -> Math.max(now, (before + now) / 2));
    spent(time);
    next++;
  }

  /** Time was used for something else. */
  void spent(Duration time) {
    used += time.toNanos();
  }

  /** Whether there is time for another run that changes orders. */
  boolean hasTimeForOrder() {
    return !left().isZero() && used + SLACK * took.getOrDefault(Kind.ORDER, 0L) <= budget;
  }

  private static Kind kind(int run) {
    return switch (run) {
      case 0 -> Kind.PLAIN;
      case 1 -> Kind.FIXED;
      default -> (run - 1) % ROUND == 0 ? Kind.ALL : Kind.ORDER;
    };
  }

  private static Checks checks(Kind kind, long seed) {
    return switch (kind) {
      case PLAIN -> Checks.NONE;
      case FIXED ->
          new Checks(EnumSet.of(Check.UNINIT, Check.RACE, Check.SYNC), OptionalLong.empty());
      case ORDER -> Checks.order(seed);
      case ALL -> new Checks(Check.ALL, OptionalLong.of(seed));
    };
  }
}
