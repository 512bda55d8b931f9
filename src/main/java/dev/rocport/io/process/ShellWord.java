package dev.rocport.io.process;

import java.util.regex.Pattern;

/** Text as one word of a POSIX shell. */
public final class ShellWord {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

  private ShellWord() {}

  /** Returns the word; words that mean the same with and without quotes stay as they are. */
  public static String of(String text) {
    return PLAIN.matcher(text).matches() ? text : quoted(text);
  }

  /** Returns the word in single quotes. */
  public static String quoted(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }
}
