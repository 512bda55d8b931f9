package dev.rocport.warp.proof;

import dev.rocport.warp.ir.Expr;
import dev.rocport.warp.ir.Function;
import dev.rocport.warp.ir.Variable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The functions and constants of a project, by name. The functions change as files do. */
public final class FunctionTable {
  /** Gives the values of constants. */
  public interface Constants {
    /** Returns the value of a name; empty if there is none, or if files disagree. */
    Optional<Expr> of(String name);
  }

  private final Map<String, List<Function>> functions = new HashMap<>();
  private final Constants constants;

  public FunctionTable(Constants constants) {
    this.constants = constants;
  }

  public void add(Function f) {
    functions.computeIfAbsent(f.name(), k -> new ArrayList<>(1)).add(f);
  }

  /** Takes a function away that was added. */
  @SuppressWarnings("ReferenceEquality") // another file may have an equal one
  public void remove(Function f) {
    List<Function> known = functions.get(f.name());
    if (known != null && known.removeIf(g -> g == f) && known.isEmpty()) {
      functions.remove(f.name());
    }
  }

  /** Returns a copy of the functions with a name. */
  public List<Function> named(String name) {
    return List.copyOf(functions.getOrDefault(name, List.of()));
  }

  /** Returns whether some call by a name means another function now than it did before. */
  public boolean answersOtherwise(String name, List<Function> before) {
    List<Function> now = functions.getOrDefault(name, List.of());
    if (now.isEmpty() != before.isEmpty()) {
      return true;
    }
    int most = 0;
    for (List<Function> all : List.of(now, before)) {
      for (Function f : all) {
        most = Math.max(most, f.parameters().size());
      }
    }
    for (int arguments = 0; arguments <= most; arguments++) {
      if (!fit(now, arguments).equals(fit(before, arguments))) {
        return true;
      }
    }
    return false;
  }

  boolean knows(String name) {
    return functions.containsKey(name);
  }

  /** The one function that such a call can mean. */
  Optional<Function> find(String name, int arguments) {
    return fit(functions.getOrDefault(name, List.of()), arguments);
  }

  private static Optional<Function> fit(List<Function> known, int arguments) {
    Function fit = null;
    for (Function f : known) {
      if (takes(f, arguments)) {
        if (fit != null) {
          return Optional.empty();
        }
        fit = f;
      }
    }
    return Optional.ofNullable(fit);
  }

  private static boolean takes(Function f, int arguments) {
    List<Variable> parameters = f.parameters();
    for (int i = arguments; i < parameters.size(); i++) {
      if (parameters.get(i).init().isEmpty()) {
        return false;
      }
    }
    return arguments <= parameters.size();
  }

  Optional<Expr> constant(String name) {
    return constants.of(name);
  }
}
