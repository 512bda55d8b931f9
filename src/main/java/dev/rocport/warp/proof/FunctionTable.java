package dev.rocport.warp.proof;

import dev.rocport.warp.ir.Expr;
import dev.rocport.warp.ir.Function;
import dev.rocport.warp.ir.Variable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The functions and constants of a project, by name. */
public final class FunctionTable {
  private final Map<String, List<Function>> functions = new HashMap<>();
  private final Map<String, Optional<Expr>> constants;

  /**
   * @param all functions of all files
   * @param constants the values of names; empty if files disagree
   */
  public FunctionTable(List<Function> all, Map<String, Optional<Expr>> constants) {
    all.forEach(f -> functions.computeIfAbsent(f.name(), k -> new ArrayList<>()).add(f));
    this.constants = constants;
  }

  boolean knows(String name) {
    return functions.containsKey(name);
  }

  /** The one function that such a call can mean. */
  Optional<Function> find(String name, int arguments) {
    List<Function> known = functions.get(name);
    if (known == null) {
      return Optional.empty();
    }
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
    return constants.getOrDefault(name, Optional.empty());
  }
}
