package dev.rocport.lang.cuda.pass;

import dev.rocport.lang.cuda.lex.Arguments;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.names.ApiTable;
import dev.rocport.rules.ApiName;
import org.jspecify.annotations.Nullable;

/** Returns the ported text of an expression, for text that the port writes twice. */
public final class PortedText {
  private PortedText() {}

  /** The expression under HIP; null if evaluating it twice might do something. */
  public static @Nullable String of(CudaFile f, Arguments.Span span) {
    Tokens t = f.t;
    StringBuilder text = new StringBuilder();
    for (int i = span.first(); i <= span.last(); i++) {
      boolean plain =
          t.isIdentifier(i)
              || t.kind(i) == Tokens.NUMBER
              || t.is(i, '.')
              || t.is(i, '[')
              || t.is(i, ']')
              || t.isPair(i, '-')
              || t.isPair(i, ':')
              || t.is(i, '*');
      if (!plain) {
        return null;
      }
      ApiTable.Entry e = t.isIdentifier(i) ? f.api.find(t, i) : null;
      ApiName name = e == null ? null : e.name;
      boolean mapped = name != null && !f.api.target(name).isEmpty() && !f.isOwn(t.text(i), i);
      text.append(mapped && name != null ? f.api.target(name) : t.text(i));
    }
    return text.toString();
  }
}
