package dev.rocport.lang.python;

import dev.rocport.io.TsvTable;
import dev.rocport.lang.python.syntax.Argument;
import dev.rocport.lang.python.syntax.Expr;
import dev.rocport.lang.python.syntax.Node;
import dev.rocport.lang.python.syntax.Parameter;
import dev.rocport.lang.python.syntax.Stmt;
import dev.rocport.rules.BuiltInText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Ports strings by which a Python build finds CUDA: programs, variables, folders, and files. {@code
 * python/setup.tsv} defines their ROCm form. The context decides: {@code "nvcc"} as a dictionary
 * key is a name of the project.
 */
final class SetupNames {
  private static final TsvTable TABLE = BuiltInText.table("python/setup.tsv", "kind\tname\trocm");
  private static final Map<String, Map<String, String>> NAMES = new LinkedHashMap<>();
  private static final List<Place> PLACES = new ArrayList<>();

  static {
    for (TsvTable.Row r : TABLE.rows()) {
      if (r.cell(0).equals("place")) {
        String name = r.cell(1).replace(".", "\\.").replace("*", "(?:-[\\d.]+)?");
        PLACES.add(new Place(Pattern.compile(name + "(?=[/\\s:;,]|$)"), r.cell(2)));
      } else {
        NAMES.computeIfAbsent(r.cell(0), k -> new LinkedHashMap<>()).put(r.cell(1), r.cell(2));
      }
    }
  }

  /** Names of functions that look for a program or a file, or put a path together. */
  private static final Pattern FINDS =
      Pattern.compile("(?i).*(join|which|find|locate|exists|isfile|isdir|path|executable|glob).*");

  private static final Set<String> READS = Set.of("get", "getenv", "pop", "setdefault", "putenv");

  private final PythonTree tree;
  private final RocmTexts texts;
  private final String rule;

  SetupNames(PythonTree tree, RocmTexts texts, String rule) {
    this.rule = rule;
    this.tree = tree;
    this.texts = texts;
  }

  private record Place(Pattern name, String rocm) {}

  private static Map<String, String> names(String kind) {
    return NAMES.getOrDefault(kind, Map.of());
  }

  void collect() {
    for (At at : tree.all()) {
      if (at.node() instanceof Expr.Text t && t.value().isPresent() && at.parent() != null) {
        rocm(t.value().get(), t, at).ifPresent(r -> texts.put(t, quoted(r), rule));
      }
    }
  }

  private Optional<String> rocm(String value, Expr.Text t, At at) {
    if (isKey(t, at) || parent(at) instanceof Stmt.Expression) {
      return Optional.empty();
    }
    String variable = names("variable").get(value);
    if (variable != null && isVariable(t, at)) {
      return Optional.of(variable);
    }
    for (Place p : PLACES) {
      Matcher m = p.name().matcher(value);
      if (m.find() && value.substring(0, m.start()).matches("|-[IL]|-isystem ?|-Wl,-rpath[,=]")) {
        return Optional.of(
            path(value.substring(0, m.start()) + p.rocm() + value.substring(m.end())));
      }
    }
    if (isProgram(value) && isPath(t, at, true)) {
      return Optional.of(path(value));
    }
    int slash = value.lastIndexOf('/');
    String name = value.substring(slash + 1);
    String file = names("file").get(name);
    if (file != null && isPath(t, at, false)) {
      return Optional.of(value.substring(0, slash + 1) + file);
    }
    if (names("folder").containsKey(name) && isPath(t, at, false) && isOfCuda(at)) {
      return Optional.of(value.substring(0, slash + 1) + names("folder").get(name));
    }
    return Optional.empty();
  }

  /** A path that ends in a CUDA program. */
  private static String path(String value) {
    int slash = value.lastIndexOf('/');
    String name = value.substring(slash + 1);
    return value.substring(0, slash + 1) + names("program").getOrDefault(name, name);
  }

  /** True for a CUDA program, with or without its folder. */
  static boolean isProgram(String value) {
    return names("program").containsKey(value.substring(value.lastIndexOf('/') + 1));
  }

  private static Node parent(At at) {
    return Objects.requireNonNull(at.parent()).node();
  }

  /** A name of the project's own: the key of a dictionary, or what is compared with one. */
  private boolean isKey(Expr.Text t, At at) {
    return switch (parent(at)) {
      case Expr.Dict d ->
          d.entries().stream().anyMatch(e -> e.key().isPresent() && e.key().get() == t);
      case Expr.Comparison c -> !isEnvironment(c.operands().getLast());
      case Expr.Subscript s -> s.index() == t && !isEnvironment(s.base());
      default -> false;
    };
  }

  private boolean isEnvironment(Expr x) {
    String text = tree.text(x);
    return text.endsWith("environ") || text.equals("env");
  }

  private boolean isVariable(Expr.Text t, At at) {
    return switch (parent(at)) {
      case Expr.Subscript s -> s.index() == t;
      case Expr.Comparison c -> true;
      case Expr.ListOf l -> true;
      case Expr.TupleOf l -> true;
      case Argument a -> a.isPositional() && reads(at) && isFirst(t, at);
      default -> false;
    };
  }

  /** True for a function by which variables are read. */
  static boolean reads(Expr.Attribute function) {
    return READS.contains(function.name());
  }

  /** True for an argument of a call that reads or sets a variable. */
  private boolean reads(At at) {
    return call(at) instanceof Expr.Call c
        && switch (c.function()) {
          case Expr.Attribute f ->
              READS.contains(f.name()) && (isEnvironment(f.base()) || f.name().endsWith("env"));
          case Expr.Name f -> READS.contains(f.id());
          default -> false;
        };
  }

  private static Expr call(At at) {
    At up = at.parent();
    return up != null && up.parent() != null && up.parent().node() instanceof Expr.Call c
        ? c
        : new Expr.Constant("", 0, 0);
  }

  private static boolean isFirst(Expr t, At at) {
    return call(at) instanceof Expr.Call c && c.arguments().getFirst().value() == t;
  }

  /** True if a string is a path, a part of a path, or, if requested, a program. */
  private boolean isPath(Expr.Text t, At at, boolean program) {
    return switch (parent(at)) {
      case Argument a when a.isPositional() ->
          (call(at) instanceof Expr.Call c && FINDS.matcher(last(c.function())).matches())
              || (reads(at) && !isFirst(t, at))
              || (program && isSetter(at));
      case Expr.Binary b -> (b.op().equals("/") || b.op().equals("+")) && b.right() == t;
      case Expr.ListOf l -> program && l.items().getFirst() == t && l.items().size() > 1;
      case Expr.TupleOf l -> program && l.items().getFirst() == t && l.items().size() > 1;
      case Expr.Logical l -> program;
      case Expr.Conditional c -> program && c.condition() != t;
      case Stmt.Assign s -> program && s.value().isPresent() && s.value().get() == t;
      case Parameter p -> program;
      default -> false;
    };
  }

  /** {@code compiler.set_executable("compiler_so", "nvcc")} and the like. */
  private static boolean isSetter(At at) {
    return call(at) instanceof Expr.Call c && last(c.function()).startsWith("set_executable");
  }

  private static String last(Expr function) {
    return switch (function) {
      case Expr.Name n -> n.id();
      case Expr.Attribute a -> a.name();
      default -> "";
    };
  }

  /** True if the statement, or the function around it, handles the CUDA folder. */
  private boolean isOfCuda(At at) {
    for (At a = at; a != null; a = a.parent()) {
      boolean names =
          switch (a.node()) {
            case Expr.Call c -> isCuda(tree.text(c));
            case Expr.Binary b -> isCuda(tree.text(b));
            case Stmt.Assign s -> isCuda(tree.text(s.targets().getFirst()));
            case Stmt.Function f -> isCuda(f.name());
            default -> false;
          };
      if (names) {
        return true;
      }
    }
    return false;
  }

  private static boolean isCuda(String text) {
    return text.toLowerCase(Locale.ROOT).contains("cuda");
  }

  static String quoted(String text) {
    return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
  }
}
