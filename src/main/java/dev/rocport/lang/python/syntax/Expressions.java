package dev.rocport.lang.python.syntax;

import static dev.rocport.lang.python.syntax.PythonTokens.NAME;
import static dev.rocport.lang.python.syntax.PythonTokens.NEWLINE;
import static dev.rocport.lang.python.syntax.PythonTokens.NUMBER;
import static dev.rocport.lang.python.syntax.PythonTokens.STRING;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Expressions, by the grammar of the language reference. One recursive-descent parser with one
 * method for each production; a split would spread the grammar.
 */
class Expressions {
  private static final Set<String> WORDS =
      Set.of(
          "and",
          "as",
          "assert",
          "async",
          "await",
          "break",
          "class",
          "continue",
          "def",
          "del",
          "elif",
          "else",
          "except",
          "finally",
          "for",
          "from",
          "global",
          "if",
          "import",
          "in",
          "is",
          "lambda",
          "nonlocal",
          "not",
          "or",
          "pass",
          "raise",
          "return",
          "try",
          "while",
          "with",
          "yield");
  private static final Set<String> CONSTANTS = Set.of("None", "True", "False");

  /** Binary operators by how tightly they bind. */
  private static final Map<String, Integer> BINDING =
      Map.ofEntries(
          Map.entry("|", 1),
          Map.entry("^", 2),
          Map.entry("&", 3),
          Map.entry("<<", 4),
          Map.entry(">>", 4),
          Map.entry("+", 5),
          Map.entry("-", 5),
          Map.entry("*", 6),
          Map.entry("/", 6),
          Map.entry("//", 6),
          Map.entry("%", 6),
          Map.entry("@", 6));

  private static final Set<String> COMPARISONS = Set.of("==", "!=", "<>", "<=", ">=", "<", ">");

  final byte[] bytes;
  final PythonTokens t;
  final List<SyntaxProblem> problems;
  int at;

  Expressions(byte[] bytes, PythonTokens tokens, List<SyntaxProblem> problems) {
    this.bytes = bytes;
    this.t = tokens;
    this.problems = problems;
  }

  // ---- tokens

  final boolean accept(char op) {
    if (t.is(at, op)) {
      at++;
      return true;
    }
    return false;
  }

  final boolean accept(String text) {
    if (t.is(at, text)) {
      at++;
      return true;
    }
    return false;
  }

  final void expect(char op) {
    if (!accept(op)) {
      throw problem("'" + op + "'");
    }
  }

  final void expect(String text) {
    if (!accept(text)) {
      throw problem("'" + text + "'");
    }
  }

  final void expect(byte kind, String what) {
    if (t.kind(at) != kind) {
      throw problem(what);
    }
    at++;
  }

  final NotPython problem(String expected) {
    return new NotPython(t.start(at), "expected " + expected + " here");
  }

  final String name() {
    if (t.kind(at) != NAME) {
      throw problem("a name");
    }
    String name = t.text(at);
    if (WORDS.contains(name)) {
      throw problem("a name");
    }
    at++;
    return name;
  }

  /** The end of the last token that is more than the shape of lines. */
  final int lastEnd() {
    int i = at - 1;
    while (i > 0 && t.kind(i) >= NEWLINE) {
      i--;
    }
    return t.end(i);
  }

  // ---- lists of expressions

  final Expr yieldOrExpressions() {
    return t.is(at, "yield") ? yieldExpression() : starExpressions();
  }

  final Expr starExpressions() {
    int start = t.start(at);
    Expr first = starExpression();
    return t.is(at, ',') ? tuple(first, start) : first;
  }

  private Expr tuple(Expr first, int start) {
    List<Expr> items = new ArrayList<>(List.of(first));
    while (accept(',')) {
      if (!startsExpression()) {
        break;
      }
      items.add(starExpression());
    }
    return new Expr.TupleOf(List.copyOf(items), start, lastEnd());
  }

  private boolean startsExpression() {
    return switch (t.kind(at)) {
      case NUMBER, STRING -> true;
      case NAME -> {
        String word = t.text(at);
        yield !WORDS.contains(word)
            || word.equals("lambda")
            || word.equals("not")
            || word.equals("await")
            || word.equals("yield");
      }
      case PythonTokens.OP ->
          t.is(at, '(')
              || t.is(at, '[')
              || t.is(at, '{')
              || t.is(at, '-')
              || t.is(at, '+')
              || t.is(at, '~')
              || t.is(at, '*')
              || t.is(at, "...");
      default -> false;
    };
  }

  /** {@code *a} or an expression, named ones too. */
  final Expr starExpression() {
    int start = t.start(at);
    if (accept('*')) {
      Expr value = bitOr();
      return new Expr.Starred(value, start, lastEnd());
    }
    return namedExpression();
  }

  final Expr namedExpression() {
    if (t.kind(at) == NAME && t.is(at + 1, ":=")) {
      int start = t.start(at);
      int end = t.end(at);
      Expr.Name target = new Expr.Name(name(), start, end);
      at++;
      return new Expr.Walrus(target, expression(), start, lastEnd());
    }
    return expression();
  }

  /** The targets of a {@code for}. */
  final Expr targets() {
    int start = t.start(at);
    Expr first = starTarget();
    if (!t.is(at, ',')) {
      return first;
    }
    List<Expr> items = new ArrayList<>(List.of(first));
    while (accept(',') && !t.is(at, "in")) {
      items.add(starTarget());
    }
    return new Expr.TupleOf(List.copyOf(items), start, lastEnd());
  }

  final Expr starTarget() {
    int start = t.start(at);
    if (accept('*')) {
      Expr value = bitOr();
      return new Expr.Starred(value, start, lastEnd());
    }
    return bitOr();
  }

  private Expr yieldExpression() {
    int start = t.start(at++);
    if (accept("from")) {
      return new Expr.Yield(true, Optional.of(expression()), start, lastEnd());
    }
    Optional<Expr> value = startsExpression() ? Optional.of(starExpressions()) : Optional.empty();
    return new Expr.Yield(false, value, start, lastEnd());
  }

  // ---- expressions

  final Expr expression() {
    int start = t.start(at);
    if (t.is(at, "lambda")) {
      at++;
      List<Parameter> parameters = parameters(':', false);
      expect(':');
      return new Expr.Lambda(parameters, expression(), start, lastEnd());
    }
    Expr then = or();
    if (!t.is(at, "if")) {
      return then;
    }
    at++;
    Expr condition = or();
    expect("else");
    return new Expr.Conditional(then, condition, expression(), start, lastEnd());
  }

  private Expr or() {
    int start = t.start(at);
    Expr first = and();
    if (!t.is(at, "or")) {
      return first;
    }
    List<Expr> operands = new ArrayList<>(List.of(first));
    while (accept("or")) {
      operands.add(and());
    }
    return new Expr.Logical("or", List.copyOf(operands), start, lastEnd());
  }

  private Expr and() {
    int start = t.start(at);
    Expr first = not();
    if (!t.is(at, "and")) {
      return first;
    }
    List<Expr> operands = new ArrayList<>(List.of(first));
    while (accept("and")) {
      operands.add(not());
    }
    return new Expr.Logical("and", List.copyOf(operands), start, lastEnd());
  }

  private Expr not() {
    int start = t.start(at);
    if (accept("not")) {
      return new Expr.Unary("not", not(), start, lastEnd());
    }
    return comparison();
  }

  private Expr comparison() {
    int start = t.start(at);
    Expr first = bitOr();
    String op = comparisonOperator();
    if (op.isEmpty()) {
      return first;
    }
    List<Expr> operands = new ArrayList<>(List.of(first));
    List<String> ops = new ArrayList<>();
    while (!op.isEmpty()) {
      ops.add(op);
      operands.add(bitOr());
      op = comparisonOperator();
    }
    return new Expr.Comparison(List.copyOf(ops), List.copyOf(operands), start, lastEnd());
  }

  private String comparisonOperator() {
    if (t.kind(at) == PythonTokens.OP) {
      String op = t.text(at);
      if (COMPARISONS.contains(op)) {
        at++;
        return op;
      }
      return "";
    }
    if (accept("in")) {
      return "in";
    }
    if (accept("is")) {
      return accept("not") ? "is not" : "is";
    }
    if (t.is(at, "not") && t.is(at + 1, "in")) {
      at += 2;
      return "not in";
    }
    return "";
  }

  final Expr bitOr() {
    return binary(1);
  }

  private Expr binary(int least) {
    int start = t.start(at);
    Expr left = unary();
    while (t.kind(at) == PythonTokens.OP) {
      String op = t.text(at);
      Integer binding = BINDING.get(op);
      if (binding == null || binding < least) {
        break;
      }
      at++;
      Expr right = binary(binding + 1);
      left = new Expr.Binary(op, left, right, start, lastEnd());
    }
    return left;
  }

  private Expr unary() {
    int start = t.start(at);
    if (t.is(at, '-') || t.is(at, '+') || t.is(at, '~')) {
      String op = t.text(at++);
      return new Expr.Unary(op, unary(), start, lastEnd());
    }
    Expr base = await();
    if (accept("**")) {
      Expr power = unary();
      return new Expr.Binary("**", base, power, start, lastEnd());
    }
    return base;
  }

  private Expr await() {
    int start = t.start(at);
    if (accept("await")) {
      return new Expr.Await(primary(), start, lastEnd());
    }
    return primary();
  }

  private Expr primary() {
    int start = t.start(at);
    Expr x = atom();
    while (true) {
      if (accept('.')) {
        int nameStart = t.start(at);
        x = new Expr.Attribute(x, name(), nameStart, start, lastEnd());
      } else if (accept('(')) {
        x = new Expr.Call(x, arguments(), start, lastEnd());
      } else if (accept('[')) {
        Expr index = slices();
        expect(']');
        x = new Expr.Subscript(x, index, start, lastEnd());
      } else {
        return x;
      }
    }
  }

  /** The arguments of a call whose parenthesis was read, and the one that closes it. */
  final List<Argument> arguments() {
    List<Argument> arguments = new ArrayList<>();
    int open = t.start(at - 1);
    while (!t.is(at, ')')) {
      int start = t.start(at);
      if (accept("**")) {
        Expr value = expression();
        arguments.add(new Argument("**", value, start, lastEnd()));
      } else if (t.kind(at) == NAME && t.is(at + 1, '=')) {
        String name = name();
        at++;
        Expr value = expression();
        arguments.add(new Argument(name, value, start, lastEnd()));
      } else {
        Expr value = accept('*') ? starredArgument(start) : namedExpression();
        if (t.is(at, "for") || t.is(at, "async")) {
          List<Clause.For> clauses = clauses();
          // A lone generator has the parentheses of the call.
          int end = t.is(at, ')') && arguments.isEmpty() ? t.end(at) : lastEnd();
          value = new Expr.Comprehension('(', List.of(value), clauses, open, end);
        }
        arguments.add(new Argument("", value, start, lastEnd()));
      }
      if (!accept(',')) {
        break;
      }
    }
    expect(')');
    return List.copyOf(arguments);
  }

  private Expr starredArgument(int start) {
    Expr value = expression();
    return new Expr.Starred(value, start, lastEnd());
  }

  private Expr slices() {
    int start = t.start(at);
    Expr first = slice();
    if (!t.is(at, ',')) {
      return first instanceof Expr.Starred
          ? new Expr.TupleOf(List.of(first), start, lastEnd())
          : first;
    }
    List<Expr> items = new ArrayList<>(List.of(first));
    while (accept(',') && !t.is(at, ']')) {
      items.add(slice());
    }
    return new Expr.TupleOf(List.copyOf(items), start, lastEnd());
  }

  private Expr slice() {
    int start = t.start(at);
    List<Expr> parts = new ArrayList<>();
    if (!t.is(at, ':')) {
      Expr first = starExpression();
      if (!t.is(at, ':')) {
        return first;
      }
      parts.add(first);
    }
    for (int n = 0; n < 2 && accept(':'); n++) {
      if (!t.is(at, ':') && !t.is(at, ',') && !t.is(at, ']')) {
        parts.add(expression());
      }
    }
    return new Expr.Slice(List.copyOf(parts), start, lastEnd());
  }

  private Expr atom() {
    int start = t.start(at);
    int end = t.end(at);
    switch (t.kind(at)) {
      case NAME -> {
        String word = t.text(at);
        if (CONSTANTS.contains(word)) {
          at++;
          return new Expr.Constant(word, start, end);
        }
        return new Expr.Name(name(), start, end);
      }
      case NUMBER -> {
        return new Expr.Constant(t.text(at++), start, end);
      }
      case STRING -> {
        return strings();
      }
      default -> {
        if (accept('(')) {
          return parenthesised(start);
        } else if (accept('[')) {
          return list(start);
        } else if (accept('{')) {
          return braces(start);
        } else if (t.is(at, "...")) {
          at++;
          return new Expr.Constant("...", start, end);
        }
        throw problem("an expression");
      }
    }
  }

  private Expr strings() {
    int first = at;
    List<Expr> parts = new ArrayList<>();
    StringBuilder value = new StringBuilder();
    boolean known = true;
    for (; t.kind(at) == STRING; at++) {
      Optional<String> text = StringValue.of(bytes, t.start(at), t.end(at));
      known &= text.isPresent();
      text.ifPresent(value::append);
      if (text.isEmpty()) {
        for (Lexer.Field field : Lexer.fields(bytes, t.start(at), t.end(at))) {
          field(field, parts);
        }
      }
    }
    return new Expr.Text(
        known ? Optional.of(value.toString()) : Optional.empty(),
        List.copyOf(parts),
        t.start(first),
        t.end(at - 1));
  }

  /** Reads the expression of a replacement field; prefixes of bytes have none. */
  private void field(Lexer.Field field, List<Expr> parts) {
    PythonTokens inner = Lexer.expression(bytes, field, problems);
    Expressions reader = new Expressions(bytes, inner, problems);
    try {
      parts.add(reader.yieldOrExpressions());
      reader.accept('='); // {x=} prints its own text too
      reader.expect(NEWLINE, "the end of the field");
    } catch (NotPython e) {
      problems.add(new SyntaxProblem(e.offset(), e.text()));
    }
  }

  private Expr parenthesised(int start) {
    if (accept(')')) {
      return new Expr.TupleOf(List.of(), start, lastEnd());
    }
    Expr x;
    if (t.is(at, "yield")) {
      x = yieldExpression();
    } else {
      x = starExpression();
      if (t.is(at, ',')) {
        List<Expr> items = items(x, ')');
        expect(')');
        return new Expr.TupleOf(items, start, lastEnd());
      }
      if (t.is(at, "for") || t.is(at, "async")) {
        List<Clause.For> clauses = clauses();
        expect(')');
        return new Expr.Comprehension('(', List.of(x), clauses, start, lastEnd());
      }
    }
    expect(')');
    return x;
  }

  private List<Expr> items(Expr first, char close) {
    List<Expr> items = new ArrayList<>(List.of(first));
    while (accept(',') && !t.is(at, close)) {
      items.add(starExpression());
    }
    return List.copyOf(items);
  }

  private Expr list(int start) {
    if (accept(']')) {
      return new Expr.ListOf(List.of(), start, lastEnd());
    }
    Expr first = starExpression();
    if (t.is(at, "for") || t.is(at, "async")) {
      List<Clause.For> clauses = clauses();
      expect(']');
      return new Expr.Comprehension('[', List.of(first), clauses, start, lastEnd());
    }
    List<Expr> items = items(first, ']');
    expect(']');
    return new Expr.ListOf(items, start, lastEnd());
  }

  private Expr braces(int start) {
    if (accept('}')) {
      return new Expr.Dict(List.of(), start, lastEnd());
    }
    if (!t.is(at, "**")) {
      Expr first = starExpression();
      if (!t.is(at, ':')) {
        if (t.is(at, "for") || t.is(at, "async")) {
          List<Clause.For> clauses = clauses();
          expect('}');
          return new Expr.Comprehension('{', List.of(first), clauses, start, lastEnd());
        }
        List<Expr> items = items(first, '}');
        expect('}');
        return new Expr.SetOf(items, start, lastEnd());
      }
      at++;
      Expr value = expression();
      if (t.is(at, "for") || t.is(at, "async")) {
        List<Clause.For> clauses = clauses();
        expect('}');
        return new Expr.Comprehension('{', List.of(first, value), clauses, start, lastEnd());
      }
      List<Expr.Entry> entries =
          new ArrayList<>(List.of(new Expr.Entry(Optional.of(first), value)));
      if (accept(',')) {
        entries(entries);
      }
      expect('}');
      return new Expr.Dict(List.copyOf(entries), start, lastEnd());
    }
    List<Expr.Entry> entries = new ArrayList<>();
    entries(entries);
    expect('}');
    return new Expr.Dict(List.copyOf(entries), start, lastEnd());
  }

  private void entries(List<Expr.Entry> entries) {
    while (!t.is(at, '}')) {
      if (accept("**")) {
        entries.add(new Expr.Entry(Optional.empty(), bitOr()));
      } else {
        Expr key = expression();
        expect(':');
        entries.add(new Expr.Entry(Optional.of(key), expression()));
      }
      if (!accept(',')) {
        return;
      }
    }
  }

  private List<Clause.For> clauses() {
    List<Clause.For> clauses = new ArrayList<>();
    while (t.is(at, "for") || t.is(at, "async")) {
      int start = t.start(at);
      accept("async");
      expect("for");
      Expr target = targets();
      expect("in");
      Expr over = or();
      List<Expr> conditions = new ArrayList<>();
      while (accept("if")) {
        conditions.add(condition());
      }
      clauses.add(new Clause.For(target, over, List.copyOf(conditions), start, lastEnd()));
    }
    return List.copyOf(clauses);
  }

  /** A condition of a comprehension: no conditional expression, since its {@code if} is one. */
  private Expr condition() {
    if (t.kind(at) == NAME && t.is(at + 1, ":=")) {
      return namedExpression();
    }
    return t.is(at, "lambda") ? expression() : or();
  }

  // ---- parameters

  /** The parameters up to a closing character, which is not read. */
  final List<Parameter> parameters(char close, boolean annotated) {
    List<Parameter> parameters = new ArrayList<>();
    while (!t.is(at, close)) {
      int start = t.start(at);
      String star = accept("**") ? "**" : accept('*') ? "*" : "";
      if (star.isEmpty() && accept('/')) {
        parameters.add(new Parameter("", "", Optional.empty(), Optional.empty(), start, lastEnd()));
      } else {
        boolean lone = star.equals("*") && t.is(at, ',');
        String name = lone ? "" : name();
        Optional<Expr> annotation = Optional.empty();
        if (annotated && accept(':')) {
          annotation = Optional.of(t.is(at, '*') ? starExpression() : expression());
        }
        Optional<Expr> initial = accept('=') ? Optional.of(expression()) : Optional.empty();
        parameters.add(new Parameter(star, name, annotation, initial, start, lastEnd()));
      }
      if (!accept(',')) {
        break;
      }
    }
    return List.copyOf(parameters);
  }
}
