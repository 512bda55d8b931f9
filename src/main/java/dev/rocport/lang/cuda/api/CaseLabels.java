package dev.rocport.lang.cuda.api;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Severity;
import dev.rocport.lang.cuda.lex.Scopes;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.names.ApiTable;
import dev.rocport.lang.cuda.pass.CudaFile;
import dev.rocport.rules.ApiName;
import dev.rocport.rules.ApiName.Kind;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Removes {@code case X:} labels of constants that HIP lacks, which no HIP function returns, and of
 * constants that HIP merges into one, which would be duplicate labels.
 */
public final class CaseLabels {
  static final String RULE = "ENUM-CASE";

  private CaseLabels() {}

  /** Drops such labels; the tokens of the constants in them, which are not to be renamed. */
  public static Set<Integer> run(CudaFile f) {
    Tokens t = f.t;
    Set<Integer> dropped = new HashSet<>();
    Map<String, Integer> seen = new HashMap<>();
    boolean any = t.mentions("case");
    for (int i = 0; any && i + 2 < t.count(); i++) {
      if (!t.is(i, "case") || !t.is(i + 2, ':') || t.inDirective(i) || f.regions.isDead(i)) {
        continue;
      }
      ApiTable.Entry e = f.api.find(t, i + 1);
      ApiName name = e == null ? null : f.nameOf(e);
      if (name == null || name.kind() != Kind.ENUM || f.isOwn(name.cuda(), i + 1)) {
        continue;
      }
      String target = f.api.target(name);
      Integer first =
          target.isEmpty() ? null : seen.putIfAbsent(Scopes.enclosing(t, i) + target, i + 1);
      if ((target.isEmpty() || first != null) && f.changes.allows(RULE)) {
        drop(f, i, name, first == null ? "HIP has no such value" : "also " + target);
        dropped.add(i + 1);
        if (first != null && !isSameGroup(t, first, i)) {
          f.changes.finding(
              RULE,
              Severity.WARNING,
              Disposition.REVIEW,
              t.start(i),
              t.end(i + 2),
              name.cuda()
                  + " and "
                  + t.text(first)
                  + " have the same value in HIP: the label of "
                  + t.text(first)
                  + " covers both",
              "Check that the code at this label is correct for both.");
        }
      }
    }
    return dropped;
  }

  private static void drop(CudaFile f, int i, ApiName name, String why) {
    Tokens t = f.t;
    String text = "/* case " + name.cuda() + ": " + why + " */";
    f.changes.edit(Edit.replace(t.start(i), t.end(i + 2), text, RULE));
  }

  /** True if only labels are between the two. */
  private static boolean isSameGroup(Tokens t, int first, int second) {
    int k = first + 2;
    while (k < second && t.is(k, "case") && t.is(k + 2, ':')) {
      k += 3;
    }
    return k == second;
  }
}
