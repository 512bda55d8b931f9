package dev.rocport.lang.cuda.api;

import dev.rocport.lang.cuda.lex.Tokens;

/** The block of declarations around an include. */
enum IncludeScope {
  NONE(""),
  LINKAGE("extern \"C\""),
  NAMESPACE("a namespace");

  private final String text;

  IncludeScope(String text) {
    this.text = text;
  }

  String text() {
    return text;
  }

  /** The block that a brace opens. */
  static IncludeScope of(Tokens t, int brace) {
    if (t.kind(brace - 1) == Tokens.STRING && t.is(brace - 2, "extern")) {
      return LINKAGE;
    }
    int i = brace - 1;
    while (t.isPair(i - 1, ':') && t.isIdentifier(i - 2)) {
      i -= 2;
    }
    boolean named = t.isIdentifier(i) && t.is(i - 1, "namespace");
    return named || t.is(i, "namespace") ? NAMESPACE : NONE;
  }
}
