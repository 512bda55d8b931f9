package dev.rocport.port.notes;

import dev.rocport.io.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line with a comment such as {@code // rocport W64-UNSURE: the reason [3f2a]}. The four digits
 * are a checksum of the text before them, so that a comment that a person has written or changed is
 * no such line.
 */
final class NoteLine {
  private static final int DIGITS = 4;

  /** The line without its end, one character for each byte; 0x85 is no line end among these. */
  private static final Pattern LINE =
      Pattern.compile(
          "[ \\t]*(?://|#|/\\*) (rocport [A-Za-z][A-Za-z0-9-]*(?: \\([^)]*\\))?: .*)"
              + " \\[([0-9a-f]{4})\\](?: \\*/)?",
          Pattern.DOTALL);

  private NoteLine() {}

  /**
   * Returns the bytes of a line without its end, one character for each byte.
   *
   * @param subject the id of a rule, with the distance to the code if it is not the next line
   * @param text what the comment says; its line ends and control characters are replaced
   * @param ascii whether the file has an encoding other than UTF-8
   */
  static String of(String indent, Syntax syntax, String subject, String text, boolean ascii) {
    String plain =
        text.replaceAll("[\\s\\p{Cntrl}\\p{Cf}]+", " ")
            .strip()
            // Neither a suppression, nor an encoding of Python, nor the end of the comment.
            .replace("rocport:", "rocport")
            .replaceAll("coding(?=[:=])", "coding ")
            .replace("*/", "* /");
    if (ascii) {
      plain = plain.replaceAll("[^\\x20-\\x7e]", "?");
    }
    String said =
        new String(
            ("rocport " + subject + ": " + plain).getBytes(StandardCharsets.UTF_8),
            StandardCharsets.ISO_8859_1);
    return indent + syntax.open() + said + " [" + checksum(said) + "]" + syntax.close();
  }

  /** Returns whether a line, without its end, is such a comment. */
  static boolean is(String line) {
    Matcher m = LINE.matcher(line);
    return m.matches() && checksum(m.group(1)).equals(m.group(2));
  }

  private static String checksum(String said) {
    return Sha256.fingerprint(said).substring(0, DIGITS);
  }
}
