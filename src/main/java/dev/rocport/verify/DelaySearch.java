package dev.rocport.verify;

import dev.rocport.device.check.Checks;
import dev.rocport.device.check.Delays;
import dev.rocport.toolchain.ToolchainException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Finds the delays that decide how a program ends: takes delays back, half of them at a time, for
 * as long as the program still fails with the others. A program that fails with some delays fails
 * by chance, so each set is tried with several seeds.
 */
final class DelaySearch {
  /** Runs the program. */
  @FunctionalInterface
  interface Trial {
    /**
     * Whether the program fails as it did at first.
     *
     * @return empty if there is no time left for it
     */
    Optional<Boolean> fails(Checks checks)
        throws IOException, InterruptedException, ToolchainException;
  }

  /** Runs before a set of delays counts as one that does no harm, for a program that... */
  private static final int FEW_SEEDS = 2;

  /** ...fails each time with all of them, and for one that fails by chance. */
  private static final int SEEDS = 6;

  /** Runs that show which of the two it is. */
  private static final int SAMPLE = 3;

  private final Trial trial;
  private final Checks failed;

  /** Runs that have failed, by what was late in them. */
  private final Map<Set<Integer>, Checks> witnesses = new HashMap<>();

  private int seeds = FEW_SEEDS;
  private boolean timeIsUp;

  /**
   * A search.
   *
   * @param failed the checks of a run that has failed
   */
  DelaySearch(Trial trial, Checks failed) {
    this.trial = trial;
    this.failed = failed;
  }

  /**
   * The places whose delays, all together, still make the program fail; none if it fails without
   * any. All of those given if it does not fail again.
   */
  List<DelayedPlace> among(List<DelayedPlace> places)
      throws IOException, InterruptedException, ToolchainException {
    for (int i = 0; i < SAMPLE; i++) {
      if (!failsWith(places, i)) {
        seeds = SEEDS;
      }
    }
    if (fails(List.of())) {
      return List.of();
    }
    if (timeIsUp || (witness(places).isEmpty() && !fails(places))) {
      return places;
    }
    List<DelayedPlace> deciding = needed(places, List.of());
    if (!witnesses.containsKey(numbers(deciding)) && !timeIsUp) {
      fails(deciding);
    }
    return deciding;
  }

  /** A run that has failed with these delays and no others; empty if none was seen. */
  Optional<Checks> witness(List<DelayedPlace> late) {
    return Optional.ofNullable(witnesses.get(numbers(late)));
  }

  /** Whether the search was stopped before its end, so that fewer delays may do. */
  boolean isCut() {
    return timeIsUp;
  }

  /**
   * The part of {@code some} that is needed.
   *
   * @param others that are late, too; with all of {@code some} the program fails
   */
  private List<DelayedPlace> needed(List<DelayedPlace> some, List<DelayedPlace> others)
      throws IOException, InterruptedException, ToolchainException {
    if (some.size() < 2) {
      return some;
    }
    List<DelayedPlace> first = some.subList(0, some.size() / 2);
    List<DelayedPlace> second = some.subList(some.size() / 2, some.size());
    if (fails(joined(first, others))) {
      return needed(first, others);
    }
    if (!timeIsUp && fails(joined(second, others))) {
      return needed(second, others);
    }
    if (timeIsUp) {
      return some;
    }
    List<DelayedPlace> here = needed(first, joined(second, others));
    return joined(here, needed(second, joined(here, others)));
  }

  private static List<DelayedPlace> joined(List<DelayedPlace> a, List<DelayedPlace> b) {
    List<DelayedPlace> all = new ArrayList<>(a);
    all.addAll(b);
    return all;
  }

  private boolean fails(List<DelayedPlace> late)
      throws IOException, InterruptedException, ToolchainException {
    for (int i = 0; i < seeds && !timeIsUp; i++) {
      if (failsWith(late, i)) {
        return true;
      }
    }
    return false;
  }

  private boolean failsWith(List<DelayedPlace> late, int seed)
      throws IOException, InterruptedException, ToolchainException {
    Delays delays = Delays.only(numbers(late));
    Checks checks = failed.seeded(failed.seed().orElse(0) + seed).delaying(delays);
    Optional<Boolean> fails = trial.fails(checks);
    timeIsUp |= fails.isEmpty();
    if (fails.orElse(false)) {
      witnesses.put(delays.places(), checks);
    }
    return fails.orElse(false);
  }

  private static Set<Integer> numbers(List<DelayedPlace> places) {
    return places.stream().map(DelayedPlace::number).collect(Collectors.toCollection(TreeSet::new));
  }
}
