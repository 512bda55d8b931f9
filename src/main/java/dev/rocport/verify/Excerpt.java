package dev.rocport.verify;

import java.util.ArrayList;
import java.util.List;

/** A line of a source with the one before and the one after. */
final class Excerpt {
  /** Lines before and after. */
  static final int AROUND = 1;

  private Excerpt() {}

  /** The first line that is shown of a place. */
  static int first(int line) {
    return Math.max(1, line - AROUND);
  }

  /**
   * Numbers the lines, and marks one.
   *
   * @param texts of the lines from {@link #first} on; more than needed are ignored
   * @param line 1-based
   */
  static List<String> of(List<String> texts, int line) {
    List<String> lines = new ArrayList<>();
    for (int n = first(line); n <= line + AROUND && n - first(line) < texts.size(); n++) {
      String text = texts.get(n - first(line)).stripTrailing();
      lines.add("%s %5d | %s".formatted(n == line ? ">" : " ", n, text));
    }
    return lines;
  }
}
