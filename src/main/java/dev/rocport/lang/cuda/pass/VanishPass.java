package dev.rocport.lang.cuda.pass;

import dev.rocport.core.edit.Edit;
import dev.rocport.lang.cuda.lex.Comments;
import dev.rocport.lang.cuda.lex.Directive;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.rules.Rule;
import dev.rocport.rules.RuleCatalog;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Removes keywords: each rule with {@code analysis: vanish} lists some in {@code functions}. */
public final class VanishPass {
  private final Map<String, Rule> words = new LinkedHashMap<>();
  private final long firsts;

  public VanishPass(RuleCatalog catalog) {
    for (Rule rule : catalog.rules()) {
      if (rule.analysis().equals("vanish")) {
        rule.functions().forEach(w -> words.put(w, rule));
      }
    }
    firsts =
        words.keySet().stream().mapToLong(w -> 1L << (w.charAt(0) & 63)).reduce(0, (a, b) -> a | b);
  }

  public void run(CudaFile f) {
    Tokens t = f.t;
    for (int i = 0; i < t.count(); i++) {
      if (!t.isIdentifier(i) || (firsts >> (f.source.bytes()[t.start(i)] & 63) & 1) == 0) {
        continue;
      }
      Rule rule = find(t, i);
      if (rule != null && isWord(f, i) && f.changes.allows(rule.id())) {
        f.changes.edit(remove(f, i, rule.id()));
      }
    }
  }

  /** Removes a word with the blanks behind it, or before it where nothing follows. */
  private static Edit remove(CudaFile f, int i, String rule) {
    Tokens t = f.t;
    if (!isLastOfMacro(t, i)) {
      return Edit.delete(t.start(i), Comments.behindBlanks(t, i), rule);
    }
    int before = t.end(i - 1);
    boolean blank = f.source.text(before, t.start(i)).isBlank();
    return Edit.delete(blank ? before : t.start(i), t.end(i), rule);
  }

  private @Nullable Rule find(Tokens t, int i) {
    for (Map.Entry<String, Rule> e : words.entrySet()) {
      if (t.is(i, e.getKey())) {
        return e.getValue();
      }
    }
    return null;
  }

  /** True outside directives and in the body of a macro. */
  private static boolean isCode(Tokens t, int i) {
    int d = t.directiveOf(i);
    if (d < 0) {
      return !t.inDirective(i + 1);
    }
    Directive macro = t.directives().get(d);
    return macro.name().equals("define") && i > macro.body();
  }

  /** {@code #define PARAMETER __grid_constant__}, but not a macro for a word of C++. */
  private static boolean isLastOfMacro(Tokens t, int i) {
    int d = t.directiveOf(i);
    return d >= 0 && i + 1 == t.directives().get(d).last() && t.begins(i, "__");
  }

  /** A specifier precedes more of its declaration; C keeps its own. */
  private static boolean isWord(CudaFile f, int i) {
    Tokens t = f.t;
    boolean more = isLastOfMacro(t, i) || t.isIdentifier(i + 1) || t.is(i + 1, '*');
    boolean member = t.is(i - 1, '.') || t.isPair(i - 1, '-') || t.isPair(i - 1, ':');
    return more && !member && isCode(t, i) && !f.isC() && !f.isOwn(t.text(i));
  }
}
