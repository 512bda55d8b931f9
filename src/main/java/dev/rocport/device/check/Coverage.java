package dev.rocport.device.check;

/**
 * How much of a program checks have looked at.
 *
 * @param launches that ran with checks
 * @param refused code objects that the device did not load
 * @param pairs of accesses of the same word, one of them a store, that {@link Check#RACE} has
 *     compared
 * @param late accesses and commands that {@link Check#ORDER} has delayed
 */
public record Coverage(long launches, long refused, long pairs, long late) {
  /** Nothing. */
  public static final Coverage NONE = new Coverage(0, 0, 0, 0);

  /** Whether the device refused all code of the program. */
  boolean isNothing() {
    return launches == 0 && refused > 0;
  }

  /** Pairs of accesses alone. */
  public static Coverage ofPairs(long pairs) {
    return new Coverage(0, 0, pairs, 0);
  }

  /** Late accesses and commands alone. */
  public static Coverage ofLate(long late) {
    return new Coverage(0, 0, 0, late);
  }

  /** This and another one together. */
  public Coverage plus(Coverage other) {
    return new Coverage(
        launches + other.launches, refused + other.refused, pairs + other.pairs, late + other.late);
  }
}
