package dev.rocport.warp.proof;

import dev.rocport.warp.ir.Span;
import java.util.List;

/**
 * The location of a constant, and the variables through which it passed.
 *
 * @param text its text there
 * @param variables in the order met
 * @param uses where these variables are named
 */
record Origin(
    String path, Span at, String text, List<VariableKey> variables, List<Trace.Place> uses) {
  static final Origin NOWHERE = new Origin("", new Span(0, 0, false), "", List.of(), List.of());
}
