package dev.rocport.build.cmake;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Variables of a folder or function; what is not set here is the parent's. */
final class Scope {
  private final @Nullable Scope parent;
  private final Map<String, String> values = new HashMap<>();
  private final Map<String, String> cache;

  private Scope(@Nullable Scope parent, Map<String, String> cache) {
    this.parent = parent;
    this.cache = cache;
  }

  static Scope root() {
    return new Scope(null, new HashMap<>());
  }

  Scope child() {
    return new Scope(this, cache);
  }

  @Nullable Scope parent() {
    return parent;
  }

  /** Null where the variable is not set. */
  @Nullable String find(String name) {
    for (Scope s = this; s != null; s = s.parent) {
      String value = s.values.get(name);
      if (value != null) {
        return value;
      }
    }
    return cache.get(name);
  }

  String get(String name) {
    String value = find(name);
    return value == null ? "" : value;
  }

  List<String> list(String name) {
    return split(get(name));
  }

  void set(String name, String value) {
    values.put(name, value);
  }

  void unset(String name) {
    values.remove(name);
    cache.remove(name);
  }

  /** A cache entry: what is set already stays. */
  void setDefault(String name, String value, boolean force) {
    if (force || find(name) == null) {
      cache.put(name, value);
    }
  }

  /** The elements of a list, empty ones left out. */
  static List<String> split(String list) {
    List<String> parts = new ArrayList<>();
    int depth = 0;
    StringBuilder part = new StringBuilder();
    for (int i = 0; i < list.length(); i++) {
      char c = list.charAt(i);
      depth += c == '<' && i > 0 && list.charAt(i - 1) == '$' ? 1 : 0;
      depth -= c == '>' && depth > 0 ? 1 : 0;
      if (c == ';' && depth == 0) {
        if (!part.isEmpty()) {
          parts.add(part.toString());
        }
        part.setLength(0);
      } else {
        part.append(c);
      }
    }
    if (!part.isEmpty()) {
      parts.add(part.toString());
    }
    return parts;
  }

  /** Replaces {@code ${NAME}}, {@code $ENV{NAME}} and escapes. */
  String expand(String text) {
    StringBuilder out = new StringBuilder();
    int i = 0;
    while (i < text.length()) {
      char c = text.charAt(i);
      if (c == '\\' && i + 1 < text.length()) {
        char next = text.charAt(i + 1);
        out.append(
            switch (next) {
              case 'n' -> "\n";
              case 't' -> "\t";
              case 'r' -> "\r";
              case ';' -> "\\;";
              default -> String.valueOf(next);
            });
        i += 2;
      } else if (text.startsWith("${", i) || text.startsWith("$ENV{", i)) {
        int open = text.indexOf('{', i);
        int close = closing(text, open);
        if (close < 0) {
          return out.append(text.substring(i)).toString();
        }
        String name = expand(text.substring(open + 1, close));
        out.append(
            open == i + 1 ? get(name) : String.valueOf(System.getenv().getOrDefault(name, "")));
        i = close + 1;
      } else {
        out.append(c);
        i++;
      }
    }
    return out.toString();
  }

  private static int closing(String text, int open) {
    int depth = 0;
    for (int i = open; i < text.length(); i++) {
      depth += text.charAt(i) == '{' ? 1 : text.charAt(i) == '}' ? -1 : 0;
      if (depth == 0) {
        return i;
      }
    }
    return -1;
  }

  /** All arguments of a command, variables replaced, unquoted lists taken apart. */
  List<String> expand(List<Call.Argument> arguments) {
    List<String> all = new ArrayList<>();
    for (Call.Argument a : arguments) {
      if (a.literal()) {
        all.add(a.text());
      } else if (a.quoted()) {
        all.add(expand(a.text()));
      } else {
        all.addAll(split(expand(a.text())));
      }
    }
    return all;
  }

  static boolean isTrue(String value) {
    return switch (value.toUpperCase(Locale.ROOT)) {
      case "1", "ON", "YES", "TRUE", "Y" -> true;
      default -> value.matches("-?\\d+(\\.\\d+)?") && !value.matches("-?0+(\\.0+)?");
    };
  }

  static boolean isFalse(String value) {
    String v = value.toUpperCase(Locale.ROOT);
    return switch (v) {
      case "", "0", "OFF", "NO", "FALSE", "N", "IGNORE", "NOTFOUND" -> true;
      default -> v.endsWith("-NOTFOUND");
    };
  }
}
