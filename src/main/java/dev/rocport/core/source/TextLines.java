package dev.rocport.core.source;

import java.util.ArrayList;
import java.util.List;

/** Lines of texts with their ends. */
public final class TextLines {
  private TextLines() {}

  /** Returns the lines of a text; the last one may have no end. */
  public static List<String> of(String text) {
    List<String> lines = new ArrayList<>();
    int at = 0;
    for (int end; (end = text.indexOf('\n', at)) >= 0; at = end + 1) {
      lines.add(text.substring(at, end + 1));
    }
    if (at < text.length()) {
      lines.add(text.substring(at));
    }
    return lines;
  }
}
