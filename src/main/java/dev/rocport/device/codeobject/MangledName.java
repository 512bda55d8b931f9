package dev.rocport.device.codeobject;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the name, not the parameters, of a mangled function. */
final class MangledName {
  private static final String ANONYMOUS = "12_GLOBAL__N_1";

  /** More digits than this are no length. */
  private static final int MOST_DIGITS = 4;

  private static final Map<Character, String> TYPES =
      Map.ofEntries(
          Map.entry('b', "bool"),
          Map.entry('c', "char"),
          Map.entry('a', "signed char"),
          Map.entry('h', "unsigned char"),
          Map.entry('s', "short"),
          Map.entry('t', "unsigned short"),
          Map.entry('i', "int"),
          Map.entry('j', "unsigned int"),
          Map.entry('l', "long"),
          Map.entry('m', "unsigned long"),
          Map.entry('x', "long long"),
          Map.entry('y', "unsigned long long"),
          Map.entry('f', "float"),
          Map.entry('d', "double"));

  private final String mangled;
  private int at = 2;

  /**
   * @param mangled begins with _Z
   */
  MangledName(String mangled) {
    this.mangled = mangled;
  }

  /** The name; empty if it has parts that are not read here. */
  Optional<String> name() {
    return Optional.ofNullable(found());
  }

  private @Nullable String found() {
    boolean nested = took('N');
    StringBuilder out = new StringBuilder();
    do {
      String part = source();
      if (part == null) {
        return null;
      }
      out.append(out.isEmpty() ? "" : "::").append(part);
      if (took('I')) {
        List<String> arguments = arguments();
        if (arguments == null) {
          return null;
        }
        out.append('<').append(String.join(", ", arguments)).append('>');
      }
    } while (nested && at < mangled.length() && !took('E'));
    return out.toString();
  }

  private boolean took(char c) {
    boolean is = at < mangled.length() && mangled.charAt(at) == c;
    at += is ? 1 : 0;
    return is;
  }

  private @Nullable String source() {
    if (mangled.startsWith(ANONYMOUS, at)) {
      at += ANONYMOUS.length();
      return "(anonymous namespace)";
    }
    String digits = digits();
    if (digits.isEmpty() || digits.length() > MOST_DIGITS) {
      return null;
    }
    int end = at + Integer.parseInt(digits);
    if (end > mangled.length()) {
      return null;
    }
    String part = mangled.substring(at, end);
    at = end;
    return part;
  }

  private String digits() {
    int from = at;
    while (at < mangled.length() && Character.isDigit(mangled.charAt(at))) {
      at++;
    }
    return mangled.substring(from, at);
  }

  private @Nullable List<String> arguments() {
    List<String> all = new ArrayList<>();
    while (!took('E')) {
      String one = took('L') ? number() : type();
      if (one == null) {
        return null;
      }
      all.add(one);
    }
    return all;
  }

  /** A value, after L and with its E. */
  private @Nullable String number() {
    boolean truth = took('b');
    if (!truth) {
      String type = at < mangled.length() ? TYPES.get(mangled.charAt(at)) : null;
      if (type == null || type.equals("float") || type.equals("double")) {
        return null;
      }
      at++;
    }
    String sign = took('n') ? "-" : "";
    String digits = digits();
    if (digits.isEmpty() || !took('E')) {
      return null;
    }
    return truth ? String.valueOf(!digits.equals("0")) : sign + digits;
  }

  private @Nullable String type() {
    if (at >= mangled.length()) {
      return null;
    }
    char c = mangled.charAt(at);
    if (Character.isDigit(c)) {
      String name = source();
      return at < mangled.length() && mangled.charAt(at) == 'I' ? null : name;
    }
    at++;
    if (c == 'P') {
      String to = type();
      return to == null ? null : to + "*";
    }
    return TYPES.get(c);
  }
}
