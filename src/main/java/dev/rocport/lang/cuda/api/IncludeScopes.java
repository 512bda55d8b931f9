package dev.rocport.lang.cuda.api;

import dev.rocport.lang.cuda.lex.Directive;
import dev.rocport.lang.cuda.lex.Tokens;
import java.util.ArrayDeque;
import java.util.Deque;

/** Finds the blocks around the directives of a file, in their order. */
final class IncludeScopes {
  private final Tokens t;

  /** Braces that are open at {@link #next}, and some that have closed. */
  private final Deque<Integer> open = new ArrayDeque<>();

  private int next;

  IncludeScopes(Tokens t) {
    this.t = t;
  }

  /** The innermost block around a directive; directives are asked for in the order of the file. */
  IncludeScope around(Directive d) {
    for (; next < d.first(); next++) {
      if (t.is(next, '{') && t.match(next) > next && !t.inDirective(next)) {
        open.push(next);
      }
    }
    while (!open.isEmpty() && t.match(open.peek()) < d.first()) {
      open.pop();
    }
    return open.isEmpty() ? IncludeScope.NONE : IncludeScope.of(t, open.peek());
  }
}
