package dev.rocport.lang.java;

import com.github.javaparser.ast.Node;
import com.github.javaparser.ast.expr.MethodCallExpr;
import dev.rocport.lang.java.Differences.Difference;
import dev.rocport.rules.ApiName;
import dev.rocport.rules.ApiName.Kind;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Ports literals that name a CUDA function: they are looked up at run time. */
final class SymbolPass {
  static final String RULE = "JAVA-SYMBOL";
  static final String ARGUMENTS = "JAVA-ARGUMENTS";
  static final String NUMBERS = "JAVA-NUMBERS";

  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
  private static final Pattern FORM =
      Pattern.compile(
          "(cuda|cu|nvrtc|cublas|cublasLt|cufft|curand|cusparse|cusolver|cudnn|nccl|nvml|nvtx)"
              + "[A-Z][A-Za-z0-9]*(_[A-Za-z0-9]+)*");
  private static final Pattern PER_THREAD = Pattern.compile("(.+)_pt(sz|ds)");

  /** Methods that look names up. */
  private static final Set<String> LOOKUPS =
      Set.of("find", "findOrThrow", "lookup", "getFunction", "getGlobalVariableAddress");

  private final JavaWork w;
  private final Set<String> told = new HashSet<>();

  SymbolPass(JavaWork w) {
    this.w = w;
  }

  void run() {
    if (w.imports("jcuda")) {
      return; // its bindings are JCuda's own; JcudaPass reports them
    }
    for (JavaString s : w.strings()) {
      if (s.isLiteral() && NAME.matcher(s.said()).matches() && !w.isTaken(s)) {
        name(s);
      }
    }
  }

  private void name(JavaString s) {
    String said = s.said();
    ApiName name = w.cuda().api(said);
    if (name == null || name.kind() != Kind.FUNCTION) {
      unknown(s);
      return;
    }
    w.take(s);
    String target = w.cuda().target(name);
    if (target.isEmpty()) {
      w.error(
          RULE,
          s.start(),
          s.end(),
          said + " has no counterpart, so its lookup fails",
          name.advice());
      return;
    }
    Optional<Difference> differs = w.differences().of(name);
    if (differs.isPresent() && differs.get().kind() != Differences.Kind.NUMBERS) {
      w.error(
          ARGUMENTS,
          s.start(),
          s.end(),
          said + " differs from " + target + ": " + differs.get().says());
      return;
    }
    if (!target.equals(said)) {
      w.rewrite(s, target, RULE);
    }
    if (differs.isPresent() && told.add(differs.get().says())) {
      w.warn(NUMBERS, s.start(), s.end(), said + " as " + target + ": " + differs.get().says());
    }
  }

  private void unknown(JavaString s) {
    if (!isLookup(s.node()) || !FORM.matcher(s.said()).matches()) {
      return;
    }
    w.take(s);
    var thread = PER_THREAD.matcher(s.said());
    String message =
        thread.matches()
            ? s.said() + " is " + thread.group(1) + " for the per-thread default stream"
            : s.said() + " is not a known CUDA name";
    w.error(RULE, s.start(), s.end(), message);
  }

  private static boolean isLookup(Node n) {
    return n.getParentNode().orElse(null) instanceof MethodCallExpr c
        && LOOKUPS.contains(c.getNameAsString());
  }
}
