package dev.rocport.lang.cuda.lex;

import java.util.Set;
import java.util.TreeSet;

/**
 * The largest arithmetic expression around an operand, found on tokens: it grows over binary
 * operators and the brackets that group, and ends at calls, commas, assignments, comparisons.
 */
public final class Expression {
  private static final Set<String> NOT_OPERANDS =
      Set.of("return", "case", "else", "throw", "co_return", "do", "and", "or", "not");
  private static final Set<String> NOT_GROUPS =
      Set.of("if", "while", "for", "switch", "sizeof", "alignof", "decltype", "catch");

  private final Tokens t;

  /** First and last token; they grow. */
  public int first;

  public int last;

  /** The binary operators that the operand takes part in. */
  public final Set<Character> operators = new TreeSet<>();

  /** A minus precedes the operand. */
  public boolean negative;

  /** A cast applies to what was found; the expression ends there. */
  public boolean cast;

  private Expression(Tokens t, int first, int last) {
    this.t = t;
    this.first = first;
    this.last = last;
  }

  public static Expression around(Tokens t, int first, int last) {
    Expression e = new Expression(t, first, last);
    e.cast = e.isCast(first - 1);
    while (!e.cast && (t.is(e.first - 1, '~') || e.isSign(e.first - 1))) {
      e.operators.add('~');
      e.first--;
      e.cast = e.isCast(e.first - 1);
    }
    boolean grown = !e.cast;
    while (grown) {
      e.level();
      grown = e.group();
    }
    return e;
  }

  private void level() {
    int from = first;
    boolean plus = false;
    while (isBinary(last + 1) && !isAssigning(last + 1)) {
      int end = operandEnd(last + 2);
      if (end < 0) {
        break;
      }
      plus |= add(last + 1, plus);
      last = end;
    }
    plus = false;
    while (isBinary(first - 1) && isOperandEnd(first - 2)) {
      int start = operandStart(first - 2);
      if (start < 0) {
        break;
      }
      negative |= t.is(first - 1, '-') && !plus && first == from;
      plus |= add(first - 1, plus);
      first = start;
    }
  }

  /** A product after a sum has nothing to do with the operand. */
  private boolean add(int at, boolean plus) {
    char c = t.text(at).charAt(0);
    boolean product = c == '*' || c == '/' || c == '%';
    if (!(product && plus)) {
      operators.add(c);
    }
    return c == '+' || c == '-';
  }

  private boolean group() {
    int before = first - 2;
    boolean round = t.is(first - 1, '(') && t.match(first - 1) == last + 1;
    boolean call =
        (t.isIdentifier(before) && !NOT_OPERANDS.contains(t.text(before)))
            || t.is(before, ']')
            || t.is(before, '>');
    if (!round || cast || call || (t.is(before, ')') && !isCast(before))) {
      return false;
    }
    first--;
    last++;
    cast = isCast(before);
    return !cast;
  }

  /** {@code (type)}: the operand after it is cast. */
  boolean isCast(int close) {
    int open = t.match(close);
    if (!t.is(close, ')') || open < 0 || open + 1 == close) {
      return false;
    }
    if (t.isIdentifier(open - 1) && !NOT_OPERANDS.contains(t.text(open - 1))) {
      return false; // a call, or if (...)
    }
    boolean words = true;
    boolean stars = false;
    int names = 0;
    for (int i = open + 1; i < close; i++) {
      boolean star = t.is(i, '*') || t.is(i, '&');
      words &= star || ((t.isIdentifier(i) || t.isPair(i, ':')) && !stars);
      stars |= star;
      names += t.isIdentifier(i) ? 1 : 0;
    }
    return words
        && names > 0
        && (stars || names > 1 || IntegerTypes.looksLikeType(t.text(open + 1, close - 1)));
  }

  private boolean isBinary(int i) {
    return (t.is(i, '+')
            || t.is(i, '-')
            || t.is(i, '*')
            || t.is(i, '/')
            || t.is(i, '%')
            || t.is(i, '&')
            || t.is(i, '|')
            || t.is(i, '^'))
        && !isDoubled(i);
  }

  private boolean isDoubled(int i) {
    boolean next = t.touches(i) && t.is(i + 1, t.text(i)) && !t.is(i, '*');
    boolean previous = t.touches(i - 1) && t.is(i - 1, t.text(i)) && !t.is(i, '*');
    return next || previous;
  }

  private boolean isSign(int i) {
    return t.is(i, '-') && !t.is(i - 1, '-') && !isOperandEnd(i - 1) && !isCast(i - 1);
  }

  private boolean isAssigning(int i) {
    return t.touches(i) && t.is(i + 1, '=');
  }

  private boolean isOperandEnd(int i) {
    return (t.isIdentifier(i) && !NOT_OPERANDS.contains(t.text(i)))
        || t.kind(i) == Tokens.NUMBER
        || t.kind(i) == Tokens.STRING
        || t.kind(i) == Tokens.CHARACTER
        || t.is(i, ']')
        || (t.is(i, ')')
            && !isCast(i)
            && !(t.isIdentifier(t.match(i) - 1) && isControl(t.match(i) - 1)));
  }

  private boolean isControl(int i) {
    return t.is(i, "if") || t.is(i, "while") || t.is(i, "for") || t.is(i, "switch");
  }

  private int operandEnd(int from) {
    int i = from;
    while (t.is(i, '-')
        || t.is(i, '+')
        || t.is(i, '~')
        || t.is(i, '!')
        || t.is(i, '*')
        || t.is(i, '&')
        || t.is(i, "sizeof")
        || (t.is(i, '(') && isCast(t.match(i)) && !isPostfixed(t.match(i)))) {
      i = t.is(i, '(') ? t.match(i) + 1 : i + 1;
    }
    if (t.is(i, '(')) {
      i = t.match(i);
    } else if (!t.isIdentifier(i) && t.kind(i) != Tokens.NUMBER && t.kind(i) != Tokens.CHARACTER) {
      return -1;
    }
    while (i >= 0) {
      if (t.is(i + 1, '(') || t.is(i + 1, '[')) {
        i = t.match(i + 1);
      } else if ((t.is(i + 1, '.') || t.isPair(i + 1, '-') || t.isPair(i + 1, ':'))
          && t.isIdentifier(i + 2)) {
        i += 2;
      } else if (t.is(i + 1, '<') && t.isIdentifier(i) && Angles.close(t, i + 1, t.count()) > 0) {
        i = Angles.close(t, i + 1, t.count());
      } else {
        return i;
      }
    }
    return -1;
  }

  /** After a cast an operand follows; after a group an operator does. */
  private boolean isPostfixed(int close) {
    return !(t.isIdentifier(close + 1)
        || t.is(close + 1, '(')
        || t.kind(close + 1) == Tokens.NUMBER);
  }

  /** First token of the postfix expression that ends at {@code end}, casts and signs included. */
  int operandStart(int end) {
    int i = end;
    while (true) {
      if (t.is(i, ')') || t.is(i, ']')) {
        int open = t.match(i);
        if (open < 0) {
          return -1;
        }
        boolean more =
            (t.isIdentifier(open - 1) && !NOT_OPERANDS.contains(t.text(open - 1)))
                || (t.is(open - 1, ')') && !isCast(open - 1))
                || t.is(open - 1, ']');
        if (!more) {
          i = open;
          break;
        }
        i = open - 1;
      } else if (t.is(i - 1, '.')
          || t.isPair(i - 1, '-')
          || (t.isPair(i - 1, ':') && t.isIdentifier(i - 2))) {
        i -= 2;
      } else {
        break;
      }
    }
    while (isCast(i - 1)) {
      i = t.match(i - 1);
    }
    while ((t.is(i - 1, '-')
            || t.is(i - 1, '+')
            || t.is(i - 1, '~')
            || t.is(i - 1, '*')
            || t.is(i - 1, '&'))
        && !isOperandEnd(i - 2)) {
      i--;
    }
    return i;
  }

  /** True if the brackets at both ends belong together. */
  public boolean isGrouped() {
    return t.is(first, '(') && t.match(first) == last;
  }

  /** Nothing but sums. */
  public boolean isSum() {
    return operators.stream().allMatch(c -> c == '+' || c == '-');
  }

  public static boolean isControlWord(String word) {
    return NOT_GROUPS.contains(word);
  }
}
