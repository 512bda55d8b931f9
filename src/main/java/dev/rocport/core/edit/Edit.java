package dev.rocport.core.edit;

import java.util.List;

/**
 * A replacement of the original bytes from {@code start} to {@code end} (end excluded).
 *
 * @param start first byte replaced
 * @param end after the last byte replaced; equal to {@code start} for an insertion
 * @param pieces the replacement, in order
 * @param side for insertions: the adjacent text that it belongs to
 * @param rule id of the rule that made it
 */
public record Edit(int start, int end, List<Piece> pieces, Side side, String rule) {
  /** Which neighbor an insertion belongs to, which orders insertions at one place. */
  public enum Side {
    /** Closes what is before it. */
    AFTER,
    /** Opens what is after it. */
    BEFORE
  }

  public Edit {
    if (start < 0 || end < start) {
      throw new IllegalArgumentException("bad span " + start + ".." + end);
    }
    pieces = List.copyOf(pieces);
  }

  public static Edit replace(int start, int end, String text, String rule) {
    return new Edit(start, end, List.of(new Piece.Text(text)), Side.BEFORE, rule);
  }

  /** Text that opens what is at {@code at}. */
  public static Edit before(int at, String text, String rule) {
    return new Edit(at, at, List.of(new Piece.Text(text)), Side.BEFORE, rule);
  }

  /** Text that closes what ends at {@code at}. */
  public static Edit after(int at, String text, String rule) {
    return new Edit(at, at, List.of(new Piece.Text(text)), Side.AFTER, rule);
  }

  public static Edit delete(int start, int end, String rule) {
    return new Edit(start, end, List.of(), Side.BEFORE, rule);
  }

  boolean isInsertion() {
    return start == end;
  }
}
