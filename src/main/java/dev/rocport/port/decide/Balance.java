package dev.rocport.port.decide;

import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.cuda.lex.Directive;
import dev.rocport.lang.cuda.lex.Lexer;
import dev.rocport.lang.cuda.lex.Tokens;

/** Whether the brackets and conditions of a source are closed. */
public final class Balance {
  private Balance() {}

  /** Returns whether they are; a part of the changes of a port may break this. */
  public static boolean holds(SourceFile file) {
    Tokens tokens = Lexer.lex(file);
    for (int i = 0; i < tokens.count(); i++) {
      boolean isBracket = tokens.kind(i) == Tokens.PUNCTUATION && isOneOf(tokens, i);
      if (isBracket && !tokens.inDirective(i) && tokens.match(i) < 0) {
        return false;
      }
    }
    int depth = 0;
    for (Directive d : tokens.directives()) {
      depth += d.opens() ? 1 : d.closes() ? -1 : 0;
      if (depth < 0) {
        return false;
      }
    }
    return depth == 0 && tokens.problems().isEmpty();
  }

  private static boolean isOneOf(Tokens tokens, int i) {
    return "()[]{}".indexOf(tokens.text(i)) >= 0;
  }
}
