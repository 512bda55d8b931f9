package dev.rocport.device.dispatch;

import java.util.Locale;

/** Which wave of a workgroup has the first turn of a round. */
public enum TurnOrder {
  /** The wave with the lowest threads. */
  ASCENDING,
  /** The wave with the highest threads. */
  DESCENDING;

  /**
   * Returns the order that a word names; an empty one names the usual order.
   *
   * @throws IllegalArgumentException if there is no such order
   */
  public static TurnOrder parse(String word) {
    return switch (word) {
      case "", "ascending" -> ASCENDING;
      case "descending" -> DESCENDING;
      default ->
          throw new IllegalArgumentException(
              "unknown order of turns '" + word + "'; supported are ascending and descending");
    };
  }

  /** Returns the word that names it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
