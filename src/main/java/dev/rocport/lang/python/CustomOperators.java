package dev.rocport.lang.python;

import dev.rocport.lang.python.syntax.Argument;
import dev.rocport.lang.python.syntax.Expr;
import dev.rocport.lang.python.syntax.Parameter;
import dev.rocport.lang.python.syntax.Stmt;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The operators that a file defines with {@code torch.library}. */
final class CustomOperators {
  private static final String LIBRARY = "torch.library.";
  private static final Pattern SCHEMA =
      Pattern.compile("\\s*(?:(\\w+)::)?(\\w+)\\s*\\((.*)\\)\\s*->\\s*(.*?)\\s*");

  /** The flag of an operator that has an out variant. */
  static final String OUT = "out";

  private final PythonTree tree;
  private final Map<String, Operator> operators = new LinkedHashMap<>();

  /** One of its parameters, as {@code Tensor input}. */
  record Typed(String type, String name) {}

  /**
   * An operator.
   *
   * @param at the statement that defines it
   * @param library what the file calls its {@code Library}; empty for a {@code custom_op}
   * @param parameters in order
   * @param returnsTensor whether its result is one tensor
   * @param bodies what implements it for devices, in order
   * @param seats where it is given its implementations, in order
   * @param keys dispatch keys of its implementations
   * @param flags what else is known: {@code unseen}, {@code kernel}, {@code registered}, {@code
   *     out}
   */
  record Operator(
      String space,
      String name,
      Stmt at,
      String library,
      List<Typed> parameters,
      boolean returnsTensor,
      List<Stmt.Function> bodies,
      List<Seat> seats,
      Set<String> keys,
      Set<String> flags) {
    String full() {
      return space + "." + name;
    }

    /** True if PyTorch looks into it instead of calling it. */
    boolean composite() {
      return keys.contains("CompositeImplicitAutograd");
    }

    /** True if all that implements it is seen, and that is one function. */
    boolean isWhole() {
      return bodies.size() == 1
          && flags.stream().allMatch(Set.of(OUT, "registered")::contains)
          && !composite();
    }
  }

  /**
   * Where an operator gets an implementation.
   *
   * @param at the statement, after which the operator can be called
   * @param code the function, or what a function definition is decorated with; null if that is not
   *     seen
   */
  record Seat(Stmt at, @Nullable Expr code) {}

  CustomOperators(PythonTree tree) {
    this.tree = tree;
    List<At> all = tree.all();
    for (At at : all) {
      if (at.node() instanceof Expr.Call c) {
        define(c, at);
      }
    }
    for (At at : all) {
      if (at.node() instanceof Expr.Call c) {
        implement(c, at);
      }
    }
  }

  List<Operator> all() {
    return List.copyOf(operators.values());
  }

  /** Those that PyTorch calls as a whole, as {@code torch.ops.space.name}. */
  Set<String> names() {
    Set<String> names = new LinkedHashSet<>();
    for (Operator o : operators.values()) {
      if (!o.composite()) {
        names.add("torch.ops." + o.full());
      }
    }
    return names;
  }

  // ---- definitions

  private void define(Expr.Call c, At at) {
    Argument first = PythonWork.positional(c, 0);
    String text = first == null ? "" : tree.string(first.value(), at.scope()).orElse("");
    Expr function = plain(c.function(), tree);
    String name = tree.qualified(function, at.scope());
    if (name.equals(LIBRARY + "custom_op")) {
      Stmt.Function f = decorated(c, at);
      int colons = text.indexOf("::");
      if (f != null && colons > 0 && PythonTree.keyword(c, "schema") == null) {
        boolean one =
            f.returns().filter(r -> tree.text(r).matches("(torch\\.)?Tensor")).isPresent();
        Operator o =
            put(text.substring(0, colons), text.substring(colons + 2), f, "", signature(f), one);
        o.bodies().add(f);
        o.seats().add(new Seat(f, function));
      }
    } else if (c.function() instanceof Expr.Attribute a && a.name().equals("define")) {
      String space = space(a.base(), at);
      Matcher m = SCHEMA.matcher(text);
      if (!space.isEmpty() && m.matches() && at.statement().node() instanceof Stmt s) {
        boolean one = m.group(4).equals("Tensor");
        put(space, m.group(2), s, tree.text(a.base()), schema(m.group(3)), one);
      }
    }
  }

  private Operator put(
      String space,
      String name,
      Stmt at,
      String library,
      List<Typed> parameters,
      boolean returnsTensor) {
    Operator o =
        new Operator(
            space,
            name,
            at,
            library,
            parameters,
            returnsTensor,
            new ArrayList<>(),
            new ArrayList<>(),
            new LinkedHashSet<>(),
            new LinkedHashSet<>());
    if (operators.put(o.full(), o) != null) {
      o.flags().add("unseen"); // it is defined twice
    }
    return o;
  }

  /** The namespace of what is a {@code Library}; empty if it is none. */
  private String space(Expr x, At at) {
    if (tree.resolved(x, at.scope()) instanceof Expr.Call c
        && tree.qualified(c.function(), at.scope()).equals(LIBRARY + "Library")) {
      Argument first = PythonWork.positional(c, 0);
      return first == null ? "" : tree.string(first.value(), at.scope()).orElse("");
    }
    return "";
  }

  private List<Typed> signature(Stmt.Function f) {
    return f.parameters().stream()
        .filter(p -> !p.name().isEmpty())
        .map(p -> new Typed(p.annotation().map(tree::text).orElse(""), p.name()))
        .toList();
  }

  private static List<Typed> schema(String inner) {
    List<Typed> list = new ArrayList<>();
    int depth = 0;
    StringBuilder one = new StringBuilder();
    for (char c : (inner + ",").toCharArray()) {
      depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
      if (c != ',' || depth > 0) {
        one.append(c);
        continue;
      }
      String said = one.toString().split("=", 2)[0].strip();
      int space = said.lastIndexOf(' ');
      if (space > 0) {
        list.add(new Typed(said.substring(0, space).strip(), said.substring(space + 1)));
      }
      one.setLength(0);
    }
    return list;
  }

  // ---- implementations

  private void implement(Expr.Call c, At at) {
    String name = tree.qualified(c.function(), at.scope());
    if (name.equals(LIBRARY + "impl")) {
      // impl(lib, "name", "key"), impl("space::name", types), as decorator or with func
      Argument first = PythonWork.positional(c, 0);
      Argument second = PythonWork.positional(c, 1);
      if (first == null) {
        return;
      }
      String space = space(first.value(), at);
      String what =
          space.isEmpty() ? text(first, at).replace("::", ".") : space + "." + text(second, at);
      Argument key = space.isEmpty() ? second : PythonWork.positional(c, 2);
      Stmt.Function f = decorated(c, at);
      body(operators.get(what), f, text(key, at), f, null);
    } else if (c.function() instanceof Expr.Attribute a && a.name().equals("impl")) {
      String space = space(a.base(), at);
      Argument second = PythonWork.positional(c, 1);
      Argument key = PythonWork.positional(c, 2);
      if (key == null) {
        key = PythonTree.keyword(c, "dispatch_key");
      }
      Expr f = second == null ? null : plain(second.value(), tree);
      body(
          operators.get(space + "." + text(PythonWork.positional(c, 0), at)),
          f == null ? null : function(f, at),
          text(key, at),
          at.statement().node() instanceof Stmt here ? here : null,
          f);
    } else if (c.function() instanceof Expr.Attribute a
        && (a.name().equals("register_kernel") || a.name().equals("register_symm_mem_args"))) {
      registered(c, a, at);
    } else if (name.equals(LIBRARY + "register_kernel")) {
      flag(text(PythonWork.positional(c, 0), at).replace("::", "."), "kernel");
    } else if (name.endsWith("_rocm." + SymmetricResults.OUT_VARIANT)) {
      flag(text(PythonWork.positional(c, 0), at).replace("::", "."), OUT);
    } else if (c.function() instanceof Expr.Attribute a && a.name().equals("define")) {
      // A schema with an overload: name.out(...)
      String schema = text(PythonWork.positional(c, 0), at);
      int dot = schema.indexOf('.');
      if (dot > 0 && dot < schema.indexOf('(')) {
        flag(space(a.base(), at) + "." + schema.substring(0, dot).strip(), OUT);
      }
    }
  }

  private void registered(Expr.Call c, Expr.Attribute a, At at) {
    if (a.name().equals("register_symm_mem_args")) {
      String what = text(PythonWork.positional(c, 0), at).replace("::", ".");
      String space = space(a.base(), at);
      if (!what.contains(".") && space.isEmpty()) {
        // Of a library that is not known, such as one in a module that runs exec.
        operators.values().stream()
            .filter(o -> o.name().equals(what))
            .forEach(o -> o.flags().add("registered"));
      } else {
        flag(what.contains(".") ? what : space + "." + what, "registered");
      }
      return;
    }
    for (Operator o : operators.values()) {
      if (o.at() instanceof Stmt.Function f && tree.text(a.base()).equals(f.name())) {
        o.flags().add("kernel");
      }
    }
  }

  private void flag(String what, String flag) {
    Operator o = operators.get(what);
    if (o != null) {
      o.flags().add(flag);
    }
  }

  private String text(@Nullable Argument a, At at) {
    return a == null ? "" : tree.string(a.value(), at.scope()).orElse("");
  }

  private static void body(
      @Nullable Operator o,
      Stmt.@Nullable Function f,
      String key,
      @Nullable Stmt at,
      @Nullable Expr code) {
    if (o == null || key.equals("Meta")) {
      return;
    }
    if (at != null) {
      o.seats().add(new Seat(at, code));
    }
    o.keys().add(key.isEmpty() ? "CompositeImplicitAutograd" : key);
    if (f == null) {
      o.flags().add("unseen");
    } else {
      o.bodies().add(f);
    }
  }

  private static Stmt.@Nullable Function function(Expr x, At at) {
    return x instanceof Expr.Name n
            && at.scope().single(n.id()) instanceof Scope.Other o
            && o.at() instanceof Stmt.Function f
        ? f
        : null;
  }

  /** What an expression is without the gate that a port puts before it. */
  static Expr plain(Expr x, PythonTree tree) {
    return x instanceof Expr.Conditional c && tree.text(c.then()).startsWith("symm_mem_")
        ? c.otherwise()
        : x;
  }

  /** The function that a call decorates; null if it is not a decorator. */
  private static Stmt.@Nullable Function decorated(Expr.Call c, At at) {
    At up = at.parent();
    if (up != null && up.node() instanceof Stmt.Function f) {
      return f.decorators().stream().anyMatch(d -> Compiled.isSame(d, c)) ? f : null;
    }
    return null;
  }

  /** The schema's name for a parameter of an implementation; empty if there is none. */
  static String schemaName(Operator o, Stmt.Function body, Parameter p) {
    int index = body.parameters().indexOf(p);
    return index >= 0 && index < o.parameters().size() ? o.parameters().get(index).name() : "";
  }
}
