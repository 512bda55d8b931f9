package dev.rocport.buildsystem.command;

import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Syntax of variable references. */
public enum Syntax {
  MAKE(
      Pattern.compile(
          "\\$[({]\\s*([A-Za-z_][\\w.-]*)\\s*(?=[:)}])|\\$\\$\\{?([A-Za-z_]\\w*)"
              + "|\\$[({](?:origin|flavor|value)\\s+([\\w.-]+)")),
  SHELL(Pattern.compile("\\$\\{?[#!]?([A-Za-z_]\\w*)"));

  private static final Pattern COMPUTED = Pattern.compile("\\$[({]([\\w.-]+)\\$[({]");

  /** A word that is a plain reference to a variable. */
  private static final Pattern OF_MAKE =
      Pattern.compile("\\$\\(([\\w.-]+)\\)|\\$\\{([\\w.-]+)\\}|\\$\\$\\{?(\\w+)\\}?");

  private static final Pattern OF_SHELL =
      Pattern.compile("\\$\\{?(\\w+)(?:\\[[@*]\\])?\\}?|\\$\\{(\\w+):?[-=][^}]*\\}");

  private final Pattern names;

  Syntax(Pattern names) {
    this.names = names;
  }

  /** Returns a reference to a variable. */
  public String reference(String name) {
    return this == MAKE ? "$(" + name + ")" : "${" + name + "}";
  }

  /** Returns the variables that a text refers to, including nested references. */
  Set<String> names(String text) {
    Set<String> found = new LinkedHashSet<>();
    Matcher m = names.matcher(text);
    while (m.find()) {
      for (int g = 1; g <= m.groupCount(); g++) {
        if (m.group(g) != null) {
          found.add(m.group(g));
        }
      }
    }
    return found;
  }

  /** Returns the prefixes of names whose rest is computed: {@code $(FLAGS_$(MODE))}. */
  Set<String> prefixes(String text) {
    Set<String> found = new LinkedHashSet<>();
    if (this == MAKE) {
      Matcher m = COMPUTED.matcher(text);
      while (m.find()) {
        found.add(m.group(1));
      }
    }
    return found;
  }

  /** Returns the variable to which a word is a plain reference. */
  Optional<String> variable(String word) {
    Matcher m = (this == MAKE ? OF_MAKE : OF_SHELL).matcher(word);
    if (!m.matches()) {
      return Optional.empty();
    }
    for (int g = 1; g <= m.groupCount(); g++) {
      if (m.group(g) != null) {
        return Optional.of(m.group(g));
      }
    }
    return Optional.empty();
  }

  /** Returns the offset after the reference that begins here; the same offset if there is none. */
  int reference(String text, int at) {
    char c = text.charAt(at);
    if (this == SHELL && c == '`') {
      int end = text.indexOf('`', at + 1);
      return end < 0 ? text.length() : end + 1;
    }
    if (c != '$' || at + 1 >= text.length()) {
      return at;
    }
    int i = at + 1;
    if (this == MAKE && text.charAt(i) == '$') {
      i++; // special parameters such as $@
      if (i >= text.length()) {
        return i;
      }
    }
    char open = text.charAt(i);
    if (open == '(' || open == '{') {
      return closing(text, i) + 1;
    }
    if (i == at + 1 && this == MAKE) {
      return i + 1;
    }
    int end = i;
    while (end < text.length() && isName(text.charAt(end))) {
      end++;
    }
    return end > i ? end : Math.min(text.length(), i + 1);
  }

  private static boolean isName(char c) {
    return c == '_' || Character.isLetterOrDigit(c);
  }

  /** Returns the offset of the closing bracket; the last offset of the text if it is not closed. */
  static int closing(String text, int at) {
    char open = text.charAt(at);
    char close = open == '(' ? ')' : '}';
    int depth = 0;
    for (int i = at; i < text.length(); i++) {
      char c = text.charAt(i);
      depth += c == open ? 1 : c == close ? -1 : 0;
      if (depth == 0) {
        return i;
      }
    }
    return text.length() - 1;
  }
}
