package dev.rocport.lang.python.syntax;

import static dev.rocport.lang.python.syntax.PythonTokens.DEDENT;
import static dev.rocport.lang.python.syntax.PythonTokens.END;
import static dev.rocport.lang.python.syntax.PythonTokens.INDENT;
import static dev.rocport.lang.python.syntax.PythonTokens.NAME;
import static dev.rocport.lang.python.syntax.PythonTokens.NEWLINE;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Statements, by the grammar of the language reference; expressions are {@link Expressions}'. One
 * recursive-descent parser with one method for each production; a split would spread the grammar.
 */
final class Parser extends Expressions {
  private static final Set<String> VALUE_WORDS = Set.of("return", "del", "raise", "assert");
  private static final Set<String> AUGMENTED =
      Set.of("+=", "-=", "*=", "/=", "//=", "%=", "@=", "&=", "|=", "^=", ">>=", "<<=", "**=");

  Parser(byte[] bytes, PythonTokens tokens, List<SyntaxProblem> problems) {
    super(bytes, tokens, problems);
  }

  List<Stmt> file() {
    List<Stmt> body = new ArrayList<>();
    while (t.kind(at) != END) {
      if (t.kind(at) == INDENT || t.kind(at) == DEDENT) {
        problems.add(new SyntaxProblem(t.start(at), "unexpected indentation"));
        at++;
      } else {
        statement(body);
      }
    }
    return List.copyOf(body);
  }

  /** Parses a line or a compound statement; continues after it on a syntax error. */
  private void statement(List<Stmt> into) {
    int first = at;
    try {
      if (t.kind(at) == NAME || t.is(at, '@')) {
        if (compound(into)) {
          return;
        }
      }
      simpleLine(into);
    } catch (NotPython e) {
      problems.add(new SyntaxProblem(e.offset(), e.text()));
      at = Math.max(at, first);
      while (t.kind(at) != NEWLINE && t.kind(at) != END) {
        at++;
      }
      if (t.kind(at) == NEWLINE) {
        at++;
      }
      if (t.kind(at) == INDENT) {
        skipBlock();
      }
    }
  }

  private void skipBlock() {
    int depth = 0;
    do {
      depth += t.kind(at) == INDENT ? 1 : t.kind(at) == DEDENT ? -1 : 0;
      at++;
    } while (depth > 0 && t.kind(at) != END);
  }

  private void simpleLine(List<Stmt> into) {
    do {
      into.add(simple());
    } while (accept(';') && t.kind(at) != NEWLINE);
    expect(NEWLINE, "the end of the statement");
  }

  private Stmt simple() {
    int start = t.start(at);
    if (t.kind(at) == NAME) {
      String word = t.text(at);
      if (VALUE_WORDS.contains(word)) {
        at++;
        return keyword(word, start);
      }
      switch (word) {
        case "pass", "break", "continue" -> {
          at++;
          return new Stmt.Plain(word, start, lastEnd());
        }
        case "global", "nonlocal" -> {
          at++;
          List<String> names = new ArrayList<>();
          do {
            names.add(name());
          } while (accept(','));
          return new Stmt.Scope(word, List.copyOf(names), start, lastEnd());
        }
        case "import" -> {
          at++;
          return importNames(start);
        }
        case "from" -> {
          at++;
          return importFrom(start);
        }
        case "type" -> {
          if (t.kind(at + 1) == NAME && (t.is(at + 2, '=') || t.is(at + 2, '['))) {
            at++;
            Expr.Name name = new Expr.Name(t.text(at), t.start(at), t.end(at));
            name();
            List<Expr> types = types();
            expect('=');
            return new Stmt.TypeAlias(name, types, expression(), start, lastEnd());
          }
        }
        default -> {}
      }
    }
    return assignment(start);
  }

  private Stmt keyword(String word, int start) {
    List<Expr> values = new ArrayList<>();
    if (t.kind(at) != NEWLINE && !t.is(at, ';')) {
      switch (word) {
        case "return" -> values.add(starExpressions());
        case "del" -> {
          do {
            values.add(bitOr());
          } while (accept(',') && t.kind(at) != NEWLINE && !t.is(at, ';'));
        }
        case "raise" -> {
          values.add(expression());
          if (accept("from")) {
            values.add(expression());
          }
        }
        default -> {
          values.add(expression());
          if (accept(',')) {
            values.add(expression());
          }
        }
      }
    }
    return new Stmt.Keyword(word, List.copyOf(values), start, lastEnd());
  }

  private Stmt assignment(int start) {
    Expr first = yieldOrExpressions();
    if (t.is(at, ':')) {
      at++;
      Expr annotation = expression();
      Optional<Expr> value = accept('=') ? Optional.of(yieldOrExpressions()) : Optional.empty();
      return new Stmt.Assign(List.of(first), "=", Optional.of(annotation), value, start, lastEnd());
    }
    if (t.is(at, '=')) {
      List<Expr> targets = new ArrayList<>();
      Expr value = first;
      while (accept('=')) {
        targets.add(value);
        value = yieldOrExpressions();
      }
      return new Stmt.Assign(
          List.copyOf(targets), "=", Optional.empty(), Optional.of(value), start, lastEnd());
    }
    if (t.kind(at) == PythonTokens.OP && AUGMENTED.contains(t.text(at))) {
      String op = t.text(at++);
      Expr value = yieldOrExpressions();
      return new Stmt.Assign(
          List.of(first), op, Optional.empty(), Optional.of(value), start, lastEnd());
    }
    return new Stmt.Expression(first, start, lastEnd());
  }

  private Stmt importNames(int start) {
    List<Stmt.Alias> names = new ArrayList<>();
    do {
      int from = t.start(at);
      String name = dotted();
      String as = accept("as") ? name() : "";
      names.add(new Stmt.Alias(name, as, from, lastEnd()));
    } while (accept(','));
    return new Stmt.Import(List.copyOf(names), start, lastEnd());
  }

  private Stmt importFrom(int start) {
    int level = 0;
    while (t.is(at, '.') || t.is(at, "...")) {
      level += t.end(at) - t.start(at);
      at++;
    }
    String module = t.is(at, "import") ? "" : dotted();
    expect("import");
    List<Stmt.Alias> names = new ArrayList<>();
    if (t.is(at, '*')) {
      names.add(new Stmt.Alias("*", "", t.start(at), t.end(at)));
      at++;
    } else {
      boolean parentheses = accept('(');
      do {
        if (parentheses && t.is(at, ')')) {
          break;
        }
        int from = t.start(at);
        String name = name();
        String as = accept("as") ? name() : "";
        names.add(new Stmt.Alias(name, as, from, lastEnd()));
      } while (accept(','));
      if (parentheses) {
        expect(')');
      }
    }
    return new Stmt.ImportFrom(level, module, List.copyOf(names), start, lastEnd());
  }

  private String dotted() {
    StringBuilder name = new StringBuilder(name());
    while (accept('.')) {
      name.append('.').append(name());
    }
    return name.toString();
  }

  /** Reads a compound statement if there is one. */
  private boolean compound(List<Stmt> into) {
    int start = t.start(at);
    if (t.is(at, '@')) {
      into.add(decorated());
      return true;
    }
    Stmt found =
        switch (t.text(at)) {
          case "if" -> ifStatement(start);
          case "while" -> {
            at++;
            Expr condition = namedExpression();
            List<Stmt> body = block();
            List<Stmt> otherwise = otherwise();
            yield new Stmt.While(condition, body, otherwise, start, lastEnd());
          }
          case "for" -> forStatement(start);
          case "try" -> tryStatement(start);
          case "with" -> with(start);
          case "def", "class" -> definition(List.of(), start);
          case "async" -> {
            if (t.is(at + 1, "def")) {
              yield definition(List.of(), start);
            }
            at++;
            if (t.is(at, "for")) {
              yield forStatement(start);
            }
            if (t.is(at, "with")) {
              yield with(start);
            }
            throw problem("'def', 'for' or 'with' after 'async'");
          }
          case "match" -> match(start);
          default -> null;
        };
    if (found != null) {
      into.add(found);
    }
    return found != null;
  }

  private Stmt decorated() {
    List<Expr> decorators = new ArrayList<>();
    while (accept('@')) {
      decorators.add(namedExpression());
      expect(NEWLINE, "the end of the decorator");
    }
    return definition(List.copyOf(decorators), t.start(at));
  }

  private Stmt definition(List<Expr> decorators, int start) {
    accept("async");
    if (accept("def")) {
      String name = name();
      List<Expr> types = types();
      expect('(');
      List<Parameter> parameters = parameters(')', true);
      expect(')');
      Optional<Expr> returns = accept("->") ? Optional.of(expression()) : Optional.empty();
      List<Stmt> body = block();
      return new Stmt.Function(
          isAsync(start), name, decorators, types, parameters, returns, body, start, lastEnd());
    }
    expect("class");
    String name = name();
    List<Expr> types = types();
    List<Argument> bases = accept('(') ? arguments() : List.of();
    List<Stmt> body = block();
    return new Stmt.ClassOf(name, decorators, types, bases, body, start, lastEnd());
  }

  /** The bounds and defaults of {@code [T: bound = default, *Ts, **P]}. */
  private List<Expr> types() {
    List<Expr> types = new ArrayList<>();
    if (accept('[')) {
      while (!t.is(at, ']')) {
        if (!accept('*')) {
          accept("**");
        }
        name();
        if (accept(':')) {
          types.add(expression());
        }
        if (accept('=')) {
          types.add(starExpression());
        }
        if (!accept(',')) {
          break;
        }
      }
      expect(']');
    }
    return List.copyOf(types);
  }

  private Stmt ifStatement(int start) {
    at++;
    Expr condition = namedExpression();
    List<Stmt> body = block();
    List<Stmt> otherwise = t.is(at, "elif") ? List.of(ifStatement(t.start(at))) : otherwise();
    return new Stmt.If(condition, body, otherwise, start, lastEnd());
  }

  private List<Stmt> otherwise() {
    return accept("else") ? block() : List.of();
  }

  private Stmt forStatement(int start) {
    expect("for");
    Expr target = targets();
    expect("in");
    Expr over = starExpressions();
    List<Stmt> body = block();
    List<Stmt> otherwise = otherwise();
    return new Stmt.For(isAsync(start), target, over, body, otherwise, start, lastEnd());
  }

  private Stmt tryStatement(int start) {
    at++;
    List<Stmt> body = block();
    boolean group = false;
    List<Clause.Except> handlers = new ArrayList<>();
    while (t.is(at, "except")) {
      int from = t.start(at++);
      group |= accept('*');
      List<Expr> types = new ArrayList<>();
      String name = "";
      if (!t.is(at, ':')) {
        do {
          types.add(expression());
        } while (accept(','));
        name = accept("as") ? name() : "";
      }
      List<Stmt> handler = block();
      handlers.add(new Clause.Except(List.copyOf(types), name, handler, from, lastEnd()));
    }
    List<Stmt> otherwise = otherwise();
    List<Stmt> finish = accept("finally") ? block() : List.of();
    if (handlers.isEmpty() && finish.isEmpty()) {
      throw problem("except or finally");
    }
    return new Stmt.Try(group, body, List.copyOf(handlers), otherwise, finish, start, lastEnd());
  }

  private Stmt with(int start) {
    expect("with");
    List<Clause.With> items = new ArrayList<>();
    int first = at;
    boolean parentheses = false;
    if (t.is(at, '(')) {
      try {
        at++;
        withItems(items, true);
        expect(')');
        parentheses = t.is(at, ':');
      } catch (NotPython e) {
        parentheses = false;
      }
    }
    if (!parentheses) {
      at = first;
      items.clear();
      withItems(items, false);
    }
    List<Stmt> body = block();
    return new Stmt.With(isAsync(start), List.copyOf(items), body, start, lastEnd());
  }

  private void withItems(List<Clause.With> items, boolean parentheses) {
    do {
      if (parentheses && t.is(at, ')')) {
        return;
      }
      int start = t.start(at);
      Expr context = expression();
      Optional<Expr> target = accept("as") ? Optional.of(starTarget()) : Optional.empty();
      items.add(new Clause.With(context, target, start, lastEnd()));
    } while (accept(','));
  }

  /** {@code match} is a word only where a subject, a colon and a {@code case} follow. */
  private @Nullable Stmt match(int start) {
    int first = at;
    Expr subject;
    try {
      at++;
      subject = starExpressions();
    } catch (NotPython e) {
      at = first;
      return null;
    }
    if (!t.is(at, ':')
        || t.kind(at + 1) != NEWLINE
        || t.kind(at + 2) != INDENT
        || !t.is(at + 3, "case")) {
      at = first;
      return null;
    }
    at += 3;
    List<Clause.Case> cases = new ArrayList<>();
    while (t.is(at, "case")) {
      int from = t.start(at++);
      List<Expr.Name> captures = pattern();
      Optional<Expr> guard = accept("if") ? Optional.of(namedExpression()) : Optional.empty();
      List<Stmt> body = block();
      cases.add(new Clause.Case(captures, guard, body, from, lastEnd()));
    }
    expect(DEDENT, "the end of the cases");
    return new Stmt.Match(subject, List.copyOf(cases), start, lastEnd());
  }

  /** Goes over a pattern; it has no calls and no values that could be ported. */
  private List<Expr.Name> pattern() {
    List<Expr.Name> names = new ArrayList<>();
    int depth = 0;
    while (depth > 0 || (!t.is(at, ':') && !t.is(at, "if"))) {
      if (t.kind(at) == NEWLINE || t.kind(at) == END) {
        throw problem("a colon after the pattern");
      }
      if (t.is(at, '(') || t.is(at, '[') || t.is(at, '{')) {
        depth++;
      } else if (t.is(at, ')') || t.is(at, ']') || t.is(at, '}')) {
        depth--;
      } else if (t.kind(at) == NAME) {
        names.add(new Expr.Name(t.text(at), t.start(at), t.end(at)));
      }
      if (depth < 0) {
        throw problem("a pattern");
      }
      at++;
    }
    return List.copyOf(names);
  }

  private List<Stmt> block() {
    expect(':');
    List<Stmt> body = new ArrayList<>();
    if (t.kind(at) != NEWLINE) {
      simpleLine(body);
      return List.copyOf(body);
    }
    at++;
    expect(INDENT, "an indented block");
    while (t.kind(at) != DEDENT && t.kind(at) != END) {
      if (t.kind(at) == INDENT) {
        throw problem("a line indented like its block");
      }
      statement(body);
    }
    expect(DEDENT, "the end of the block");
    return List.copyOf(body);
  }

  private boolean isAsync(int start) {
    return bytes[start] == 'a';
  }
}
