package dev.rocport.lang.java;

import com.github.javaparser.ast.Node;
import dev.rocport.lang.ptx.find.JavaPart;
import dev.rocport.lang.ptx.find.PtxText;
import java.util.List;

/**
 * A text that one literal or several concatenated literals form.
 *
 * @param node the expression, or the last call of a chain of {@code append}
 * @param parts in order; at least one literal
 * @param text what they say
 */
record JavaString(Node node, List<JavaPart> parts, PtxText text) {
  JavaString {
    parts = List.copyOf(parts);
  }

  /** True if it is one literal and nothing else. */
  boolean isLiteral() {
    return parts.size() == 1;
  }

  /** True if part of it is known at run time only. */
  boolean hasHoles() {
    return text.text().indexOf(PtxText.HOLE) >= 0;
  }

  String said() {
    return text.text();
  }

  int start() {
    return parts.getFirst().start();
  }

  int end() {
    return parts.getLast().end();
  }
}
