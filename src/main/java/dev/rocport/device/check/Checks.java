package dev.rocport.device.check;

import java.util.Collections;
import java.util.EnumSet;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The enabled checks.
 *
 * @param seed of what chance decides, present where {@link Check#ORDER} is on: the same seed gives
 *     the same orders
 * @param delays what {@link Check#ORDER} may delay
 */
public record Checks(Set<Check> on, OptionalLong seed, Delays delays) {
  /** A plain run. */
  public static final Checks NONE = new Checks(Set.of(), OptionalLong.empty());

  private static final String ALL = "all";

  /** Where {@link Check#ORDER} may delay everything. */
  public Checks(Set<Check> on, OptionalLong seed) {
    this(on, seed, Delays.ALL);
  }

  public Checks {
    on =
        Collections.unmodifiableSet(
            on.isEmpty() ? EnumSet.noneOf(Check.class) : EnumSet.copyOf(on));
  }

  /**
   * Reads {@code all}, or words of {@link Check} with commas between them; {@code order=SEED} and
   * {@code all=SEED} choose the seed, {@code order=SEED@PLACES} also what may be late.
   *
   * @param chance the seed where none is chosen
   * @throws IllegalArgumentException with words for people
   */
  public static Checks parse(String text, long chance) {
    if (text.isBlank()) {
      return NONE;
    }
    Set<Check> on = EnumSet.noneOf(Check.class);
    long seed = chance;
    Delays delays = Delays.ALL;
    for (String part : text.split(",", -1)) {
      String[] halves = part.strip().split("=", 2);
      if (halves[0].equals(ALL)) {
        on.addAll(Check.ALL);
      } else {
        on.add(named(halves[0]));
      }
      if (halves.length > 1) {
        if (!halves[0].equals(ALL) && !halves[0].equals(Check.ORDER.word())) {
          throw new IllegalArgumentException(
              "only 'order' and 'all' take a seed, not '" + halves[0] + "'");
        }
        String[] value = halves[1].split("@", 2);
        seed = seed(value[0]);
        delays = value.length > 1 ? Delays.parse(value[1]) : Delays.ALL;
      }
    }
    return on.contains(Check.ORDER)
        ? new Checks(on, OptionalLong.of(seed), delays)
        : new Checks(on, OptionalLong.empty());
  }

  /** These and {@link Check#ORDER}. */
  public Checks ordered(long by) {
    Set<Check> more = EnumSet.of(Check.ORDER);
    more.addAll(on);
    return new Checks(more, OptionalLong.of(by));
  }

  /** {@link Check#ORDER} alone. */
  public static Checks order(long seed) {
    return new Checks(Set.of(Check.ORDER), OptionalLong.of(seed));
  }

  /** The same with another seed. */
  public Checks seeded(long by) {
    return new Checks(on, OptionalLong.of(by), delays);
  }

  /**
   * The same with the seed and the delays of a text that {@link #parse} reads, if its checks are
   * these; otherwise these.
   */
  public Checks chosenBy(String text) {
    try {
      Checks chosen = parse(text, seed.orElse(0));
      return chosen.on().equals(on) ? chosen : this;
    } catch (IllegalArgumentException e) {
      // The device refuses such a text when it starts; this one runs with other options.
      return this;
    }
  }

  /** The same, but only these places may be late. */
  public Checks delaying(Delays some) {
    return new Checks(on, seed, some);
  }

  private static Check named(String word) {
    for (Check check : Check.values()) {
      if (check.word().equals(word)) {
        return check;
      }
    }
    throw new IllegalArgumentException(
        "unknown check '" + word + "'; the checks are uninit, race, sync, order, all and memory");
  }

  private static long seed(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("a seed is a number, not " + text, e);
    }
  }

  public boolean has(Check check) {
    return on.contains(check);
  }

  /** What {@link #parse} reads, with the seed; empty where nothing is on. */
  public String text() {
    return on.stream()
        .map(
            c ->
                c == Check.ORDER && seed.isPresent()
                    ? c.word() + "=" + seed.getAsLong() + places()
                    : c.word())
        .collect(Collectors.joining(","));
  }

  private String places() {
    return delays.kind() == Delays.Kind.ALL ? "" : "@" + delays.text();
  }
}
