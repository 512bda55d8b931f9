package dev.rocport.packaging;

import java.util.ArrayList;
import java.util.List;

/**
 * A simple command of a shell script.
 *
 * @param words in order; quoted text is part of one word
 */
record ShellCommand(List<Word> words) {
  /**
   * A word.
   *
   * @param start offset of its first byte, including a quote
   * @param end offset after its last byte
   * @param text without quotes
   */
  record Word(int start, int end, String text) {}

  ShellCommand {
    words = List.copyOf(words);
  }

  /** Returns the commands between two offsets, separated by operators, line ends and comments. */
  static List<ShellCommand> of(String text, int from, int to, boolean lineEnds) {
    List<ShellCommand> commands = new ArrayList<>();
    List<Word> words = new ArrayList<>();
    int i = from;
    boolean newLine = true;
    while (i < to) {
      char c = text.charAt(i);
      if (c == '\\' && isLineEnd(text, i + 1)) {
        i = text.indexOf('\n', i) < 0 ? to : text.indexOf('\n', i) + 1;
        newLine = true;
      } else if (c == '#' && (newLine || Character.isWhitespace(text.charAt(i - 1)))) {
        int end = text.indexOf('\n', i);
        i = end < 0 ? to : end + (newLine ? 1 : 0);
      } else if (c == '\n' && lineEnds) {
        flush(words, commands);
        newLine = true;
        i++;
      } else if (Character.isWhitespace(c)) {
        i++;
      } else if ("&|;()".indexOf(c) >= 0) {
        flush(words, commands);
        newLine = false;
        i++;
      } else {
        int end = wordEnd(text, i, to);
        words.add(new Word(i, end, unquoted(text.substring(i, end))));
        newLine = false;
        i = end;
      }
    }
    flush(words, commands);
    return commands;
  }

  private static void flush(List<Word> words, List<ShellCommand> commands) {
    if (!words.isEmpty()) {
      commands.add(new ShellCommand(words));
      words.clear();
    }
  }

  private static boolean isLineEnd(String text, int at) {
    int i = at;
    while (i < text.length()
        && (text.charAt(i) == ' ' || text.charAt(i) == '\t' || text.charAt(i) == '\r')) {
      i++;
    }
    return i >= text.length() || text.charAt(i) == '\n';
  }

  private static int wordEnd(String text, int from, int to) {
    char quote = 0;
    int depth = 0;
    int i = from;
    while (i < to) {
      char c = text.charAt(i);
      if (quote != 0) {
        if (c == '\\' && quote == '"') {
          i++;
        } else if (c == quote) {
          quote = 0;
        }
      } else if (c == '\'' || c == '"') {
        quote = c;
      } else if (c == '$' && i + 1 < to && "({".indexOf(text.charAt(i + 1)) >= 0) {
        depth++;
        i++;
      } else if (depth > 0) {
        depth -= c == ')' || c == '}' ? 1 : 0;
      } else if (c == '\\') {
        if (isLineEnd(text, i + 1)) {
          return i;
        }
        i++;
      } else if (Character.isWhitespace(c) || "&|;()".indexOf(c) >= 0) {
        return i;
      }
      i++;
    }
    return Math.min(i, to);
  }

  private static String unquoted(String word) {
    return word.replaceAll("[\"']", "").replaceAll("\\\\(.)", "$1");
  }

  /**
   * Returns the index of the first word after {@code pip install}; -1 if the command is another.
   */
  int pipInstall() {
    for (int i = 0; i + 1 < words.size(); i++) {
      String word = Paths.name(words.get(i).text());
      if (word.matches("pip[0-9.]*") || word.equals("uv")) {
        for (int k = i + 1; k < Math.min(i + 4, words.size()); k++) {
          if (words.get(k).text().equals("install") || words.get(k).text().equals("download")) {
            return k + 1;
          }
        }
      }
    }
    return -1;
  }

  /**
   * Returns the index of the first word after {@code apt-get install} and the like; -1 for other
   * commands.
   */
  int systemInstall() {
    for (int i = 0; i + 1 < words.size(); i++) {
      String word = Paths.name(words.get(i).text());
      if (word.matches("apt|apt-get|aptitude|dnf|yum|microdnf|zypper")) {
        for (int k = i + 1; k < words.size(); k++) {
          if (words.get(k).text().equals("install")) {
            return k + 1;
          }
        }
      }
    }
    return -1;
  }
}
