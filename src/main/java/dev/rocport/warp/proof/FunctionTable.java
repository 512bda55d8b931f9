package dev.rocport.warp.proof;

import dev.rocport.warp.ir.Expr;
import dev.rocport.warp.ir.Function;
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
   * @param constants what names stand for; empty where files do not agree
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
    List<Function> fit =
        known.stream()
            .filter(f -> arguments <= f.parameters().size())
            .filter(
                f -> f.parameters().stream().skip(arguments).allMatch(p -> p.init().isPresent()))
            .toList();
    return fit.size() == 1 ? Optional.of(fit.getFirst()) : Optional.empty();
  }

  Optional<Expr> constant(String name) {
    return constants.getOrDefault(name, Optional.empty());
  }
}
