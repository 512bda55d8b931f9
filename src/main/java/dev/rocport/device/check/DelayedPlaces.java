package dev.rocport.device.check;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The instructions and commands of one program that {@link Check#ORDER} may delay. Each has a
 * number that is the same in all runs of the program. Thread-safe.
 */
public final class DelayedPlaces {
  /**
   * A place where something may be late.
   *
   * @param number as {@link Delays} names it
   */
  public record Place(int number, Site site) {}

  private final Delays chosen;
  private final Set<Integer> listed = new HashSet<>();
  private final List<Place> fresh = new ArrayList<>();

  public DelayedPlaces(Delays chosen) {
    this.chosen = chosen;
  }

  public Delays chosen() {
    return chosen;
  }

  /**
   * Whether a place may be late; lists it if that is asked for.
   *
   * @param site what is there
   */
  public boolean mayDelay(int number, Supplier<Site> site) {
    if (chosen.kind() == Delays.Kind.LISTED) {
      list(number, site);
    }
    return chosen.mayDelay(number);
  }

  private synchronized void list(int number, Supplier<Site> site) {
    if (listed.add(number)) {
      fresh.add(new Place(number, site.get()));
    }
  }

  /** The places that were listed since the last call. */
  public synchronized List<Place> fresh() {
    List<Place> all = List.copyOf(fresh);
    fresh.clear();
    return all;
  }
}
