package dev.rocport.lang.cuda.api;

import dev.rocport.core.result.Disposition;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.names.ApiTable;
import dev.rocport.lang.cuda.pass.CudaFile;
import dev.rocport.rules.ApiName;
import dev.rocport.rules.RocmChange;
import java.util.Map;
import java.util.Set;

/** Notes HIP functions that differ from CUDA in the HIP version of the port. */
final class RocmDifferences {
  private static final String RULE = "ROCM-CHANGE";

  /** They neither set nor clear the last error. */
  private static final Set<String> NEUTRAL =
      Set.of("cudaGetLastError", "cudaPeekAtLastError", "cudaGetErrorString", "cudaGetErrorName");

  private static final Set<String> STATEMENTS = Set.of("if", "for", "while", "switch", "catch");

  private final CudaFile f;
  private final Tokens t;
  private final Map<String, Runnable> firsts;

  /**
   * @param firsts findings that a name has once in a file, by what they are about
   */
  RocmDifferences(CudaFile f, Map<String, Runnable> firsts) {
    this.f = f;
    this.t = f.t;
    this.firsts = firsts;
  }

  /** Notes the differences of a name that becomes {@code target}. */
  void note(String target, int first, int last) {
    if (f.regions.isDead(first)) {
      return;
    }
    for (RocmChange change : f.api.changes(target)) {
      if (change.where() == RocmChange.Where.ANYWHERE || isAfterCall(first)) {
        String difference = change.difference(f.options.hip());
        String when = change.holds(f.options.hip()) ? "from HIP %s on" : "before HIP %s";
        String message = "%s, %s: %s".formatted(target, when.formatted(change.since()), difference);
        firsts.put(
            RULE + change.name(),
            () ->
                f.changes.finding(RULE, Disposition.REVIEW, t.start(first), t.end(last), message));
      }
    }
  }

  /** Whether the function calls CUDA before this place, and launches no kernel after the call. */
  private boolean isAfterCall(int place) {
    int depth = 0;
    for (int i = place - 1; i >= 0; i--) {
      if (t.is(i, '}')) {
        depth++;
      } else if (t.is(i, '{') && --depth < 0 && beginsFunction(i)) {
        return false;
      } else if (t.is(i, '<') && t.is(i - 1, '<') && t.is(i - 2, '<')) {
        return false;
      } else if (t.isIdentifier(i) && t.is(i + 1, '(') && isCall(i)) {
        return true;
      }
    }
    return false;
  }

  private boolean isCall(int i) {
    ApiTable.Entry entry = f.api.find(t, i);
    ApiName name = entry == null ? null : entry.name;
    return name != null
        && name.kind() == ApiName.Kind.FUNCTION
        && name.family().equals("API-RUNTIME")
        && !NEUTRAL.contains(name.cuda());
  }

  private boolean beginsFunction(int brace) {
    int close = brace - 1;
    if (close < 0 || !t.is(close, ')')) {
      return false;
    }
    int open = t.match(close);
    return open > 0 && t.isIdentifier(open - 1) && !STATEMENTS.contains(t.text(open - 1));
  }
}
