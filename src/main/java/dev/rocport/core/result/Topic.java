package dev.rocport.core.result;

import java.util.Locale;

/** The topic of a rule, for reports and commands that treat the rules of a topic together. */
public enum Topic {
  /** Nothing of these. */
  NONE,
  /** What is decided about warps of 32 lanes. */
  WARP,
  /** A place that depends on the size of warps; there may be thousands. */
  WARP_PLACE,
  /** PTX, in inline assembly and elsewhere. */
  PTX,
  /** Building. */
  BUILD,
  /** Comparing results. */
  VERIFY;

  /** As rule files spell it; empty for none. */
  public String label() {
    return this == NONE ? "" : name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * The topic of a label.
   *
   * @throws IllegalArgumentException if there is no such topic
   */
  public static Topic of(String label) {
    for (Topic t : values()) {
      if (t.label().equals(label)) {
        return t;
      }
    }
    throw new IllegalArgumentException("no topic '" + label + "'");
  }

  /** True for all about warps. */
  public boolean isOfWarps() {
    return this == WARP || this == WARP_PLACE;
  }
}
