package dev.rocport.warp;

import dev.rocport.warp.ir.Function;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A function for the GPU. A kernel, or a function that nothing that is seen calls, is interpreted
 * for itself.
 */
final class Root {
  /** Kernels first, then by file and place in the file. */
  static final Comparator<Root> ORDER =
      Comparator.comparing((Root r) -> !r.function.kernel())
          .thenComparing(r -> r.function.path())
          .thenComparingInt(r -> r.number);

  private Function function;
  private final String key;
  private int number;
  private @Nullable Interpretation interpretation;

  Root(Function function) {
    this.function = function;
    this.key = function.key();
  }

  Function function() {
    return function;
  }

  /** Identifies the function in the project. */
  String key() {
    return key;
  }

  /**
   * Moves the function in its file.
   *
   * @param moved the same at its new place
   * @param n number of the function in its file
   */
  void move(Function moved, int n) {
    function = moved;
    number = n;
  }

  /** What the function shows; empty if it is not interpreted for itself, or not any more. */
  Optional<Interpretation> interpretation() {
    return Optional.ofNullable(interpretation);
  }

  void interpret(@Nullable Interpretation now) {
    interpretation = now;
  }

  /** Returns the keys of the functions that ran; none without an interpretation. */
  Set<String> reached() {
    Interpretation known = interpretation;
    return known == null ? Set.of() : known.functions().keySet();
  }
}
