package dev.rocport.lang.python;

import dev.rocport.lang.python.CustomOperators.Operator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Registers with Inductor the arguments that operators of a file pass to collectives on symmetric
 * memory, if the version of torch supports it.
 */
final class SymmetricRegistration {
  private static final String RULE = "PY-SYMM-MEM-ARGS";
  private static final String REGISTER = "register_symm_mem_args";

  private final PythonWork w;
  private final SymmetricArguments arguments;

  SymmetricRegistration(PythonWork w, SymmetricArguments arguments) {
    this.w = w;
    this.arguments = arguments;
  }

  /** Registers each operator that can be, and returns the names of those that are not. */
  Set<String> run(CustomOperators operators) {
    Set<String> left = new TreeSet<>();
    for (Operator o : operators.all()) {
      SymmetricArguments.Handed handed = arguments.of(o);
      if (handed.isNothing()) {
        continue;
      }
      if (o.parameters().stream().noneMatch(SymmetricArguments::isGroup)) {
        w.review(
            o.at(),
            RULE,
            o.full()
                + " passes "
                + String.join(", ", handed.names())
                + " to a collective on symmetric memory, but its schema has no argument \"str"
                + " group_name\": without one, Inductor silently skips the registration (torch"
                + " 2.13, 2.14)");
      } else if (!o.flags().contains("registered") && !(register(o, handed) && w.allows(RULE))) {
        left.add(o.full());
      }
    }
    return left;
  }

  private boolean register(Operator o, SymmetricArguments.Handed handed) {
    String whyNot = SymmetricArguments.whyNot(o, handed);
    if (!whyNot.isEmpty()) {
      w.review(
          o.at(),
          RULE,
          o.full()
              + " passes "
              + String.join(", ", handed.names())
              + " to a collective on symmetric memory; it is not"
              + " registered: "
              + whyNot);
      return false;
    }
    String list = "[\"" + String.join("\", \"", handed.always()) + "\"]";
    List<String> lines;
    String owner;
    if (o.library().isEmpty()) {
      String variable = "_symm_mem_" + o.name();
      owner = "torch.library.Library";
      lines =
          List.of(
              variable + " = torch.library.Library(\"" + o.space() + "\", \"FRAGMENT\")",
              variable + "." + REGISTER + "(\"" + o.name() + "\", " + list + ")");
    } else {
      owner = o.library();
      lines = List.of(owner + "." + REGISTER + "(\"" + o.name() + "\", " + list + ")");
    }
    At at = w.tree().at(o.at());
    if (w.tree().isDecided(at)) {
      return false;
    }
    String why =
        o.library().isEmpty() && !isModuleWithTorch(at)
            ? "it is not defined at module level after import torch"
            : w.gates().behind(at, "hasattr(" + owner + ", \"" + REGISTER + "\")", "", lines, RULE);
    if (!why.isEmpty()) {
      w.review(o.at(), RULE, o.full() + " is not registered: " + why);
      return false;
    }
    return true;
  }

  /** A library that is a local variable would be gone, and its registration with it. */
  private boolean isModuleWithTorch(At at) {
    return at.parent() == null
        && w.tree().isOnlyTorch()
        && w.tree().module().own("torch").stream()
            .anyMatch(b -> w.tree().body().contains(b.at()) && b.at().end() < at.node().start());
  }
}
