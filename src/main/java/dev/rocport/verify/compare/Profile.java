package dev.rocport.verify.compare;

import dev.rocport.verify.tensor.ElementType;
import java.util.Map;

/**
 * A named set of tolerances.
 *
 * @param name file name without its ending
 * @param title one line
 * @param rules by type; each type has one
 * @param nan what a NaN equals
 * @param signedZeros whether +0 and -0 differ where the rule is exact
 * @param badFraction the part of a tensor's elements that may break their rule
 * @param leastCosine of the angle between the tensors as vectors; -1 for any
 * @param greatestRelativeL2 norm of the difference over the expected norm; infinity for any
 */
public record Profile(
    String name,
    String title,
    Map<ElementType, ElementRule> rules,
    Nan nan,
    boolean signedZeros,
    double badFraction,
    double leastCosine,
    double greatestRelativeL2) {

  /** What a NaN equals. */
  public enum Nan {
    /** Any NaN. */
    EQUAL,
    /** Nothing. */
    UNEQUAL,
    /** A NaN of the same bits. */
    BITS
  }

  public Profile {
    rules = Map.copyOf(rules);
  }

  /** The rule for a type. */
  public ElementRule rule(ElementType type) {
    return rules.getOrDefault(type, new ElementRule.Exact());
  }
}
