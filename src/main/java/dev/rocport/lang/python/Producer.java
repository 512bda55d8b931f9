package dev.rocport.lang.python;

import dev.rocport.lang.python.syntax.Node;
import org.jspecify.annotations.Nullable;

/** Where a tensor comes from. */
sealed interface Producer {
  /** The place that makes it or passes it on. */
  Node at();

  /** Allocated as symmetric memory. */
  record Symmetric(Node at) implements Producer {}

  /** The result of an operator of PyTorch. */
  record BuiltIn(Node at) implements Producer {}

  /**
   * The result of an operator that PyTorch does not allocate for.
   *
   * @param operator its name
   */
  record Custom(Node at, String operator) implements Producer {}

  /**
   * Given from outside the function: a parameter, an attribute or a variable of the module.
   *
   * @param name what the function calls it
   * @param ordinary what allocates it in ordinary memory; null if that is not seen
   */
  record Outside(Node at, String name, @Nullable Producer ordinary) implements Producer {
    /** One whose allocation is not seen. */
    Outside(Node at, String name) {
      this(at, name, null);
    }
  }

  /** Not seen. */
  record Unknown(Node at) implements Producer {}
}
