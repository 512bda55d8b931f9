package dev.rocport.warp.proof;

import dev.rocport.warp.ir.Expr;
import dev.rocport.warp.ir.Function;
import dev.rocport.warp.ir.NameSet;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Answers what one interpretation asks of the project, and notes the names that it asked for. */
final class Lookups {
  private final FunctionTable table;
  private final Set<String> names = new HashSet<>();

  Lookups(FunctionTable table) {
    this.table = table;
  }

  /** The names so far: with the same answers for them, the interpretation is the same. */
  NameSet names() {
    return NameSet.of(names);
  }

  boolean knows(String name) {
    names.add(name);
    return table.knows(name);
  }

  Optional<Function> find(String name, int arguments) {
    names.add(name);
    return table.find(name, arguments);
  }

  Optional<Expr> constant(String name) {
    names.add(name);
    return table.constant(name);
  }
}
