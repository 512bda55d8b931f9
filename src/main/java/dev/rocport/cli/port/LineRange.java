package dev.rocport.cli.port;

import dev.rocport.cli.support.UsageException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Lines of a file, as {@code 10-40} or {@code 10}.
 *
 * @param first 1-based
 * @param last not before {@code first}
 */
record LineRange(int first, int last) {
  private static final Pattern TEXT = Pattern.compile("([1-9]\\d{0,8})(?:-([1-9]\\d{0,8}))?");

  /**
   * Reads a range.
   *
   * @throws UsageException if the text is none
   */
  static LineRange of(String text) {
    Matcher m = TEXT.matcher(text);
    if (m.matches()) {
      int first = Integer.parseInt(m.group(1));
      int last = m.group(2) == null ? first : Integer.parseInt(m.group(2));
      if (first <= last) {
        return new LineRange(first, last);
      }
    }
    throw new UsageException("--lines must be lines such as 10-40, not '" + text + "'");
  }
}
