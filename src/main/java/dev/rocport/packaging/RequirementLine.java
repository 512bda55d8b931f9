package dev.rocport.packaging;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One logical line of a requirements file: lines joined by a backslash at their end.
 *
 * @param start offset of its first byte
 * @param end offset after its last byte, excluding the line end
 * @param text the joined line without comment, as pip reads it
 * @param comment the comment after it, or empty
 */
record RequirementLine(int start, int end, String text, String comment) {
  private static final Pattern OPTION =
      Pattern.compile(
          "(-r|-c|-i|-f|--requirement|--constraint|--index-url|--extra-index-url|--find-links)"
              + "(?:\\s*=\\s*|\\s+|(?<=-[rcif]))[\"']?([^\"']+?)[\"']?");
  private static final Pattern COMMENT = Pattern.compile("(?:^|\\s)#.*");

  /** Returns the lines of a file that are not blank or comments. */
  static List<RequirementLine> of(String file) {
    List<RequirementLine> lines = new ArrayList<>();
    int at = Sibling.start(file);
    while (at < file.length()) {
      int start = at;
      StringBuilder joined = new StringBuilder();
      String comment = "";
      int end;
      while (true) {
        int nl = file.indexOf('\n', at);
        end = nl < 0 ? file.length() : nl;
        int last = end > at && file.charAt(end - 1) == '\r' ? end - 1 : end;
        String line = file.substring(at, last);
        at = nl < 0 ? file.length() : nl + 1;
        Matcher m = COMMENT.matcher(line);
        boolean commented = m.find();
        if (commented) {
          comment = line.substring(m.start()).strip();
          line = line.substring(0, m.start());
        }
        end = last;
        if (line.endsWith("\\") && !commented && at < file.length()) {
          joined.append(line, 0, line.length() - 1).append(' ');
        } else {
          joined.append(line);
          break;
        }
      }
      String text = joined.toString().strip();
      if (!text.isEmpty()) {
        lines.add(new RequirementLine(start, end, text, comment));
      }
    }
    return lines;
  }

  /** Returns option and value of a line such as {@code -r base.txt}. */
  Optional<String[]> option() {
    Matcher m = OPTION.matcher(text);
    return m.matches()
        ? Optional.of(new String[] {m.group(1), m.group(2).strip()})
        : Optional.empty();
  }

  /** Returns the file that the line includes; empty if it includes none. */
  String included() {
    return option()
        .filter(o -> o[0].matches("-r|-c|--requirement|--constraint"))
        .map(o -> o[1])
        .orElse("");
  }

  /** Returns the requirement of the line without options. */
  Optional<Requirement> requirement() {
    if (text.startsWith("-")) {
      return Optional.empty();
    }
    return Requirement.parse(bare());
  }

  private String bare() {
    Matcher m = Pattern.compile("\\s--?[a-z]").matcher(text);
    return m.find() ? text.substring(0, m.start()) : text;
  }

  /** Returns options after the requirement, except hashes. */
  String options() {
    String rest = text.substring(bare().length());
    return rest.replaceAll("\\s*--hash[=\\s]\\S+", "").strip();
  }

  boolean hasHash() {
    return text.contains("--hash");
  }
}
