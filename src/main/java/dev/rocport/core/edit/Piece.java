package dev.rocport.core.edit;

/** A part of an edit's replacement. */
public sealed interface Piece {
  /** New text. */
  record Text(String text) implements Piece {}

  /**
   * Original bytes from {@code start} to {@code end}, moved here; edits that are inside are
   * applied.
   */
  record Moved(int start, int end) implements Piece {}
}
