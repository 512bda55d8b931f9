package dev.rocport.warp.proof;

import dev.rocport.warp.ir.Span;
import java.util.List;

/**
 * Where a constant stands, and the variables it went through.
 *
 * @param text how it is written there
 * @param variables in the order met
 */
record Origin(String path, Span at, String text, List<VariableKey> variables) {
  static final Origin NOWHERE = new Origin("", new Span(0, 0, false), "", List.of());
}
