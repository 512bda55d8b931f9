package dev.rocport.lang.cuda.condition;

import java.util.List;

/**
 * A conditional on CUDA's macros whose conditions a port rewrites, told in another way: the macros
 * that would make the original conditions select the same.
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
