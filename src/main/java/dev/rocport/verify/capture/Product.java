package dev.rocport.verify.capture;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * A matrix product that hipBLAS computes: out = beta * added + alpha * left * right.
 *
 * @param added empty for none
 */
record Product(Optional<View> added, View left, View right, View out, double alpha, double beta) {
  private static final Set<String> PLAIN =
      Set.of("aten::mm.out", "aten::bmm.out", "aten::mm", "aten::bmm");
  private static final Set<String> ADDING =
      Set.of("aten::addmm.out", "aten::baddbmm.out", "aten::addmm", "aten::baddbmm");

  /** The product that a call of an operator is; empty for another operator. */
  static Optional<Product> of(Step.Call call, Path file, List<Long> buffers) {
    boolean adds = ADDING.contains(call.operator());
    if ((!adds && !PLAIN.contains(call.operator())) || call.results().size() != 1) {
      return Optional.empty();
    }
    int first = adds ? 1 : 0;
    View left = PlanReader.view(call.arguments().path(first), file, buffers);
    View right = PlanReader.view(call.arguments().path(first + 1), file, buffers);
    View out = call.results().getFirst();
    switch (out.type()) {
      case F64, F32, F16, BF16 -> {}
      default -> {
        return Optional.empty();
      }
    }
    if (left.type() != out.type()
        || right.type() != out.type()
        || left.size().size() != out.size().size()
        || right.size().size() != out.size().size()
        || out.size().size() < 2) {
      return Optional.empty();
    }
    return Optional.of(
        new Product(
            adds
                ? Optional.of(PlanReader.view(call.arguments().path(0), file, buffers))
                : Optional.empty(),
            left,
            right,
            out,
            factor(call.options().path("alpha")),
            adds ? factor(call.options().path("beta")) : 0));
  }

  private static double factor(JsonNode node) {
    return node.isNumber() ? node.asDouble() : 1;
  }
}
