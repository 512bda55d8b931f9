package dev.rocport.lang.cuda.api;

import dev.rocport.core.edit.Edit;
import dev.rocport.lang.cuda.lex.Arguments;
import dev.rocport.lang.cuda.lex.Directive;
import dev.rocport.lang.cuda.lex.Launches;
import dev.rocport.lang.cuda.lex.Scopes;
import dev.rocport.lang.cuda.lex.Statements;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.pass.CudaFile;
import dev.rocport.lang.cuda.symbols.Functions;
import dev.rocport.lang.cuda.symbols.Functions.Function;
import dev.rocport.lang.cuda.symbols.ProjectIndex;
import dev.rocport.lang.cuda.symbols.ProjectIndex.Own;
import dev.rocport.lang.cuda.symbols.SharedNames;
import dev.rocport.lang.cuda.symbols.VariableTypes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Converts between {@code dim3}, {@code uint3} and the indices of a kernel, which HIP does not do
 * implicitly.
 */
public final class Dim3Pass {
  static final String RULE = "DIM3-UINT3";

  private final CudaFile f;
  private final Tokens t;
  private final VariableTypes types;

  /** The bracket of the arguments of each launch, by the token where its chevrons open. */
  private final Map<Integer, Integer> launched = new HashMap<>();

  private Dim3Pass(CudaFile f) {
    this.f = f;
    this.t = f.t;
    this.types = new VariableTypes(f.t);
  }

  public static void run(CudaFile f) {
    boolean mentions =
        f.t.mentions("uint3") || f.t.mentions("make_uint3") || hasOperators(f.project);
    if (f.isC() || !mentions || !f.changes.allows(RULE)) {
      return;
    }
    Dim3Pass pass = new Dim3Pass(f);
    if (pass.isDefined("dim3") || pass.isDefined("uint3")) {
      return;
    }
    for (int i = 1; i + 2 < f.t.count(); i++) {
      if (f.t.is(i, '=')) {
        pass.assignment(i);
      } else if (f.t.is(i, '(')) {
        pass.construction(i);
      } else if (f.t.isIdentifier(i) && BuiltinVariablePass.TYPES.containsKey(f.t.text(i))) {
        pass.operand(i);
      }
    }
    pass.launches();
    pass.functions();
  }

  /**
   * Whether the project has operators for {@code uint3} and none for {@code dim3}, to which HIP
   * converts the indices of a kernel.
   */
  private static boolean hasOperators(ProjectIndex project) {
    return project.shared().contains(SharedNames.operator("uint3"))
        && !project.shared().contains(SharedNames.operator("dim3"));
  }

  /** What functions of the file are called with, and what they return. */
  private void functions() {
    Map<String, List<Function>> byName =
        Functions.of(t).stream().collect(Collectors.groupingBy(g -> t.text(g.name())));
    for (List<Function> overloads : byName.values()) {
      if (overloads.size() == 1) {
        calls(overloads.getFirst());
      }
      overloads.forEach(this::returns);
    }
  }

  private void calls(Function function) {
    List<String> types = parameters(function.open());
    if (types.stream().allMatch(String::isEmpty) || !isOnly(function, types)) {
      return;
    }
    for (int i = 0; i < t.count(); i++) {
      boolean named = i != function.name() && t.isSame(i, function.name());
      int open = named && Functions.isCall(t, i) ? i + 1 : launched.getOrDefault(i + 1, -1);
      if (named && open > 0 && !f.isQualified(i)) {
        List<Arguments.Span> arguments = Arguments.of(t, open);
        for (int k = 0; k < Math.min(types.size(), arguments.size()); k++) {
          value(types.get(k), arguments.get(k));
        }
      }
    }
  }

  /**
   * True if no other function of this name can be meant: that of a kernel, a static function, or a
   * file without headers of its project, which has no declaration with other parameters.
   */
  private boolean isOnly(Function function, List<String> parameters) {
    int name = function.name();
    boolean local = Functions.isKernel(t, function) || hasNoOwnHeader();
    for (int k = Statements.definitionStart(t, name); k < name; k++) {
      local |= t.is(k, "static");
    }
    if (!local || f.isQualified(name) || Scopes.isInClass(t, name)) {
      return false;
    }
    for (int i = 0; i < t.count(); i++) {
      boolean other = i != name && t.isSame(i, name) && !f.isQualified(i);
      boolean declared = other && (t.is(i - 1, "define") || types.isDeclared(i));
      if (declared && !(t.is(i + 1, '(') && parameters(i + 1).equals(parameters))) {
        return false;
      }
    }
    return true;
  }

  private boolean hasNoOwnHeader() {
    return ProjectIndex.isUnit(f.source.path())
        && t.directives().stream()
            .filter(Directive::isInclude)
            .allMatch(
                d ->
                    f.api.header(t.included(d)) != null
                        || (t.kind(d.body()) == Tokens.HEADER
                            && f.project.header(f.source.path(), t.included(d)) == Own.NO));
  }

  private List<String> parameters(int open) {
    return Arguments.of(t, open).stream().map(this::parameter).toList();
  }

  /** The type of a parameter that is passed by value or as a constant; empty for other types. */
  private String parameter(Arguments.Span p) {
    int i = t.is(p.first(), "const") ? p.first() + 1 : p.first();
    boolean plain = i == p.last() - 1 || (t.is(i + 1, '&') && i > p.first());
    return plain && (t.is(i, "dim3") || t.is(i, "uint3")) ? t.text(i) : "";
  }

  private void returns(Function function) {
    int type = function.name() - 1;
    if (!isType(type)) {
      return;
    }
    for (int i = function.body() + 1; i < function.close(); i++) {
      if (t.is(i, '{') && !isBlock(i)) {
        i = Math.max(i, t.match(i)); // a lambda or a class, which has returns of its own
      } else if (t.is(i, "return")) {
        value(t.text(type), new Arguments.Span(i + 1, Statements.expressionEnd(t, i + 1) - 1));
      }
    }
  }

  /** True for a brace that can only begin a compound statement. */
  private boolean isBlock(int brace) {
    int k = brace - 1;
    int head = t.is(k, ')') ? t.match(k) - 1 : -1;
    return t.is(k, ';')
        || t.is(k, '{')
        || t.is(k, '}')
        || t.is(k, "else")
        || t.is(k, "do")
        || t.is(k, "try")
        || t.is(head, "catch")
        || t.is(head, "constexpr")
        || Statements.header(t, head) == k;
  }

  /** The grid and the block of a launch. */
  private void launches() {
    Launches all = Launches.of(t);
    for (int n = 0; n < all.count(); n++) {
      if (all.close(n) >= 0) {
        launched.put(all.open(n), all.close(n) + 3);
        Arguments.between(t, all.open(n) + 3, all.close(n)).stream()
            .limit(2)
            .forEach(a -> value("dim3", a));
      }
    }
  }

  /** A value that must have the type. */
  private void value(String to, Arguments.Span a) {
    int first = a.first();
    String from = first == a.last() ? types.of(first) : "";
    boolean made = to.equals("dim3") && t.is(first, "make_uint3") && t.match(first + 1) == a.last();
    if (made) {
      f.changes.edit(Edit.replace(t.start(first), t.end(first), "dim3", RULE));
    } else if (to.equals("dim3") && from.equals("uint3")) {
      convert("dim3", first);
    } else if (to.equals("uint3") && (from.equals("dim3") || isIndex(a))) {
      convert("make_uint3", first);
    }
  }

  /** A built-in variable of kernels, which HIP converts to {@code dim3} only. */
  private boolean isIndex(Arguments.Span a) {
    return a.first() == a.last() && BuiltinVariablePass.TYPES.containsKey(t.text(a.first()));
  }

  /**
   * {@code blockIdx * make_uint3(x, y, z)} and {@code blockIdx * blockDim}, with an operator of the
   * project for {@code uint3}.
   */
  private void operand(int i) {
    boolean right =
        isOperator(i + 1)
            && (t.is(i + 2, "make_uint3")
                || isIndexOperand(i + 2)
                || (types.of(i + 2).equals("uint3") && !t.is(i + 3, '.')));
    int left = t.is(i - 2, ')') ? t.match(i - 2) - 1 : i - 2;
    boolean before =
        isOperator(i - 1)
            && (t.is(left, "make_uint3")
                || isIndexOperand(i - 2)
                || isIndexProduct(i - 2)
                || (left == i - 2 && types.of(left).equals("uint3") && !t.is(left - 1, '.')));
    if ((right || before) && !t.is(i + 1, '.') && !f.isQualified(i)) {
      convert("make_uint3", i);
    }
  }

  /** A whole index variable, where no operator of the project takes a {@code dim3}. */
  private boolean isIndexOperand(int i) {
    return t.isIdentifier(i)
        && BuiltinVariablePass.TYPES.containsKey(t.text(i))
        && !t.is(i + 1, '.')
        && !f.isQualified(i)
        && hasOperators(f.project);
  }

  /** {@code (blockIdx * blockDim)}, by its last bracket. */
  private boolean isIndexProduct(int close) {
    int open = t.is(close, ')') ? t.match(close) : -1;
    return open >= 0
        && !t.isIdentifier(open - 1)
        && isIndexOperand(open + 1)
        && isOperator(open + 2)
        && isIndexOperand(open + 3)
        && open + 4 == close;
  }

  private boolean isOperator(int i) {
    return t.is(i, '+') || t.is(i, '-') || t.is(i, '*') || t.is(i, '/') || t.is(i, '%');
  }

  /** {@code a = make_uint3(x, y, z)} and {@code a = b}, also as initializers. */
  private void assignment(int i) {
    boolean declares = types.isDeclared(i - 1);
    String to = declares ? types.ofDeclared(i - 1) : types.of(i - 1);
    value(to, new Arguments.Span(i + 1, Statements.expressionEnd(t, i + 1) - 1));
  }

  /** {@code dim3 a(b)} and {@code dim3(b)}. */
  private void construction(int i) {
    boolean single = t.isIdentifier(i + 1) && t.is(i + 2, ')');
    boolean made = t.is(i - 1, "dim3") && isType(i - 1);
    if (single
        && (made || types.ofDeclared(i - 1).equals("dim3"))
        && types.of(i + 1).equals("uint3")) {
      String b = t.text(i + 1);
      f.changes.edit(Edit.after(t.end(i + 1), ".x, %s.y, %s.z".formatted(b, b), RULE));
    }
  }

  private void convert(String function, int object) {
    String b = t.text(object);
    String text = "%s(%s.x, %s.y, %s.z)".formatted(function, b, b, b);
    f.changes.edit(Edit.replace(t.start(object), t.end(object), text, RULE));
  }

  /** True if token {@code i} is one of the types of CUDA. */
  private boolean isType(int i) {
    return (t.is(i, "dim3") || t.is(i, "uint3")) && !f.isQualified(i);
  }

  /** True if the file has a type of its own with this name. */
  private boolean isDefined(String name) {
    for (int i = 1; i < t.count(); i++) {
      if (!t.is(i, name)) {
        continue;
      }
      boolean alias = t.is(i - 1, "using") && t.is(i + 1, '=');
      boolean old = t.is(i + 1, ';') && t.is(Statements.start(t, i), "typedef");
      boolean type = t.is(i - 1, "struct") || t.is(i - 1, "class") || t.is(i - 1, "union");
      boolean macro = t.is(i - 1, "define");
      if (alias || old || macro || (type && !t.isIdentifier(i + 1))) {
        return true;
      }
    }
    return false;
  }
}
