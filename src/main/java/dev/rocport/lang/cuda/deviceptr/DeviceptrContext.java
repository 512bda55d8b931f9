package dev.rocport.lang.cuda.deviceptr;

import dev.rocport.lang.cuda.lex.Angles;
import dev.rocport.lang.cuda.lex.Expression;
import dev.rocport.lang.cuda.lex.IntegerTypes;
import dev.rocport.lang.cuda.lex.Tokens;
import java.util.Set;

/**
 * Determines whether the code around an expression on device pointers expects an address or a
 * number.
 */
final class DeviceptrContext {
  /** What is wanted. */
  enum Use {
    POINTER,
    INTEGER,
    UNKNOWN
  }

  private static final Set<String> PRINTS =
      Set.of("printf", "fprintf", "sprintf", "snprintf", "format", "print", "println");

  private final Tokens t;
  private final DeviceptrNames names;

  DeviceptrContext(Tokens t, DeviceptrNames names) {
    this.t = t;
    this.names = names;
  }

  Use of(Expression e) {
    int before = e.first - 1;
    if (e.cast) {
      int open = t.match(before);
      boolean pointer = t.is(before - 1, '*') || names.isType(before - 1);
      return pointer || !IntegerTypes.isInteger(t.text(open + 1, before - 1))
          ? Use.POINTER
          : Use.INTEGER;
    }
    if (t.is(before, '<') && t.is(before - 1, '<') && t.touches(before - 1)) {
      return Use.INTEGER; // into a stream
    }
    if (t.is(e.last + 1, '>') && t.is(e.last + 2, '>') && t.touches(e.last + 1)) {
      return Use.INTEGER;
    }
    if (comparison(e.last + 1) > 0) {
      return compared(e.last + 1 + comparison(e.last + 1), 1);
    }
    if (isComparisonEnd(before)) {
      int left = t.is(before, '=') ? before - 2 : before - 1;
      return compared(left, -1);
    }
    if (t.is(before, '=')) {
      return assigned(before);
    }
    if (t.is(before, "return")) {
      return names.returnsPointer(before) ? Use.POINTER : returned(before);
    }
    if (t.is(before, '[')) {
      return Use.INTEGER;
    }
    return t.is(before, '(') || t.is(before, ',') ? argument(before) : Use.UNKNOWN;
  }

  /** The expression is one side of a comparison. */
  boolean isCompared(Expression e) {
    return comparison(e.last + 1) > 0 || isComparisonEnd(e.first - 1);
  }

  /** The expression is asked whether it is 0. */
  boolean isCondition(Expression e) {
    int before = e.first - 1;
    boolean control = t.is(before, '(') && (t.is(before - 1, "if") || t.is(before - 1, "while"));
    boolean logic = isLogic(e.last + 1) || isLogic(before);
    return control || logic || t.is(before, '!') || t.is(e.last + 1, '?');
  }

  private boolean isLogic(int i) {
    boolean and = t.is(i, '&') && (t.is(i + 1, '&') || t.is(i - 1, '&'));
    return and || (t.is(i, '|') && (t.is(i + 1, '|') || t.is(i - 1, '|')));
  }

  private int comparison(int i) {
    boolean equals = t.is(i + 1, '=') && t.touches(i);
    if ((t.is(i, '=') || t.is(i, '!')) && equals) {
      return 2;
    }
    boolean shift = t.touches(i) && (t.is(i + 1, '<') || t.is(i + 1, '>'));
    return (t.is(i, '<') || t.is(i, '>')) && !shift ? (equals ? 2 : 1) : 0;
  }

  private boolean isComparisonEnd(int i) {
    if (t.is(i, '=')) {
      return t.touches(i - 1)
          && (t.is(i - 1, '=') || t.is(i - 1, '!') || t.is(i - 1, '<') || t.is(i - 1, '>'));
    }
    return t.is(i, '<') || t.is(i, '>');
  }

  /** The other side of a comparison: a device pointer, a null pointer, or a number. */
  private Use compared(int at, int step) {
    boolean number = false;
    for (int i = at; i >= 0 && i < t.count(); i += step) {
      if (t.is(i, ';')
          || t.is(i, '{')
          || t.is(i, '}')
          || t.is(i, ',')
          || t.is(i, '?')
          || (t.is(i, '&') && t.is(i + step, '&'))
          || t.is(i, '|')
          || t.is(i, '=')
          || t.is(i, step > 0 ? ')' : '(')) {
        break;
      }
      if ((t.isIdentifier(i) && (names.level(i) >= 0 || names.isFunction(i)))
          || t.is(i, "NULL")
          || t.is(i, "nullptr")) {
        return Use.POINTER;
      }
      number |=
          (t.isIdentifier(i) && isInteger(i)) || (t.kind(i) == Tokens.NUMBER && !t.is(i, "0"));
      if (t.match(i) >= 0 && step * (t.match(i) - i) > 0) {
        i = t.match(i);
      }
    }
    return number ? Use.INTEGER : Use.UNKNOWN;
  }

  private Use assigned(int equals) {
    int i = equals - 1;
    if (t.touches(i) && t.kind(i) == Tokens.PUNCTUATION && "+-*/%&|^".contains(t.text(i))) {
      return Use.INTEGER; // what is added is a number
    }
    while (t.is(i, ']')) {
      i = t.match(i) - 1;
    }
    if (!t.isIdentifier(i)) {
      return Use.UNKNOWN;
    }
    if (names.level(i) >= 0 || t.is(i - 1, "auto")) {
      return Use.POINTER;
    }
    return isInteger(i) ? Use.INTEGER : Use.UNKNOWN;
  }

  /** True if the nearest declaration of the name at {@code i} gives it an integer type. */
  boolean isInteger(int i) {
    String name = t.text(i);
    for (int k = i; k > 0; k--) {
      if (t.is(k, name) && t.isIdentifier(k - 1)) {
        int first = k - 1;
        while (t.isIdentifier(first - 1) || t.isPair(first - 1, ':')) {
          first--;
        }
        if (IntegerTypes.isInteger(t.text(first, k - 1)) || IntegerTypes.isInteger(t.text(k - 1))) {
          return true;
        }
      }
    }
    return false;
  }

  private Use returned(int at) {
    // The head of the innermost function: {@code type name(...) {}.
    int depth = 0;
    for (int i = at; i > 0; i--) {
      if (t.is(i, '}')) {
        depth++;
      } else if (t.is(i, '{') && depth-- == 0) {
        depth = 0;
        int close = t.is(i - 1, "const") ? i - 2 : i - 1;
        int open = t.is(close, ')') ? t.match(close) : -1;
        int name = open - 1;
        if (open > 0 && t.isIdentifier(name) && !Expression.isControlWord(t.text(name))) {
          boolean integer = t.isIdentifier(name - 1) && IntegerTypes.isInteger(t.text(name - 1));
          return integer ? Use.INTEGER : Use.UNKNOWN;
        }
      }
    }
    return Use.UNKNOWN;
  }

  private Use argument(int at) {
    int open = at;
    while (open > 0 && !t.is(open, '(') && !t.is(open, '{') && !t.is(open, ';')) {
      open = t.match(open) >= 0 && t.match(open) < open ? t.match(open) - 1 : open - 1;
    }
    if (!t.is(open, '(')) {
      return Use.UNKNOWN;
    }
    if (t.is(open - 1, '>')) {
      int angle = Angles.open(t, open - 1);
      boolean integer = angle > 0 && IntegerTypes.isInteger(t.text(angle + 1, open - 2));
      return integer && t.is(angle - 1, "static_cast") ? Use.INTEGER : Use.UNKNOWN;
    }
    if (!t.isIdentifier(open - 1)) {
      return Use.UNKNOWN;
    }
    String name = t.text(open - 1);
    if (PRINTS.contains(name) || IntegerTypes.isInteger(name)) {
      return Use.INTEGER;
    }
    return names.isType(open - 1) ? Use.POINTER : Use.UNKNOWN;
  }
}
