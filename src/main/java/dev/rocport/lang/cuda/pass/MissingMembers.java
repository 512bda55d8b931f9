package dev.rocport.lang.cuda.pass;

import dev.rocport.core.result.Disposition;
import dev.rocport.lang.cuda.lex.Tokens;
import java.util.HashSet;
import java.util.Set;

/**
 * Reports members of class templates without bases that use {@code this->name} for a name which the
 * class does not have. No code can call them; nvcc does not look at them, and clang rejects them.
 */
final class MissingMembers {
  static final String RULE = "CXX-MEMBER-MISSING";

  private MissingMembers() {}

  static void run(CudaFile f) {
    Tokens t = f.t;
    if (f.isC() || !f.usesCuda() || !t.mentions("this") || !f.changes.allows(RULE)) {
      return;
    }
    for (int i = 0; i < t.count(); i++) {
      boolean named = (t.is(i, "struct") || t.is(i, "class")) && t.isIdentifier(i + 1);
      if (named && !t.inDirective(i) && t.is(i - 1, '>') && ClangPass.isTemplate(t, i)) {
        int open = t.is(i + 2, "final") ? i + 3 : i + 2;
        if (t.is(open, '{') && t.match(open) > open && !f.regions.isDead(open)) {
          inClass(f, t.text(i + 1), open, t.match(open));
        }
      }
    }
  }

  private static void inClass(CudaFile f, String name, int open, int close) {
    Tokens t = f.t;
    Set<String> declared = new HashSet<>();
    for (int i = open; i < close; i++) {
      if (t.isIdentifier(i) && !isMember(t, i)) {
        declared.add(t.text(i));
      }
    }
    for (int i = open; i < close; i++) {
      boolean own = t.isIdentifier(i) && t.isPair(i - 1, '-') && t.is(i - 2, "this");
      if (own && !declared.contains(t.text(i)) && !f.regions.isDead(i)) {
        f.changes.finding(
            RULE,
            Disposition.UNPORTED,
            t.start(i),
            t.end(i),
            name + " has no member " + t.text(i) + ", so clang rejects this function");
      }
    }
  }

  private static boolean isMember(Tokens t, int i) {
    return t.is(i - 1, '.') || t.isPair(i - 1, '-');
  }
}
