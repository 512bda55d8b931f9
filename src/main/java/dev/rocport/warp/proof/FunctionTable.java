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
  private final Others others;

  /** Gives functions that were not added. */
  public interface Others {
    /** Returns the functions with a name of which none was added. */
    List<Function> named(String name);
  }

  public FunctionTable(Constants constants, Others others) {
    this.constants = constants;
    this.others = others;
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

  private List<Function> all(String name) {
    List<Function> added = functions.get(name);
    return added == null ? others.named(name) : added;
  }

  /** Returns whether a function was added that is at this place. */
  @SuppressWarnings("ReferenceEquality") // one at another place may be equal otherwise
  public boolean holds(Function f) {
    return all(f.name()).stream().anyMatch(g -> g == f);
  }

  boolean knows(String name) {
    return !all(name).isEmpty();
  }

  /** The one function that such a call can mean. */
  Optional<Function> find(String name, int arguments) {
    return fit(all(name), arguments);
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
