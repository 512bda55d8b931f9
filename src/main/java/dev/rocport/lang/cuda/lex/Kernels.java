package dev.rocport.lang.cuda.lex;

import java.util.ArrayList;
import java.util.List;

/** Finds kernels by their tokens. */
public final class Kernels {
  private static final String KERNEL = "__global__";

  private Kernels() {}

  /** Returns the tokens that name a kernel in its declaration or definition, in order. */
  public static List<Integer> names(Tokens tokens) {
    List<Integer> names = new ArrayList<>();
    for (int i = 0; i < tokens.count(); i++) {
      if (tokens.is(i, KERNEL) && !tokens.inDirective(i)) {
        int name = name(tokens, i + 1);
        if (name >= 0) {
          names.add(name);
        }
      }
    }
    return names;
  }

  /** Returns the name before the parameters; -1 if there are none. */
  private static int name(Tokens tokens, int from) {
    for (int i = from; i < tokens.count(); i++) {
      if (tokens.is(i, ';') || tokens.is(i, '{')) {
        return -1;
      }
      if (tokens.is(i, '(')) {
        if (tokens.isIdentifier(i - 1) && !tokens.begins(i - 1, "__")) {
          return i - 1;
        }
        i = Math.max(i, tokens.match(i)); // __launch_bounds__ or an attribute
      }
    }
    return -1;
  }
}
