package dev.rocport.device.check;

/**
 * How much of a program checks have looked at.
 *
 * @param pairs of accesses of the same word, one of them a store, that {@link Check#RACE} has
 *     compared
 * @param late accesses and commands that {@link Check#ORDER} has delayed
 */
public record Coverage(long pairs, long late) {
  /** Nothing. */
  public static final Coverage NONE = new Coverage(0, 0);

  /** This and another one together. */
  public Coverage plus(Coverage other) {
    return new Coverage(pairs + other.pairs, late + other.late);
  }
}
