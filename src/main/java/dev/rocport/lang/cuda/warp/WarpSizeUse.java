package dev.rocport.lang.cuda.warp;

import dev.rocport.lang.cuda.lex.Angles;
import dev.rocport.lang.cuda.lex.Arguments;
import dev.rocport.lang.cuda.lex.Arguments.Span;
import dev.rocport.lang.cuda.lex.IntegerTypes;
import dev.rocport.lang.cuda.lex.Tokens;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Determines from tokens whether host code computes with a number that it queries from the device,
 * or only prints it. A variable that holds the number is judged by its uses.
 */
final class WarpSizeUse {
  /** Ways to use a number. */
  enum Use {
    /** Arithmetic, comparisons, arguments, launches, what a function returns. */
    COMPUTED,
    /** Printed as it is. */
    DESCRIBED,
    /** Stored, with no visible use. */
    UNKNOWN
  }

  private static final String BINARY = "+-*/%&|^<>?:";
  private static final Set<String> NOT_EVALUATED = Set.of("sizeof", "decltype", "alignof");

  private final Tokens t;
  private final Set<Integer> visited = new HashSet<>();

  WarpSizeUse(Tokens t) {
    this.t = t;
  }

  /** How the expression from token {@code first} to token {@code last} is used. */
  Use of(int first, int last) {
    Span whole = wrapped(first, last);
    int before = whole.first() - 1;
    int behind = whole.last() + 1;
    if (isStream(before - 1) || isStream(behind)) {
      return prints(before) ? Use.DESCRIBED : Use.COMPUTED;
    }
    if (isComparison(behind)) {
      return Use.COMPUTED;
    }
    if (t.is(behind, '=') || isAddress(before)) {
      return Use.UNKNOWN;
    }
    if (isOneOf(behind, BINARY) || isOneOf(before, BINARY + "!~") || t.is(before, '[')) {
      return Use.COMPUTED;
    }
    if (t.is(before, '=')) {
      boolean plain = !isOneOf(before - 1, "=!<>+-*/%&|^") || !t.touches(before - 1);
      return plain ? kept(before - 1) : Use.COMPUTED;
    }
    if (t.is(before, "return")) {
      return Use.COMPUTED;
    }
    return t.is(before, '(') || t.is(before, ',') || t.is(before, '{')
        ? argument(before)
        : Use.UNKNOWN;
  }

  /** How a variable is used: the last token of what names it. */
  Use kept(int target) {
    int name = target;
    while (t.is(name, ']')) {
      name = t.match(name) - 1;
    }
    if (!t.isIdentifier(name)) {
      return Use.UNKNOWN;
    }
    if (t.is(name - 1, '*') && !t.isIdentifier(name - 2)) {
      return Use.COMPUTED; // *size = ...: handed to the caller
    }
    boolean member = t.is(name - 1, '.') || t.isPair(name - 1, '-');
    int declaration = member ? -1 : declaration(name);
    if (declaration >= 0 && t.is(declaration - 1, '&')) {
      return Use.COMPUTED;
    }
    if (!visited.add(declaration >= 0 ? declaration : -2 - name)) {
      return Use.UNKNOWN;
    }
    int from = declaration >= 0 ? declaration : 0;
    int to = declaration >= 0 ? blockEnd(declaration) : t.count();
    Use found = Use.UNKNOWN;
    for (int i = from; i < to; i++) {
      if (i != name && i != declaration && t.isSame(i, name)) {
        Use use = of(objectStart(i), i);
        if (use == Use.COMPUTED) {
          return use;
        }
        found = use == Use.DESCRIBED ? use : found;
      }
    }
    return found;
  }

  /** The first token of the object that ends at {@code last}: {@code a->b[2].c}, {@code f(x).c}. */
  int objectStart(int last) {
    int i = last;
    while (true) {
      while ((t.is(i, ']') || t.is(i, ')')) && t.match(i) >= 0) {
        int open = t.match(i);
        boolean more = t.isIdentifier(open - 1) || t.is(open - 1, ')') || t.is(open - 1, ']');
        if (!more) {
          i = open;
          break;
        }
        i = open - 1;
      }
      if (t.is(i - 1, '.') || t.isPair(i - 1, '-')) {
        i -= 2;
      } else if (t.isPair(i - 1, ':')) {
        i -= t.isIdentifier(i - 2) ? 2 : 1;
      } else {
        return i;
      }
    }
  }

  /** The expression with the brackets and casts around it. */
  private Span wrapped(int from, int to) {
    int first = from;
    int last = to;
    while (true) {
      int before = first - 2;
      if (t.is(first - 1, ')') && isCast(t.match(first - 1))) {
        first = t.match(first - 1);
      } else if (!t.is(first - 1, '(') || !t.is(last + 1, ')')) {
        return new Span(first, last);
      } else if (t.is(before, '>') && isCastWord(Angles.open(t, before) - 1)) {
        first = Angles.open(t, before) - 1;
        last++;
      } else if (t.isIdentifier(before)) {
        if (!IntegerTypes.looksLikeType(t.text(before))) {
          return new Span(first, last);
        }
        first = before;
        last++;
      } else if (t.is(before, '>') || t.is(before, ')') || t.is(before, ']')) {
        return new Span(first, last);
      } else {
        first--;
        last++;
      }
    }
  }

  private boolean isCastWord(int i) {
    return i >= 0 && t.is(i, "static_cast");
  }

  /** {@code (unsigned)}, {@code (unsigned int)}. */
  private boolean isCast(int open) {
    if (open < 0 || t.isIdentifier(open - 1)) {
      return false;
    }
    for (int i = open + 1; i < t.match(open); i++) {
      if (!t.isPair(i, ':') && !t.isIdentifier(i)) {
        return false;
      }
    }
    int name = t.match(open) - 1;
    return name > open && IntegerTypes.looksLikeType(t.text(name));
  }

  private boolean isOneOf(int i, String characters) {
    for (int c = 0; c < characters.length(); c++) {
      if (t.is(i, characters.charAt(c))) {
        return true;
      }
    }
    return false;
  }

  /** The first of two {@code <} that no third one makes a launch. */
  private boolean isStream(int i) {
    return t.is(i, '<') && t.is(i + 1, '<') && !t.is(i + 2, '<') && !t.is(i - 1, '<');
  }

  private boolean isComparison(int i) {
    return isOneOf(i, "=!<>") && t.touches(i) && t.is(i + 1, '=');
  }

  private boolean isAddress(int i) {
    boolean operand = t.isIdentifier(i - 1) || t.is(i - 1, ')') || t.is(i - 1, ']');
    boolean number = t.kind(i - 1) == Tokens.NUMBER;
    return t.is(i, '&') && !t.is(i - 1, '&') && !operand && !number;
  }

  /** Whether the statement around a shift writes text rather than shifts bits. */
  private boolean prints(int at) {
    int i = at;
    while (i > 0 && !t.is(i, ';') && !t.is(i, '{') && !t.is(i, '}')) {
      boolean stream = t.isIdentifier(i) && t.text(i).matches("c(out|err|log)|.*(os|out|stream)");
      if (stream || t.kind(i) == Tokens.STRING) {
        return true;
      }
      i--;
    }
    return false;
  }

  /** An argument of a call, a launch or an initializer, after a bracket or comma. */
  private Use argument(int separator) {
    int open = separator;
    while (!t.is(open, '(') && !t.is(open, '{') && !t.is(open, '[')) {
      open = t.before(open);
      if (open < 0 || t.is(open, ';')) {
        return Use.UNKNOWN;
      }
      if (t.is(open, '<') && t.is(open - 1, '<') && t.is(open - 2, '<')) {
        return Use.COMPUTED;
      }
      if (t.match(open) > separator && !t.is(open, '(') && !t.is(open, '{')) {
        return Use.COMPUTED; // a subscript
      }
    }
    List<Span> arguments = Arguments.between(t, open + 1, t.match(open));
    if (arguments.stream().anyMatch(a -> t.kind(a.first()) == Tokens.STRING)) {
      return Use.DESCRIBED;
    }
    int callee = open - 1;
    boolean named = t.isIdentifier(callee);
    boolean declares =
        named && arguments.size() == 1 && t.isIdentifier(callee - 1) && !t.is(callee - 1, "return");
    if (declares) {
      return kept(callee);
    }
    if (t.is(open, '{')) {
      boolean launch = named && (t.is(callee, "dim3") || t.is(callee - 1, "dim3"));
      return launch ? Use.COMPUTED : Use.UNKNOWN;
    }
    if (named && NOT_EVALUATED.contains(t.text(callee))) {
      return Use.UNKNOWN;
    }
    return named && isPrinting(t.text(callee)) ? Use.DESCRIBED : Use.COMPUTED;
  }

  private static boolean isPrinting(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return lower.contains("print")
        || lower.endsWith("puts")
        || lower.endsWith("format")
        || lower.equals("to_string");
  }

  /** The declaration of the variable named at {@code name} in a block around it, or -1. */
  private int declaration(int name) {
    for (int i = name; i > 0; i--) {
      if (t.isSame(i, name) && isDeclared(i) && blockEnd(i) > name) {
        return i;
      }
    }
    return -1;
  }

  private boolean isDeclared(int i) {
    int type = i - 1;
    while (t.is(type, '*') || t.is(type, '&') || t.is(type, "const")) {
      type--;
    }
    boolean list = t.is(type, ',') && (t.is(i + 1, '=') || t.is(i + 1, ';') || t.is(i + 1, ','));
    boolean word = t.isIdentifier(type) && !t.is(type, "return") && !t.is(type, "else");
    return list || word || (t.is(type, '>') && Angles.open(t, type) > 0);
  }

  /** The end of the block that token {@code i} is in; of a parameter's function. */
  private int blockEnd(int i) {
    int k = i;
    while (k > 0) {
      int partner = t.match(k);
      if (partner > i && t.is(k, '{')) {
        return partner;
      }
      if (partner > i && t.is(k, '(')) {
        int body = partner + 1;
        while (body < t.count() && !t.is(body, '{') && !t.is(body, ';')) {
          body++;
        }
        return t.is(body, '{') ? t.match(body) : partner;
      }
      k = t.before(k);
    }
    return t.count();
  }
}
