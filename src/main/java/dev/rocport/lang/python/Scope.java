package dev.rocport.lang.python;

import dev.rocport.lang.python.syntax.Expr;
import dev.rocport.lang.python.syntax.Node;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Names that a module, class, function or comprehension binds. */
final class Scope {
  /** What a name is bound to. */
  sealed interface Binding {
    /** Where it is bound. */
    Node at();
  }

  /** To a module or to what a module holds, by its full name, with dots before a relative one. */
  record Imported(String qualified, Node at) implements Binding {}

  /** To the value of an expression. */
  record Value(Expr value, Scope scope, Node at) implements Binding {}

  /** To anything else: a parameter, a function, an item. */
  record Other(Node at) implements Binding {}

  final @Nullable Scope parent;
  final boolean isClass;
  private final Map<String, List<Binding>> names = new HashMap<>();
  private final Set<String> elsewhere = new HashSet<>();

  Scope(@Nullable Scope parent, boolean isClass) {
    this.parent = parent;
    this.isClass = isClass;
  }

  void bind(String name, Binding binding) {
    Scope s = this;
    if (elsewhere.contains(name)) {
      s = module();
    }
    s.names.computeIfAbsent(name, n -> new ArrayList<>()).add(binding);
  }

  /** The names of a {@code global} or {@code nonlocal}. */
  void leave(List<String> to) {
    elsewhere.addAll(to);
  }

  Scope module() {
    Scope s = this;
    while (s.parent != null) {
      s = s.parent;
    }
    return s;
  }

  /** True in code that runs when the module is imported. */
  boolean isAtImport() {
    Scope s = this;
    while (s.parent != null && s.isClass) {
      s = s.parent;
    }
    return s.parent == null;
  }

  /** The bindings of a name as code in this scope sees it; empty for builtins. */
  List<Binding> lookup(String name) {
    List<Binding> own = elsewhere.contains(name) ? null : names.get(name);
    if (own != null) {
      return own;
    }
    for (Scope s = parent; s != null; s = s.parent) {
      List<Binding> found = s.isClass ? null : s.names.get(name);
      if (found != null) {
        return found;
      }
    }
    return List.of();
  }

  /** All bindings in this very scope, by name. */
  Map<String, List<Binding>> own() {
    return names;
  }

  /** Bindings in this very scope. */
  List<Binding> own(String name) {
    return names.getOrDefault(name, List.of());
  }

  /** What the name is bound to if that is one thing only; null otherwise. */
  @Nullable Binding single(String name) {
    List<Binding> all = lookup(name);
    return all.size() == 1 ? all.getFirst() : null;
  }
}
