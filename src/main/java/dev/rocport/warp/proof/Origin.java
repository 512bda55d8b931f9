package dev.rocport.warp.proof;

import dev.rocport.warp.ir.Span;
import java.util.List;

/**
 * Where a constant stands, and the variables it went through.
 *
 * @param text how it is written there
 * @param variables in the order met
 * @param uses where those are named
 */
record Origin(
    String path, Span at, String text, List<VariableKey> variables, List<Trace.Place> uses) {
  static final Origin NOWHERE = new Origin("", new Span(0, 0, false), "", List.of(), List.of());
}
