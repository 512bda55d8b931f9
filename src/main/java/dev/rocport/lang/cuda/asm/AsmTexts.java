package dev.rocport.lang.cuda.asm;

import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.cuda.lex.Lexer;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.ptx.find.AsmLanguage;
import dev.rocport.lang.ptx.find.Literals;
import dev.rocport.lang.ptx.find.PtxText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Finds the PTX templates in asm statements of C++ source in a string. */
public final class AsmTexts {
  private AsmTexts() {}

  /**
   * The templates in order.
   *
   * @param source the text of the string
   */
  public static List<PtxText> in(PtxText source) {
    byte[] bytes = source.text().getBytes(StandardCharsets.ISO_8859_1);
    Tokens t = Lexer.lex(new SourceFile("", bytes));
    if (!t.mentions(AsmStatement.KEYWORDS)) {
      return List.of();
    }
    List<PtxText> found = new ArrayList<>();
    for (int i = 0; i < t.count(); i++) {
      int first = template(t, i);
      if (first >= 0) {
        int last = lastString(t, first);
        PtxText text = Literals.ofC(bytes, t.start(first), t.end(last)).within(source);
        if (AsmLanguage.of(text.text()) == AsmLanguage.PTX) {
          found.add(text);
        }
        i = last;
      }
    }
    return found;
  }

  /** The first literal of the statement that begins at a token; -1 if there is none. */
  private static int template(Tokens t, int i) {
    int open = AsmStatement.open(t, i);
    return open >= 0 && t.kind(open + 1) == Tokens.STRING ? open + 1 : -1;
  }

  /** The last of the literals side by side that begin with a token. */
  public static int lastString(Tokens t, int first) {
    int last = first;
    while (t.kind(last + 1) == Tokens.STRING) {
      last++;
    }
    return last;
  }
}
