package dev.rocport.lang.cuda.api;

import dev.rocport.core.result.Disposition;
import dev.rocport.lang.cuda.lex.Directive;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.pass.CudaFile;
import dev.rocport.rules.RuleCatalog;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Ports calls of functions that CUDA provides in host code and HIP does not: the functions of the
 * rules, and {@code min} and {@code max}, which HIP provides for {@code int} only, so that other
 * types are converted silently. The file includes {@code rocport/host_math.h}. The functions of
 * {@code <math.h>} need it only in files that do not include that header: without it, they convert
 * {@code float} to {@code double}.
 */
public final class HostMathPass {
  static final String RULE = "HOST-MATH";
  private static final String FLOAT = "HOST-MATH-FLOAT";
  private static final String SHIM = "host_math.h";

  /** Functions that HIP lacks in device code, too, or has for fewer types. */
  private static final Set<String> EVERYWHERE =
      Set.of("min", "max", "sincos", "umin", "umax", "llmin", "llmax", "ullmin", "ullmax");

  /** Those of them that the standard library has, too. */
  private static final Set<String> STANDARD = Set.of("min", "max");

  /** Functions, with the rule that ports them. */
  private final Map<String, String> names = new HashMap<>();

  private final Set<Integer> hashes = new HashSet<>();

  public HostMathPass(RuleCatalog catalog) {
    catalog.require(FLOAT).functions().forEach(n -> names.put(n, FLOAT));
    catalog.require(RULE).functions().forEach(n -> names.put(n, RULE));
    EVERYWHERE.forEach(n -> names.put(n, RULE));
    names.keySet().forEach(n -> hashes.add(Tokens.hash(n)));
  }

  public void run(CudaFile f) {
    Tokens t = f.t;
    Set<String> found = new HashSet<>();
    for (int i = 0; i + 1 < t.count(); i++) {
      if (!t.isIdentifier(i) || !(t.is(i + 1, '(') || isAlone(t, i))) {
        continue;
      }
      String rule = hashes.contains(t.hash(i)) ? names.get(t.text(i)) : null;
      if (rule == null || found.contains(rule)) {
        continue;
      }
      boolean named = isCall(f, i) && (t.is(i + 1, '(') || isPassed(t, i));
      if (!named || (!EVERYWHERE.contains(t.text(i)) && f.isForDeviceOnly(i))) {
        continue;
      }
      if (isNeeded(f, rule) && f.changes.allows(rule) && !definesMacro(t, t.text(i))) {
        found.add(rule);
        f.shims.add(SHIM);
        f.changes.finding(
            rule,
            Disposition.PORTED,
            t.start(i),
            t.end(i),
            t.text(i) + " comes from rocport/host_math.h, also in host code");
      }
    }
  }

  /** Whether nvcc has what the file lacks with HIP. */
  private static boolean isNeeded(CudaFile f, String rule) {
    return isDeviceSource(f) && !(rule.equals(FLOAT) && (f.inString || includesMath(f.t)));
  }

  private static boolean includesMath(Tokens t) {
    return t.directives().stream()
        .filter(Directive::isInclude)
        .anyMatch(d -> t.included(d).equals("math.h"));
  }

  /** Whether a token is a whole argument. */
  private static boolean isAlone(Tokens t, int i) {
    return (t.is(i - 1, '(') || t.is(i - 1, ',')) && (t.is(i + 1, ',') || t.is(i + 1, ')'));
  }

  /** Whether an argument is a name of CUDA alone for a macro of the file, which may call it. */
  private static boolean isPassed(Tokens t, int i) {
    int open = i - 1;
    while (open >= 0 && !t.is(open, '(')) {
      open = t.before(open);
    }
    return open > 0
        && !t.inDirective(i)
        && t.isIdentifier(open - 1)
        && EVERYWHERE.contains(t.text(i))
        && !STANDARD.contains(t.text(i))
        && definesMacro(t, t.text(open - 1));
  }

  static boolean isCall(CudaFile f, int i) {
    Tokens t = f.t;
    boolean declared =
        t.isIdentifier(i - 1)
            && !t.is(i - 1, "return")
            && !t.is(i - 1, "else")
            && !t.is(i - 1, "case")
            && !t.is(i - 1, "do");
    return !declared && !f.isQualified(i) && !f.regions.isDead(i);
  }

  /** Only nvcc, not the host's own compiler, sees CUDA overloads. */
  private static boolean isDeviceSource(CudaFile f) {
    if (f.isCudaSource()) {
      return true;
    }
    boolean header = f.extension().startsWith("h") || f.extension().equals("inl");
    return header && f.t.mentions(Set.of("__device__", "__global__"));
  }

  private static boolean definesMacro(Tokens t, String name) {
    return t.directives().stream().anyMatch(d -> d.name().equals("define") && t.is(d.body(), name));
  }
}
