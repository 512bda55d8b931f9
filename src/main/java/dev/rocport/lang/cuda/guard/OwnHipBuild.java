package dev.rocport.lang.cuda.guard;

import dev.rocport.lang.cuda.condition.Condition;
import dev.rocport.lang.cuda.condition.Condition.Macro;
import dev.rocport.lang.cuda.condition.Regions.Branch;
import dev.rocport.lang.cuda.condition.Regions.Chain;
import dev.rocport.lang.cuda.lex.Directive;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.names.ApiTable;
import dev.rocport.lang.cuda.pass.CudaFile;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The project's own build for HIP in a file that sees its mapping of CUDA names to HIP. Its authors
 * wrote conditions on the version of CUDA for a compiler without such macros, so these conditions
 * keep their meaning there.
 */
final class OwnHipBuild {
  private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_]\\w*");

  /** Holds in all builds of a port. */
  private static final String ALWAYS = "defined(__HIP_PLATFORM_AMD__)";

  private final CudaFile f;
  private final Tokens t;
  private final List<String> conditions;
  private final boolean definesVersion;

  OwnHipBuild(CudaFile f) {
    this.f = f;
    this.t = f.t;
    Set<String> own = f.project.ownNames(f.source.path());
    this.conditions = OwnMapping.conditions(own);
    this.definesVersion = OwnMapping.definesVersion(own);
  }

  /** The condition of this build, which can stand beside {@code !} and {@code ?}; not empty. */
  String condition() {
    String all = String.join(" || ", conditions);
    return all.matches("\\w+(?:\\(\\w+\\))?") ? all : "(" + all + ")";
  }

  /** True if each build of a port is this one. */
  boolean isAlways() {
    return conditions.stream().anyMatch(c -> List.of(c.split(" \\|\\| ")).contains(ALWAYS));
  }

  /** True if the version of CUDA decides in this build which branch of a chain is compiled. */
  boolean depends(Chain chain) {
    for (String condition : conditions) {
      for (Branch b : chain.branches()) {
        Boolean taken = evaluate(b.directive(), condition, new Macro.Unknown());
        if (taken == null && asks(b.directive())) {
          return true;
        }
        if (taken != null && taken) {
          break;
        }
      }
    }
    return false;
  }

  /** Adds the branches that this build may compile. */
  void mark(Chain chain, boolean[] live) {
    Macro version = definesVersion ? new Macro.Unknown() : new Macro.Undefined();
    for (String condition : conditions) {
      for (int i = 0; i < live.length; i++) {
        Boolean taken = evaluate(chain.branches().get(i).directive(), condition, version);
        live[i] |= taken == null || taken;
        if (taken != null && taken) {
          break;
        }
      }
    }
  }

  private boolean asks(Directive d) {
    for (int i = d.body(); d.isCondition() && i < d.last(); i++) {
      if (isVersion(f.api.find(t, i))) {
        return true;
      }
    }
    return false;
  }

  private @Nullable Boolean evaluate(Directive d, String condition, Macro version) {
    Set<String> defined = new TreeSet<>(Set.of("__HIP_PLATFORM_AMD__", "__clang__"));
    if (!condition.contains("||")) { // else it is not known which of them
      Matcher names = IDENTIFIER.matcher(condition);
      while (names.find()) {
        defined.add(names.group());
      }
    }
    return Condition.evaluate(
        t,
        d,
        name ->
            isVersion(f.api.find(name))
                ? version
                : defined.contains(name) ? new Macro.Value(1) : new Macro.Unknown());
  }

  private static boolean isVersion(ApiTable.@Nullable Entry e) {
    return e != null && e.guard != null && e.guard.isVersion();
  }
}
