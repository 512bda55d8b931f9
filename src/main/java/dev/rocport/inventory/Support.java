package dev.rocport.inventory;

import dev.rocport.io.InvalidFileException;
import java.util.Locale;

/** How a port handles a component, in increasing order of manual work. */
public enum Support {
  /** rocport ports its calls. */
  YES,
  /** rocport ports some of them. */
  PARTLY,
  /** A counterpart exists, and is used by hand. */
  MANUAL,
  /** There is none. */
  NO;

  /** As reports spell it. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  static Support of(String label, String where) {
    for (Support s : values()) {
      if (s.label().equals(label)) {
        return s;
      }
    }
    throw new InvalidFileException(
        where + ": support must be yes, partly, manual or no, not " + label);
  }
}
