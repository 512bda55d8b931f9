package dev.rocport.lang.cuda.lex;

import java.util.ArrayList;
import java.util.List;

/** The parameters of macros. */
public final class MacroParameters {
  private MacroParameters() {}

  /** Returns the names of the parameters of a macro in order; none for other directives. */
  public static List<String> of(Tokens t, Directive directive) {
    int macro = directive.body();
    List<String> names = new ArrayList<>();
    if (directive.name().equals("define") && t.is(macro + 1, '(') && t.touches(macro)) {
      for (int k = macro + 2; k < t.match(macro + 1); k++) {
        if (t.isIdentifier(k)) {
          names.add(t.text(k));
        }
      }
    }
    return names;
  }
}
