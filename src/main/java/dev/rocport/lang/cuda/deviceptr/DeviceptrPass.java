package dev.rocport.lang.cuda.deviceptr;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.result.Disposition;
import dev.rocport.lang.cuda.lex.Expression;
import dev.rocport.lang.cuda.lex.Statements;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.pass.CudaFile;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Ports arithmetic on {@code CUdeviceptr}, an integer in CUDA and {@code void*} in HIP. A sum that
 * is used as an address is computed on {@code char*}; all other arithmetic uses {@code unsigned
 * long long}, the underlying type in CUDA.
 */
public final class DeviceptrPass {
  static final String RULE = "PTR-DEVICEPTR";
  private static final String INTEGER = "(unsigned long long)";
  private static final String POINTER = "(hipDeviceptr_t)";

  private final CudaFile f;
  private final Tokens t;
  private final DeviceptrNames names;
  private final DeviceptrContext context;

  /** What was found of each expression; the bracket is the one around its last pointer. */
  private record Found(Expression e, List<int[]> pointers, int sign, int bracket) {}

  private DeviceptrPass(CudaFile f, DeviceptrNames names) {
    this.f = f;
    this.t = f.t;
    this.names = names;
    this.context = new DeviceptrContext(f.t, names);
  }

  public static void run(CudaFile f) {
    DeviceptrNames names = DeviceptrNames.of(f.t, included(f));
    if (!f.changes.allows(RULE)) {
      return;
    }
    DeviceptrPass pass = new DeviceptrPass(f, names);
    pass.casts();
    pass.stores();
    if (!names.isEmpty()) {
      pass.expressions();
    }
  }

  /** The members that are device pointers of classes in headers that the file includes itself. */
  private static List<String> included(CudaFile f) {
    if (!f.project.hasPointers()) {
      return List.of();
    }
    return f.t.directives().stream()
        .filter(d -> d.isInclude() && f.t.kind(d.body()) == Tokens.STRING)
        .map(f.t::included)
        .flatMap(path -> f.project.pointers(f.source.path(), path).stream())
        .toList();
  }

  /** {@code static_cast<CUdeviceptr>(n)} takes an integer no more. */
  private void casts() {
    for (int i = 4; i < t.count(); i++) {
      if (t.is(i, '(')
          && t.is(i - 1, '>')
          && names.isType(i - 2)
          && t.is(i - 3, '<')
          && (t.is(i - 4, "static_cast") || t.is(i - 4, "reinterpret_cast"))) {
        f.changes.edit(Edit.replace(t.start(i - 4), t.end(i - 3), "(", RULE));
        f.changes.alsoEdit(Edit.replace(t.start(i - 1), t.end(i - 1), ")", RULE));
      }
    }
  }

  /** {@code *(CUdeviceptr*)p = n} takes an integer no more. */
  private void stores() {
    for (int i = 2; i + 2 < t.count(); i++) {
      if (!names.isType(i) || !t.is(i + 1, '*')) {
        continue;
      }
      boolean named = t.is(i - 1, '<') && t.is(i + 2, '>') && t.is(i + 3, '(');
      boolean c = t.is(i - 1, '(') && t.is(i + 2, ')');
      int first = named ? i - 2 : i - 1;
      int[] operand = c ? castOperand(t.is(i + 3, '&') ? i + 2 : i + 1) : null;
      int last = named ? t.match(i + 3) : operand == null ? -1 : operand[1];
      while (last > i && t.is(first - 1, '(') && t.is(last + 1, ')')) {
        first--;
        last++;
      }
      boolean store = last > i && t.is(first - 1, '*') && !isOperandEnd(first - 2);
      for (first--; store && isGroup(first - 1) && t.match(first - 1) == last + 1; last++) {
        first--;
      }
      if (store && t.is(last + 1, '=') && !t.is(last + 2, '=')) {
        value(last + 2);
      }
    }
  }

  /** Casts a value in which no device pointer is. */
  private void value(int from) {
    int end = Statements.expressionEnd(t, from);
    for (int i = from; i < end; i++) {
      if (names.level(i) >= 0 || names.isType(i) || names.isFunction(i)) {
        return;
      }
    }
    boolean single = end == from + 1;
    if (end > from && !t.is(from, '{')) {
      f.changes.edit(Edit.before(t.start(from), POINTER + (single ? "" : "("), RULE));
      if (!single) {
        f.changes.alsoEdit(Edit.after(t.end(end - 1), ")", RULE));
      }
    }
  }

  /** True for a bracket that is not that of a call. */
  private boolean isGroup(int open) {
    return t.is(open, '(') && !isOperandEnd(open - 1);
  }

  private void expressions() {
    Map<Integer, Found> all = new HashMap<>();
    List<Found> order = new ArrayList<>();
    Deque<Integer> open = new ArrayDeque<>();
    for (int i = 0; i < t.count(); i++) {
      if (t.is(i, '(') || t.is(i, '[') || t.is(i, '{')) {
        open.push(i);
      } else if ((t.is(i, ')') || t.is(i, ']') || t.is(i, '}')) && !open.isEmpty()) {
        open.pop();
      }
      if (!t.isIdentifier(i) || t.inDirective(i)) {
        continue;
      }
      if (names.level(i) == 0 && isDeclared(i) && t.is(i + 1, '=')) {
        number(i + 2);
      }
      int[] p = pointer(i);
      if (p == null || assigned(p)) {
        continue;
      }
      if (t.is(p[1] + 1, '=') && !t.is(p[1] + 2, '=') && !t.is(p[0] - 1, '*')) {
        number(p[1] + 2);
        continue;
      }
      int bracket = open.isEmpty() ? -1 : open.element();
      if (!order.isEmpty() && isTerm(order.getLast(), p, bracket)) {
        Found sum = order.removeLast();
        sum.pointers().add(p);
        sum =
            new Found(
                sum.e(), sum.pointers(), sum.sign() + (t.is(p[0] - 1, '-') ? -1 : 1), bracket);
        order.add(sum);
        all.put(sum.e().first, sum);
        continue;
      }
      Expression e = Expression.around(t, p[0], p[1]);
      Found found = all.get(e.first);
      if (found == null) {
        found = new Found(e, new ArrayList<>(), e.negative ? -1 : 1, bracket);
        order.add(found);
      } else {
        Expression joined = found.e();
        joined.operators.addAll(e.operators);
        found = new Found(joined, found.pointers(), found.sign() + (e.negative ? -1 : 1), bracket);
        order.removeLast();
        order.add(found);
      }
      found.pointers().add(p);
      all.put(e.first, found);
    }
    order.forEach(this::rewrite);
  }

  /**
   * A further term of the sum that was found last, between signs or at its end: to look at the
   * whole sum again for each of its terms would take time by the square of their number.
   */
  private boolean isTerm(Found sum, int[] p, int bracket) {
    boolean same = sum.bracket() == bracket && sum.e().first > bracket && !sum.e().cast;
    boolean inside = p[0] > sum.e().first && p[1] <= sum.e().last;
    boolean behind = (t.is(p[0] - 1, '+') || t.is(p[0] - 1, '-')) && isOperandEnd(p[0] - 2);
    boolean before =
        p[1] == sum.e().last
            || ((t.is(p[1] + 1, '+') || t.is(p[1] + 1, '-')) && !t.is(p[1] + 2, t.text(p[1] + 1)));
    return same && inside && behind && before;
  }

  /** First and last token of the device pointer whose name is at {@code i}, or null. */
  private int @org.jspecify.annotations.Nullable [] pointer(int i) {
    int last = i;
    if (names.isType(i) && t.is(i - 1, '(') && t.is(i + 1, ')') && !t.isIdentifier(i - 2)) {
      return castOperand(i);
    }
    int level = names.level(i);
    if (level < 0) {
      if (!names.isFunction(i) || names.isType(i - 1)) {
        return null;
      }
      last = t.match(i + 1);
      level = 0;
    } else if (isDeclared(i)) {
      return null;
    }
    int first = i;
    while (t.is(first - 1, '.') || t.isPair(first - 1, '-') || t.isPair(first - 1, ':')) {
      first -= 2;
      while (t.is(first, ']') || t.is(first, ')')) {
        first = t.match(first) - 1;
      }
    }
    if (level == 1) {
      if (t.is(last + 1, '[')) {
        last = t.match(last + 1);
      } else if (t.is(first - 1, '*') && !isOperandEnd(first - 2)) {
        first--;
      } else {
        return null;
      }
    }
    if (last < i
        || t.is(last + 1, '[')
        || t.is(last + 1, '.')
        || t.isPair(last + 1, '-')
        || t.is(last + 1, '(')) {
      return null;
    }
    boolean address = t.is(first - 1, '&') && !t.is(first - 2, '&') && !isOperandEnd(first - 2);
    return address ? null : new int[] {first, last};
  }

  private int @org.jspecify.annotations.Nullable [] castOperand(int type) {
    int i = type + 2;
    if (t.is(i, '(')) {
      return new int[] {type - 1, t.match(i)};
    }
    if (!t.isIdentifier(i) && t.kind(i) != Tokens.NUMBER) {
      return null;
    }
    while (t.is(i + 1, '[')
        || t.is(i + 1, '(')
        || ((t.is(i + 1, '.') || t.isPair(i + 1, '-') || t.isPair(i + 1, ':'))
            && t.isIdentifier(i + 2))) {
      i = t.is(i + 1, '[') || t.is(i + 1, '(') ? t.match(i + 1) : i + 2;
    }
    return new int[] {type - 1, i};
  }

  private boolean isOperandEnd(int i) {
    return (t.isIdentifier(i) && !t.is(i, "return"))
        || t.kind(i) == Tokens.NUMBER
        || t.is(i, ')')
        || t.is(i, ']');
  }

  private boolean isDeclared(int i) {
    int k = i - 1;
    while (t.is(k, '*') || t.is(k, '&') || t.is(k, "const")) {
      k--;
    }
    return names.isType(k) || (t.is(k, '>') && names.isType(k - 1));
  }

  /** {@code p += n}, {@code p++} and the like. */
  private boolean assigned(int[] p) {
    int op = p[1] + 1;
    boolean twice = t.touches(op) && (t.is(op, '+') || t.is(op, '-')) && t.is(op + 1, t.text(op));
    boolean before =
        t.touches(p[0] - 2)
            && (t.is(p[0] - 1, '+') || t.is(p[0] - 1, '-'))
            && t.is(p[0] - 2, t.text(p[0] - 1));
    String text = f.source.text(t.start(p[0]), t.end(p[1]));
    if (twice || before) {
      step(p, twice, text);
      return true;
    }
    if (!t.touches(op) || !t.is(op + 1, '=') || "+-*/%&|^".indexOf(t.text(op).charAt(0)) < 0) {
      return false;
    }
    int end = Statements.expressionEnd(t, op + 2);
    if (text.contains("(") || text.contains("++") || end == op + 2) {
      unsure(p);
      return true;
    }
    boolean sum = t.is(op, '+') || t.is(op, '-');
    boolean single = end == op + 3;
    String c = t.text(op);
    f.changes.edit(
        Edit.replace(
            t.start(op),
            t.end(op + 1),
            "= " + (sum ? "(char*)" : POINTER + "(" + INTEGER) + text + " " + c,
            RULE));
    if (!single) {
      f.changes.alsoEdit(Edit.before(t.start(op + 2), "(", RULE));
    }
    String close = (single ? "" : ")") + (sum ? "" : ")");
    if (!close.isEmpty()) {
      f.changes.alsoEdit(Edit.after(t.end(end - 1), close, RULE));
    }
    return true;
  }

  /** A number other than 0 becomes an address by a cast only. */
  private void number(int from) {
    int end = from;
    boolean zero = t.is(from, "0") || t.is(from, "NULL");
    while (end < t.count() && !t.is(end, ';') && !t.is(end, ',') && !t.is(end, ')')) {
      boolean integer = t.isIdentifier(end) && names.level(end) < 0 && context.isInteger(end);
      boolean operator = t.kind(end) == Tokens.PUNCTUATION && "()+-*/%&|^~".contains(t.text(end));
      if (!integer && !operator && t.kind(end) != Tokens.NUMBER) {
        return;
      }
      end = t.is(end, '(') ? Math.max(t.match(end), end) : end + 1;
      end = t.is(end, ')') ? end + 1 : end;
    }
    if (end == from || (zero && end == from + 1)) {
      return;
    }
    boolean single = end == from + 1;
    f.changes.edit(Edit.before(t.start(from), POINTER + (single ? "" : "("), RULE));
    if (!single) {
      f.changes.alsoEdit(Edit.after(t.end(end - 1), ")", RULE));
    }
  }

  private void step(int[] p, boolean behind, String text) {
    int from = behind ? p[0] : p[0] - 2;
    int to = behind ? p[1] + 2 : p[1];
    boolean alone =
        (t.is(from - 1, ';') || t.is(from - 1, '{') || t.is(from - 1, '}')) && t.is(to + 1, ';');
    if (!alone || text.contains("(")) {
      unsure(p);
      return;
    }
    String op = t.text(behind ? p[1] + 1 : p[0] - 1);
    f.changes.edit(
        Edit.replace(t.start(from), t.end(to), text + " = (char*)" + text + " " + op + " 1", RULE));
  }

  private void rewrite(Found found) {
    Expression e = found.e();
    DeviceptrContext.Use use = context.of(e);
    boolean integer = use == DeviceptrContext.Use.INTEGER;
    if (e.operators.isEmpty()) {
      if (integer && !e.cast) {
        convert(found, INTEGER);
      }
      return;
    }
    if (e.isSum() && found.pointers().size() == 1 && found.sign() == 1 && !integer) {
      convert(found, "(char*)");
      if (!e.cast) {
        wrap(e);
      }
      return;
    }
    boolean address = e.isSum() && found.sign() == 1;
    boolean asked = context.isCompared(e) || context.isCondition(e);
    if (!e.isSum() && use == DeviceptrContext.Use.UNKNOWN && !asked) {
      unsure(found.pointers().getFirst());
      return;
    }
    convert(found, INTEGER);
    if (!e.cast
        && ((use == DeviceptrContext.Use.POINTER && !(e.isSum() && asked))
            || (address && !integer))) {
      wrap(e);
    }
  }

  private void convert(Found found, String cast) {
    boolean counted = false;
    for (int[] p : found.pointers()) {
      Edit edit = Edit.before(t.start(p[0]), cast, RULE);
      if (counted) {
        f.changes.alsoEdit(edit);
      } else {
        f.changes.edit(edit);
      }
      counted = true;
    }
  }

  private void wrap(Expression e) {
    boolean grouped = e.isGrouped();
    f.changes.alsoEdit(Edit.before(t.start(e.first), POINTER + (grouped ? "" : "("), RULE));
    if (!grouped) {
      f.changes.alsoEdit(Edit.after(t.end(e.last), ")", RULE));
    }
  }

  private void unsure(int[] p) {
    f.changes.finding(
        RULE,
        Disposition.UNPORTED,
        t.start(p[0]),
        t.end(p[1]),
        "arithmetic on a CUdeviceptr, which is void* in HIP");
  }
}
