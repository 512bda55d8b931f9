package dev.rocport.packaging;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One instruction of a Dockerfile.
 *
 * @param keyword in capitals
 * @param start offset of the keyword
 * @param body offset of the text after it
 * @param end offset after the last byte, excluding the line end
 */
record DockerInstruction(String keyword, int start, int body, int end) {
  private static final Pattern KEYWORD =
      Pattern.compile("[ \\t]*([A-Za-z]+)(?=[ \\t\\\\\\r\\n]|$)[ \\t]*");
  private static final Pattern HEREDOC = Pattern.compile("<<(-?)[\"']?([A-Za-z_]\\w*)[\"']?");
  private static final Pattern DIRECTIVE =
      Pattern.compile("#[ \\t]*(syntax|escape|check)[ \\t]*=.*", Pattern.CASE_INSENSITIVE);

  /** Returns the instructions in order. */
  static List<DockerInstruction> of(String text) {
    List<DockerInstruction> list = new ArrayList<>();
    char escape =
        text.lines().limit(5).anyMatch(l -> l.matches("(?i)#\\s*escape\\s*=\\s*`\\s*"))
            ? '`'
            : '\\';
    int at = 0;
    while (at < text.length()) {
      int end = lineEnd(text, at);
      String line = text.substring(at, end);
      Matcher m = KEYWORD.matcher(line);
      if (line.isBlank() || line.stripLeading().startsWith("#") || !m.lookingAt()) {
        at = end + 1;
        continue;
      }
      int start = at + m.start(1);
      int body = at + m.end();
      int last = continued(text, at, escape);
      last = heredocs(text, text.substring(body, Math.max(body, last)), last);
      list.add(
          new DockerInstruction(
              m.group(1).toUpperCase(Locale.ROOT), start, body, trimmed(text, body, last)));
      at = last + 1;
    }
    return list;
  }

  /** Returns the end of the last line that continues the line at an offset. */
  private static int continued(String text, int from, char escape) {
    int at = from;
    while (true) {
      int end = lineEnd(text, at);
      String line = text.substring(at, end).stripTrailing();
      boolean skipped = at > from && (line.isBlank() || line.stripLeading().startsWith("#"));
      boolean more = skipped || (!line.isEmpty() && line.charAt(line.length() - 1) == escape);
      if (!more || end >= text.length()) {
        return end;
      }
      at = end + 1;
    }
  }

  private static int heredocs(String text, String body, int from) {
    int last = from;
    Matcher m = HEREDOC.matcher(body);
    while (m.find()) {
      int at = last + 1;
      while (at < text.length()) {
        int end = lineEnd(text, at);
        String line = text.substring(at, end).stripTrailing();
        last = end;
        at = end + 1;
        if ((m.group(1).isEmpty() ? line : line.stripLeading()).equals(m.group(2))) {
          break;
        }
      }
    }
    return last;
  }

  private static int trimmed(String text, int from, int to) {
    int end = Math.min(to, text.length());
    while (end > from && Character.isWhitespace(text.charAt(end - 1))) {
      end--;
    }
    return end;
  }

  private static int lineEnd(String text, int at) {
    int end = text.indexOf('\n', at);
    return end < 0 ? text.length() : end;
  }

  /** Returns the offset after lines that must stay first: parser directives. */
  static int afterDirectives(String text) {
    int at = 0;
    while (at < text.length()) {
      int end = lineEnd(text, at);
      String line = text.substring(at, end).strip();
      if (!DIRECTIVE.matcher(line.replace("\u00ef\u00bb\u00bf", "")).matches()) {
        break;
      }
      at = Math.min(text.length(), end + 1);
    }
    return at == 0 ? Sibling.start(text) : at;
  }
}
