package dev.rocport.lang.cuda.symbols;

import dev.rocport.lang.cuda.lex.Statements;
import dev.rocport.lang.cuda.lex.Tokens;
import org.jspecify.annotations.Nullable;

/**
 * The device or kernel function around a token.
 *
 * @param head first token of its definition
 * @param close the brace that ends it
 * @param host whether it is also compiled for the host
 */
public record EnclosingFunction(int head, int close, boolean host) {

  /** The function around token {@code i}, or null outside all functions for the device. */
  public static @Nullable EnclosingFunction of(Tokens t, int i) {
    int k = i;
    while (k >= 0) {
      if (t.is(k, '{')) {
        int first = Statements.definitionStart(t, k);
        if (isDevice(t, first, k)) {
          return new EnclosingFunction(first, t.match(k), isHost(t, first, k));
        }
        k--;
      } else {
        k = t.before(k);
      }
    }
    return null;
  }

  /** True if one of the tokens makes a function a device function. */
  public static boolean isDevice(Tokens t, int from, int to) {
    for (int k = from; k < to; k++) {
      if (t.is(k, "__device__") || t.is(k, "__global__")) {
        return true;
      }
    }
    return false;
  }

  private static boolean isHost(Tokens t, int from, int to) {
    for (int k = from; k < to; k++) {
      if (t.is(k, "__host__")) {
        return true;
      }
    }
    return false;
  }
}
