package dev.rocport.lang.cuda.lex;

import java.util.Arrays;

/** Pairs round, square and curly brackets. */
public final class Brackets {
  private Brackets() {}

  /**
   * Partner index of each bracket, -1 for all other tokens and for brackets without a partner. A
   * closing bracket that fits no open one is skipped; an open one that a later, outer one closes
   * stays alone. Text outside directives and each directive are paired on their own. At {@code
   * #else} and {@code #elif} the stack goes back to what it was at {@code #if}, so that branches
   * that each open the same block do not unbalance the rest.
   */
  static int[] match(Tokens t) {
    int n = t.count();
    int[] partner = new int[n];
    Arrays.fill(partner, -1);
    byte[] bytes = t.file().bytes();
    int[] stack = new int[64];
    int depth = 0;
    int[] inside = new int[16];
    int insideDepth = 0;
    int[] saved = new int[16];
    int savedDepth = 0;
    int nextDirective = 0;
    for (int i = 0; i < n; i++) {
      while (nextDirective < t.directives().size()
          && t.directives().get(nextDirective).first() <= i) {
        Directive d = t.directives().get(nextDirective++);
        insideDepth = 0;
        if (d.opens()) {
          if (savedDepth == saved.length) {
            saved = Arrays.copyOf(saved, 2 * savedDepth);
          }
          saved[savedDepth++] = depth;
        } else if (d.turns() && savedDepth > 0) {
          depth = Math.min(depth, saved[savedDepth - 1]);
        } else if (d.closes() && savedDepth > 0) {
          savedDepth--;
        }
      }
      if (t.kind(i) != Tokens.PUNCTUATION || t.end(i) - t.start(i) != 1) {
        continue;
      }
      char c = (char) bytes[t.start(i)];
      boolean directive = t.inDirective(i);
      if (c == '(' || c == '[' || c == '{') {
        if (directive) {
          if (insideDepth == inside.length) {
            inside = Arrays.copyOf(inside, 2 * insideDepth);
          }
          inside[insideDepth++] = i;
        } else {
          if (depth == stack.length) {
            stack = Arrays.copyOf(stack, 2 * depth);
          }
          stack[depth++] = i;
        }
      } else if (c == ')' || c == ']' || c == '}') {
        if (directive) {
          insideDepth = close(t, partner, inside, insideDepth, i, c, bytes);
        } else {
          depth = close(t, partner, stack, depth, i, c, bytes);
        }
      }
    }
    return partner;
  }

  private static int close(
      Tokens t, int[] partner, int[] stack, int depth, int i, char c, byte[] bytes) {
    char open = c == ')' ? '(' : c == ']' ? '[' : '{';
    for (int d = depth - 1; d >= 0; d--) {
      char o = (char) bytes[t.start(stack[d])];
      if (o == open) {
        partner[i] = stack[d];
        partner[stack[d]] = i;
        return d;
      }
      if (o == '{' && open != '{') {
        return depth; // a stray ')' does not close a block
      }
    }
    return depth;
  }
}
