package dev.rocport.lang.python;

import dev.rocport.lang.python.syntax.Argument;
import dev.rocport.lang.python.syntax.Expr;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An operator that works on symmetric memory, as a rule gives it: {@code NAME(ARGUMENT, ...)}, with
 * marks after the arguments: {@code *} needs symmetric memory, {@code !} is written, {@code ~} is
 * left in place by Inductor; followed by {@code breaks} if {@code torch.compile} cannot trace the
 * operator.
 *
 * @param name with its namespace, as {@code symm_mem.one_shot_all_reduce}
 * @param copies whether Inductor copies what it does not allocate; it only warns otherwise
 */
record Collective(String name, List<Parameter> parameters, boolean breaks, boolean copies) {
  /** The name of the parameter for the process group, which Inductor looks for. */
  static final String GROUP = "group_name";

  /**
   * One of its parameters.
   *
   * @param symmetric whether it must be in symmetric memory
   */
  record Parameter(String name, boolean symmetric, boolean written, boolean left) {}

  static Collective of(String text) {
    int open = text.indexOf('(');
    int close = text.lastIndexOf(')');
    if (open < 0 || close < open) {
      throw new IllegalArgumentException("no operator with its arguments: " + text);
    }
    List<Parameter> parameters = new ArrayList<>();
    for (String p : text.substring(open + 1, close).split(",", -1)) {
      String word = p.strip();
      parameters.add(
          new Parameter(
              word.replaceAll("[*!~]", ""),
              word.contains("*"),
              word.contains("!"),
              word.contains("~")));
    }
    boolean breaks = text.substring(close + 1).strip().equals("breaks");
    return new Collective(text.substring(0, open).strip(), List.copyOf(parameters), breaks, true);
  }

  /** The name without its namespace. */
  String shortName() {
    return name.substring(name.lastIndexOf('.') + 1);
  }

  /** What a call gives for a parameter; null if that is not seen. */
  @Nullable Expr given(Expr.Call call, Parameter parameter) {
    Argument a = PythonTree.keyword(call, parameter.name());
    if (a == null) {
      a = PythonWork.positional(call, parameters.indexOf(parameter));
    }
    return a == null ? null : a.value();
  }
}
