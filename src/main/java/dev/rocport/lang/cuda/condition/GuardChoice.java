package dev.rocport.lang.cuda.condition;

import java.util.List;

/**
 * The macro definitions that are equivalent to rewriting the conditions of a conditional on CUDA
 * macros: with them, the original conditions select the same branch.
 *
 * @param start offset of the chain's first {@code #}
 * @param defines by name of the macro
 * @param exact whether these macros do select the same; if not, only the rewritten text does
 */
public record GuardChoice(int start, List<Define> defines, boolean exact) {
  /**
   * A macro with a value.
   *
   * @param when name of a macro that must be defined for it; empty for always
   */
  public record Define(String macro, String when, String value) {}

  public GuardChoice {
    defines = List.copyOf(defines);
  }
}
