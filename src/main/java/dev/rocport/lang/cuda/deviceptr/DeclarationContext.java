package dev.rocport.lang.cuda.deviceptr;

import dev.rocport.lang.cuda.lex.Tokens;

/** Finds the bodies, parameter lists, and classes around declarations. */
final class DeclarationContext {
  private final Tokens t;

  DeclarationContext(Tokens t) {
    this.t = t;
  }

  /** The body after a parameter list that closes at {@code close}, or -1. */
  int body(int close) {
    int i = close + 1;
    while (i > 0 && i < t.count() && !t.is(i, '{') && !t.is(i, ';') && !t.is(i, ')')) {
      if (t.is(i, '=') || t.is(i, ',')) {
        return -1;
      }
      if (t.is(i, ':')) {
        return initialised(i + 1);
      }
      i = t.after(i);
    }
    return t.is(i, '{') && t.match(i) > i ? i : -1;
  }

  /** The body after a constructor's initializers. */
  private int initialised(int from) {
    int i = from;
    while (i < t.count() && !t.is(i, ';')) {
      if (t.is(i, '{') && !t.isIdentifier(i - 1)) {
        return t.match(i) > i ? i : -1;
      }
      i = t.after(i);
    }
    return -1;
  }

  int enclosingParen(int i) {
    for (int k = i - 1; k >= 0; k--) {
      if (t.is(k, '(')) {
        return k;
      }
      if (t.is(k, ';') || t.is(k, '{') || t.is(k, '}')) {
        return -1;
      }
      if (t.match(k) >= 0 && t.match(k) < k) {
        k = t.match(k);
      }
    }
    return -1;
  }

  /** {@code CUdeviceptr f(int n)} outside function bodies; inside, a variable gets its value. */
  boolean isFunctionHead(int open, int brace) {
    boolean outside = brace < 0 || isClass(brace) || isNamespace(brace);
    int close = t.match(open);
    return outside && close > 0 && (t.kind(open + 1) != Tokens.NUMBER);
  }

  boolean isClass(int brace) {
    int i = brace - 1;
    while (i >= 0 && !t.is(i, ';') && !t.is(i, '{') && !t.is(i, '}') && !t.is(i, ')')) {
      if (t.is(i, "struct") || t.is(i, "class") || t.is(i, "union")) {
        return true;
      }
      i--;
    }
    return false;
  }

  /** The name of the class with these braces; empty if it has none. */
  String className(int brace) {
    int i = brace - 1;
    while (!t.is(i, "struct") && !t.is(i, "class") && !t.is(i, "union")) {
      i--;
    }
    int behind = t.match(brace) + 1;
    if (i + 1 == brace) {
      return t.is(i - 1, "typedef") && t.isIdentifier(behind) ? t.text(behind) : "";
    }
    return t.isIdentifier(i + 1) ? t.text(i + 1) : "";
  }

  private boolean isNamespace(int brace) {
    return t.is(brace - 1, "namespace")
        || t.is(brace - 2, "namespace")
        || t.is(brace - 2, "extern")
        || (t.isPair(brace - 2, ':') && !t.is(brace - 1, ')'));
  }
}
