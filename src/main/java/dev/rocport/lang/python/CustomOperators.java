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
      Pattern.compile("\\s*(?:(\\w+)::)?(\\w+)\\s*\\((.*)\\)\\s*->.*");

  private final PythonWork w;
  private final Map<String, Operator> operators = new LinkedHashMap<>();

  /** One of its parameters, as {@code Tensor input}. */
  record Typed(String type, String name) {}

  /**
   * An operator.
   *
   * @param at the statement that defines it
   * @param library what the file calls its {@code Library}; empty for a {@code custom_op}
   * @param parameters in order
   * @param bodies what implements it for devices, in order
   * @param keys dispatch keys of its implementations
   * @param flags what else is known: {@code unseen}, {@code kernel}, {@code registered}
   */
  record Operator(
      String space,
      String name,
      Stmt at,
      String library,
      List<Typed> parameters,
      List<Stmt.Function> bodies,
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
      return bodies.size() == 1 && flags.isEmpty() && !composite();
    }
  }

  CustomOperators(PythonWork w) {
    this.w = w;
    List<At> all = w.tree().all();
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
    String text = first == null ? "" : w.tree().string(first.value(), at.scope()).orElse("");
    String name = w.qualified(c.function(), at);
    if (name.equals(LIBRARY + "custom_op")) {
      Stmt.Function f = decorated(c, at);
      int colons = text.indexOf("::");
      if (f != null && colons > 0 && PythonTree.keyword(c, "schema") == null) {
        put(text.substring(0, colons), text.substring(colons + 2), f, "", signature(f))
            .bodies()
            .add(f);
      }
    } else if (c.function() instanceof Expr.Attribute a && a.name().equals("define")) {
      String space = space(a.base(), at);
      Matcher m = SCHEMA.matcher(text);
      if (!space.isEmpty() && m.matches() && at.statement().node() instanceof Stmt s) {
        put(space, m.group(2), s, w.tree().text(a.base()), schema(m.group(3)));
      }
    }
  }

  private Operator put(String space, String name, Stmt at, String library, List<Typed> parameters) {
    Operator o =
        new Operator(
            space,
            name,
            at,
            library,
            parameters,
            new ArrayList<>(),
            new LinkedHashSet<>(),
            new LinkedHashSet<>());
    operators.put(o.full(), o);
    return o;
  }

  /** The namespace of what is a {@code Library}; empty if it is none. */
  private String space(Expr x, At at) {
    if (w.tree().resolved(x, at.scope()) instanceof Expr.Call c
        && w.qualified(c.function(), at).equals(LIBRARY + "Library")) {
      Argument first = PythonWork.positional(c, 0);
      return first == null ? "" : w.tree().string(first.value(), at.scope()).orElse("");
    }
    return "";
  }

  private List<Typed> signature(Stmt.Function f) {
    return f.parameters().stream()
        .filter(p -> !p.name().isEmpty())
        .map(p -> new Typed(p.annotation().map(w.tree()::text).orElse(""), p.name()))
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
    String name = w.qualified(c.function(), at);
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
      body(operators.get(what), decorated(c, at), text(key, at));
    } else if (c.function() instanceof Expr.Attribute a && a.name().equals("impl")) {
      String space = space(a.base(), at);
      Argument second = PythonWork.positional(c, 1);
      Argument key = PythonWork.positional(c, 2);
      if (key == null) {
        key = PythonTree.keyword(c, "dispatch_key");
      }
      Expr f = second == null ? null : second.value();
      body(
          operators.get(space + "." + text(PythonWork.positional(c, 0), at)),
          f == null ? null : function(f, at),
          text(key, at));
    } else if (c.function() instanceof Expr.Attribute a
        && (a.name().equals("register_kernel") || a.name().equals("register_symm_mem_args"))) {
      registered(c, a, at);
    } else if (name.equals(LIBRARY + "register_kernel")) {
      flag(text(PythonWork.positional(c, 0), at).replace("::", "."), "kernel");
    }
  }

  private void registered(Expr.Call c, Expr.Attribute a, At at) {
    if (a.name().equals("register_symm_mem_args")) {
      String what = text(PythonWork.positional(c, 0), at).replace("::", ".");
      flag(what.contains(".") ? what : space(a.base(), at) + "." + what, "registered");
      return;
    }
    for (Operator o : operators.values()) {
      if (o.at() instanceof Stmt.Function f && w.tree().text(a.base()).equals(f.name())) {
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
    return a == null ? "" : w.tree().string(a.value(), at.scope()).orElse("");
  }

  private static void body(@Nullable Operator o, Stmt.@Nullable Function f, String key) {
    if (o == null || key.equals("Meta")) {
      return;
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
