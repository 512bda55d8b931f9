package dev.rocport.warp.ir;

import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.eclipse.cdt.core.dom.ast.IASTPreprocessorFunctionStyleMacroDefinition;
import org.eclipse.cdt.core.dom.ast.IASTPreprocessorIfndefStatement;
import org.eclipse.cdt.core.dom.ast.IASTPreprocessorMacroDefinition;
import org.eclipse.cdt.core.dom.ast.IASTPreprocessorStatement;
import org.eclipse.cdt.core.dom.ast.IASTTranslationUnit;

/** Collects the constants of a file by name; a name with several values has none. */
final class ConstantTable {
  private final Map<String, Optional<Expr>> values = new TreeMap<>();

  Map<String, Optional<Expr>> values() {
    return values;
  }

  /** Returns whether a constant has this name, even if its value is not known. */
  boolean has(String name) {
    return values.containsKey(name);
  }

  /** Adds the macros without parameters that a file defines. */
  void macros(IASTTranslationUnit unit) {
    Set<String> given = maybeGiven(unit);
    for (IASTPreprocessorMacroDefinition m : unit.getMacroDefinitions()) {
      if (!(m instanceof IASTPreprocessorFunctionStyleMacroDefinition)) {
        String body = m.getExpansion();
        if (body != null && body.length() < 80 && !body.isBlank()) {
          Expr x = ConstantText.parse(body);
          if (x != null) {
            constant(m.getName().toString(), x, given.contains(m.getName().toString()));
          }
        }
      }
    }
  }

  /** Adds a constant, without the places in its value: text before it may move them. */
  void constant(String name, Expr placed) {
    Expr value = Placeless.of(placed);
    Optional<Expr> known = values.get(name);
    boolean same =
        known == null
            || (known.isPresent()
                && Constants.of(known.get(), this::constantOf)
                    .equals(Constants.of(value, this::constantOf)));
    values.put(name, same ? Optional.of(value) : Optional.empty());
  }

  private void constant(String name, Expr value, boolean given) {
    boolean warp = Constants.of(value, this::constantOf).equals(Optional.of(32L));
    if (given && !warp) {
      values.put(name, Optional.empty());
    } else {
      constant(name, value);
    }
  }

  /** Returns macros that a build may define itself, since {@code #ifndef} is around them. */
  private static Set<String> maybeGiven(IASTTranslationUnit unit) {
    Set<String> names = new HashSet<>();
    for (IASTPreprocessorStatement s : unit.getAllPreprocessorStatements()) {
      if (s instanceof IASTPreprocessorIfndefStatement i && i.getMacroReference() != null) {
        names.add(i.getMacroReference().toString());
      }
    }
    return names;
  }

  private Optional<Expr> constantOf(String name) {
    return values.getOrDefault(name, Optional.empty());
  }
}
