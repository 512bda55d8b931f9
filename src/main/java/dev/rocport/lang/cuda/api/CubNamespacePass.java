package dev.rocport.lang.cuda.api;

import dev.rocport.core.result.Disposition;
import dev.rocport.lang.cuda.lex.Directive;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.pass.CudaFile;
import java.util.List;
import java.util.Optional;

/** Reports definitions of macros that put CUB into a namespace, which hipCUB does not have. */
public final class CubNamespacePass {
  public static final String RULE = "CUB-NAMESPACE";

  /** The macro that opens a namespace; the value of the others is its name. */
  private static final String PREFIX = "CUB_NS_PREFIX";

  /** It is also for Thrust, and rocThrust has it. */
  private static final String BOTH = "THRUST_CUB_WRAPPED_NAMESPACE";

  private static final List<String> NAMES = List.of(PREFIX, "CUB_WRAPPED_NAMESPACE", BOTH);

  private CubNamespacePass() {}

  public static void run(CudaFile f) {
    if (!f.t.mentions(NAMES)) {
      return;
    }
    for (Directive d : f.t.directives()) {
      int name = d.body();
      if (d.name().equals("define")
          && name < d.last()
          && NAMES.contains(f.t.text(name))
          && !f.regions.isDead(d.first())) {
        namespace(f.t, d).ifPresent(n -> report(f, name, n));
      }
    }
  }

  /** Returns the namespace that a definition is for; empty for none. */
  private static Optional<String> namespace(Tokens t, Directive d) {
    StringBuilder name = new StringBuilder();
    boolean prefix = t.is(d.body(), PREFIX);
    for (int i = d.body() + 1; i < d.last(); i++) {
      boolean part =
          prefix
              ? t.isIdentifier(i) && t.is(i - 1, "namespace") && !t.is(i, "namespace")
              : t.isIdentifier(i);
      if (part) {
        name.append(name.isEmpty() ? "" : "::").append(t.text(i));
      }
    }
    return name.isEmpty() ? Optional.empty() : Optional.of(name.toString());
  }

  private static void report(CudaFile f, int at, String namespace) {
    f.changes.finding(
        RULE, Disposition.REVIEW, f.t.start(at), f.t.end(at), message(f.t.text(at), namespace));
  }

  /**
   * Returns what follows from a definition.
   *
   * @param namespace the namespace that CUB is in
   */
  public static String message(String macro, String namespace) {
    String thrust =
        macro.equals(BOTH) ? "; rocThrust has %s::thrust, as Thrust".formatted(namespace) : "";
    return "%s: hipCUB has no such setting, so %s::cub and the names in it do not exist%s"
        .formatted(macro, namespace, thrust);
  }
}
