package dev.rocport.lang.python;

import dev.rocport.lang.python.syntax.Expr;
import dev.rocport.lang.python.syntax.Node;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/** Collects expressions of a build that differ on ROCm, until each is gated. */
final class RocmTexts {
  private final PythonTree tree;
  private final IdentityHashMap<Expr, Left> texts = new IdentityHashMap<>();
  private final Set<Node> done = Collections.newSetFromMap(new IdentityHashMap<>());

  private final Set<Node> seen = Collections.newSetFromMap(new IdentityHashMap<>());

  RocmTexts(PythonTree tree) {
    this.tree = tree;
  }

  /**
   * An expression that waits for its gate.
   *
   * @param rule the rule that requires it
   */
  record Left(Expr at, String text, String rule) {}

  void put(Expr x, String rocm, String rule) {
    texts.putIfAbsent(x, new Left(x, rocm, rule));
  }

  /** The text of an expression on ROCm, if it is in ROCm-only code. */
  String of(Expr x) {
    Left own = texts.get(x);
    if (own != null) {
      return own.text();
    }
    StringBuilder text = new StringBuilder(tree.text(x));
    List<Expr> inside =
        texts.keySet().stream()
            .filter(t -> t.start() >= x.start() && t.end() <= x.end())
            .filter(t -> !isBelowAnother(t, x))
            .sorted(Comparator.comparingInt(Expr::start).reversed())
            .toList();
    int[] at = offsets(x);
    for (Expr t : inside) {
      text.replace(at[t.start() - x.start()], at[t.end() - x.start()], of(t));
    }
    return text.toString();
  }

  /** The place of each byte of an expression in its text. */
  private int[] offsets(Expr x) {
    int[] at = new int[x.end() - x.start() + 1];
    String text = tree.text(x);
    int b = 0;
    int c = 0;
    while (c < text.length()) {
      int point = text.codePointAt(c);
      int bytes = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
      for (int i = 0; i < bytes && b < at.length; i++) {
        at[b++] = c;
      }
      c += Character.charCount(point);
    }
    while (b < at.length) {
      at[b++] = text.length();
    }
    return at;
  }

  private boolean isBelowAnother(Expr t, Expr top) {
    for (At a = tree.at(t).parent(); a != null && a.node() != top; a = a.parent()) {
      if (a.node() instanceof Expr x && texts.containsKey(x)) {
        return true;
      }
    }
    return false;
  }

  /** True the first time that a list is checked. */
  boolean isFirst(Node list) {
    return seen.add(list);
  }

  /** Its contents are gated, or were reported. */
  void done(Node node) {
    done.add(node);
  }

  boolean isDone(Expr x) {
    for (At a = tree.at(x); a != null; a = a.parent()) {
      if (done.contains(a.node())) {
        return true;
      }
    }
    return false;
  }

  /** What is left, in order of the place. */
  List<Left> left() {
    return texts.values().stream()
        .filter(l -> !isDone(l.at()) && !isInside(l.at()))
        .sorted(Comparator.comparingInt(l -> l.at().start()))
        .toList();
  }

  private boolean isInside(Expr x) {
    for (At a = tree.at(x).parent(); a != null; a = a.parent()) {
      if (a.node() instanceof Expr outer && texts.containsKey(outer)) {
        return true;
      }
    }
    return false;
  }
}
