package dev.rocport.device.check;

import java.util.Arrays;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Which instructions and commands {@link Check#ORDER} may delay. The others act at once, as on
 * coherent memory. To find the delay that decides how a program ends, run it with fewer and fewer.
 *
 * @param kind what is chosen
 * @param places the numbers of {@link DelayedPlaces} that may be late, for {@link Kind#CHOSEN}
 */
public record Delays(Kind kind, Set<Integer> places) {
  /** What may be late. */
  public enum Kind {
    /** Everything. */
    ALL(0),
    /** Everything, and each place is listed among the findings. */
    LISTED(1),
    /** What {@link Delays#places} names. */
    CHOSEN(2);

    private final int number;

    Kind(int number) {
      this.number = number;
    }

    /** Its number in messages. */
    public int number() {
      return number;
    }
  }

  /** Everything may be late. */
  public static final Delays ALL = new Delays(Kind.ALL, Set.of());

  /** Everything may be late and is listed. */
  public static final Delays LISTED = new Delays(Kind.LISTED, Set.of());

  private static final String ALL_LISTED = "all";
  private static final String NONE = "none";
  private static final int RADIX = 16;

  public Delays {
    places = Collections.unmodifiableSet(new TreeSet<>(places));
  }

  /** Only these may be late. */
  public static Delays only(Set<Integer> places) {
    return new Delays(Kind.CHOSEN, places);
  }

  /**
   * Reads {@code all}, {@code none}, or hexadecimal numbers with {@code +} between them.
   *
   * @throws IllegalArgumentException with words for people
   */
  static Delays parse(String text) {
    return switch (text) {
      case ALL_LISTED -> LISTED;
      case NONE -> only(Set.of());
      default ->
          only(
              Arrays.stream(text.split("\\+", -1)).map(Delays::number).collect(Collectors.toSet()));
    };
  }

  private static int number(String text) {
    try {
      return Integer.parseUnsignedInt(text, RADIX);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "what order may delay is all, none, or hexadecimal numbers, not " + text, e);
    }
  }

  /** Whether a place may be late. */
  public boolean mayDelay(int place) {
    return kind != Kind.CHOSEN || places.contains(place);
  }

  /** What {@link #parse} reads. */
  String text() {
    return kind != Kind.CHOSEN
        ? ALL_LISTED
        : places.isEmpty()
            ? NONE
            : places.stream().map(Integer::toHexString).collect(Collectors.joining("+"));
  }
}
