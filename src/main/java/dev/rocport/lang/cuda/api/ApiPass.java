package dev.rocport.lang.cuda.api;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Severity;
import dev.rocport.core.result.Versions;
import dev.rocport.lang.cuda.condition.Regions;
import dev.rocport.lang.cuda.lex.Directive;
import dev.rocport.lang.cuda.lex.MacroParameters;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.names.ApiTable;
import dev.rocport.lang.cuda.names.CallPattern;
import dev.rocport.lang.cuda.pass.CallRewriter;
import dev.rocport.lang.cuda.pass.CudaFile;
import dev.rocport.lang.cuda.pass.HipWarpPass;
import dev.rocport.lang.cuda.shmem.ShmemPass;
import dev.rocport.lang.cuda.symbols.Declarations;
import dev.rocport.lang.cuda.symbols.SharedNames;
import dev.rocport.rules.ApiName;
import dev.rocport.rules.ApiName.Kind;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Renames API names, and reports names without a counterpart. */
public final class ApiPass {
  static final String UNKNOWN = "API-UNKNOWN";
  static final String OWN = "API-OWN";
  private static final String NVML_LOADED = "NVML-LOADED";
  private static final Pattern NVML_LIBRARY =
      Pattern.compile("\"(?:[^\"\\s]*/)?libnvidia-ml\\.so(?:\\.\\d+)*\"");

  private static final Pattern PARTS = Pattern.compile("::");

  private final CudaFile f;
  private final Tokens t;

  /** Findings that a name has once in a file: the pass runs backwards, so the first use wins. */
  private final Map<String, Runnable> firsts = new HashMap<>();

  private final RocmDifferences differences;
  private final RegisteredMemory registered;
  private final MemberNames members;
  private final ShmemPass shmem;
  private final Map<String, Integer> aliases;

  /** The CUDA names that branches for other platforms define. */
  private final Set<String> foreign = new HashSet<>();

  private ApiPass(CudaFile f) {
    this.f = f;
    this.t = f.t;
    this.differences = new RocmDifferences(f, firsts);
    this.registered = new RegisteredMemory(f);
    this.members = new MemberNames(f);
    this.shmem = new ShmemPass(f);
    this.aliases = NamespaceAliases.of(t);
    f.regions
        .foreign()
        .filter(i -> t.isIdentifier(i) && Declarations.defines(t, i))
        .forEach(i -> foreign.add(t.text(i)));
  }

  public static void run(CudaFile f) {
    ApiPass pass = new ApiPass(f);
    // Backwards: wrappers of inner calls must be known before those of the calls around them.
    for (int i = f.t.count() - 1; i >= 0; i--) {
      if (f.t.isIdentifier(i)) {
        pass.identifier(i);
      } else if (f.t.kind(i) == Tokens.STRING) {
        pass.string(i);
      }
    }
    pass.firsts.values().forEach(Runnable::run);
    pass.shmem.finish();
  }

  /** {@code "libnvidia-ml.so.1"} is loaded when the program runs, and its functions by name. */
  private void string(int i) {
    if (NVML_LIBRARY.matcher(t.text(i)).matches()) {
      f.unported(
          NVML_LOADED,
          i,
          i,
          t.text(i) + " is loaded at run time, but AMD GPUs have no library with these functions",
          f.api.rule(NVML_LOADED).advice());
    }
  }

  private void identifier(int i) {
    ApiTable.Entry e = f.api.find(t, i);
    if (e == null) {
      Integer alias = !aliases.isEmpty() && t.isPair(i + 1, ':') ? aliases.get(t.text(i)) : null;
      if (alias != null) {
        qualifiedByAlias(alias, i);
        return;
      }
      if (UnknownNames.isSuspect(t, i) && !f.dropped.contains(i)) {
        unknown(i);
      }
      return;
    }
    if ((e.vanishes && !t.inDirective(i)) || f.dropped.contains(i)) {
      return;
    }
    if (!e.members.isEmpty() && members.handle(e, i)) {
      return;
    }
    if (!e.qualified.isEmpty() && t.isPair(i + 1, ':') && (standard(e, i) || qualified(e, i))) {
      return;
    }
    ApiName name = f.nameOf(e);
    boolean own = f.isOwn(e.text, i);
    if (!own && name != null && f.regions.isForeign(i) && foreign.contains(e.text)) {
      foreign(name, i);
      return;
    }
    if (own && name != null && !f.isQualified(i) && !f.regions.isDead(i)) {
      own(name, i);
    }
    if (name != null && name.kind() == Kind.NAMESPACE) {
      if (!own && isNamespaceUse(i)) {
        rename(name, i, i);
      }
      return;
    }
    if (f.isQualified(i)
        || own
        || isMacroParameter(i)
        || e.guard != null
        || isDefinition(name, i)) {
      return;
    }
    if (!e.shmem.isEmpty()) {
      shmem.name(e, i);
      return;
    }
    for (CallPattern p : e.patterns) {
      if (f.changes.allows(p.rule().id()) && CallRewriter.rewrite(f, p, i, name)) {
        if (name == null || CallRewriter.replacesName(p)) {
          f.needsRuntime = true;
          return;
        }
        break;
      }
    }
    if (name != null && isOfMissingHeader(name, i)) {
      unknown(i);
    } else if (name != null) {
      rename(name, i, i);
    }
  }

  /** A name of the CUDA samples, such as {@code CUDA_SAFE_CALL}, whose header nothing includes. */
  private boolean isOfMissingHeader(ApiName name, int i) {
    return name.family().equals(IncludePass.SAMPLES)
        && f.api.target(name).equals(name.cuda())
        && UnknownNames.isSuspect(t, i)
        && !f.project.shared().contains(SharedNames.SAMPLES)
        && !SharedNames.includesSamples(t);
  }

  /** Reports where a name of the project meets the name of CUDA. */
  private void own(ApiName name, int i) {
    String target = f.api.target(name);
    if (target.isEmpty() || target.equals(name.cuda())) {
      return;
    }
    if (Declarations.isExternal(t, i)) {
      own(
          i,
          name.cuda()
              + " is defined here and keeps its name; files that do not see this definition use "
              + target);
    } else if (f.project.mixedNames(f.source.path()).contains(name.cuda())) {
      firsts.put(
          name.cuda(),
          () ->
              own(
                  i,
                  name.cuda()
                      + " is defined by the project in some translation units and by CUDA in"
                      + " others; left unchanged"));
    } else if (Declarations.defines(t, i) && isAlternative(i)) {
      own(
          i,
          name.cuda()
              + " is defined here and keeps its name in all branches; the branch that includes a"
              + " CUDA header needs "
              + target);
    }
  }

  /** True if another branch of a conditional around this token includes a header of CUDA. */
  private boolean isAlternative(int i) {
    return f.regions.chains().stream()
        .filter(c -> c.branches().stream().anyMatch(b -> b.from() <= i && i < b.to()))
        .flatMap(c -> c.branches().stream())
        .filter(b -> i < b.from() || i >= b.to())
        .anyMatch(this::includesCuda);
  }

  private boolean includesCuda(Regions.Branch b) {
    return t.directives().stream()
        .filter(d -> d.isInclude() && b.from() <= d.first() && d.first() < b.to())
        .anyMatch(d -> f.api.header(t.included(d)) != null);
  }

  /** Keeps a name in the branch that defines it for another platform, with a finding there. */
  private void foreign(ApiName name, int i) {
    String target = f.api.target(name);
    if (Declarations.defines(t, i) && !target.isEmpty() && !target.equals(name.cuda())) {
      own(
          i,
          name.cuda()
              + " is defined here for a platform that is neither CUDA nor HIP, and keeps its name"
              + " in this branch; other code uses "
              + target);
    }
  }

  private void own(int i, String message) {
    f.changes.finding(OWN, Disposition.REVIEW, t.start(i), t.end(i), message);
  }

  /** No definition can have a name with a scope, and one that HIP never compiles needs none. */
  private boolean isDefinition(@Nullable ApiName name, int i) {
    boolean kept = f.regions.isDead(i) || (name != null && f.api.target(name).contains("::"));
    return kept && Declarations.defines(t, i);
  }

  /** A parameter of the macro being defined is not the API's name. */
  private boolean isMacroParameter(int i) {
    int d = t.directiveOf(i);
    if (d < 0 || !t.directives().get(d).name().equals("define")) {
      return false;
    }
    Directive define = t.directives().get(d);
    return i == define.body() // a macro that the project defines under this name
        || MacroParameters.of(t, define).contains(t.text(i));
  }

  private boolean isNamespaceUse(int i) {
    if (f.isQualified(i)) {
      return false;
    }
    return t.isPair(i + 1, ':')
        || t.is(i - 1, "namespace")
        || (t.is(i - 1, '=') && t.is(i - 3, "namespace"))
        || (t.isPair(i - 1, ':') && t.is(i - 2, '=') && t.is(i - 4, "namespace"));
  }

  /**
   * Ports {@code namespace impl = cuda::std;} if the file uses the alias for names alone that
   * {@code std} has as well. What the alias is elsewhere, such as for other compilers, stays.
   */
  private boolean standard(ApiTable.Entry e, int i) {
    boolean alias =
        t.is(i + 2, "std") && t.is(i + 3, ';') && t.is(i - 1, '=') && t.is(i - 3, "namespace");
    if (!alias || f.isQualified(i) || f.isOwn(e.text) || f.regions.isDead(i)) {
      return false;
    }
    ApiName used = null;
    for (int k = 0; k < t.count(); k++) {
      if (!t.isSame(k, i - 2) || f.isQualified(k)) {
        continue;
      }
      if (t.is(k - 1, "namespace") && t.is(k + 1, '=')) {
        continue; // this alias or another one of the name
      }
      used = t.isPair(k + 1, ':') ? counterpart(e, t.text(k + 2)) : null;
      if (used == null) {
        return false;
      }
    }
    if (used == null || !f.changes.allows(used.family())) {
      return false;
    }
    f.changes.edit(Edit.replace(t.start(i), t.end(i + 2), "std", used.family()));
    return true;
  }

  /** The row of a name in {@code cuda::std} that is in {@code std}, or null. */
  private @Nullable ApiName counterpart(ApiTable.Entry e, String name) {
    return e.qualified.stream()
        .filter(n -> n.cuda().equals("cuda::std::" + name))
        .filter(n -> f.api.target(n).equals("std::" + name))
        .findFirst()
        .orElse(null);
  }

  private boolean qualified(ApiTable.Entry e, int i) {
    if (f.isQualified(i) || f.isOwn(e.text)) {
      return false;
    }
    for (ApiName n : e.qualified) {
      List<String> parts = PARTS.splitAsStream(n.cuda()).toList();
      if (follow(parts.subList(1, parts.size()), i) && !f.isOwn(n.cuda())) {
        rename(n, i, i + 2 * (parts.size() - 1));
        return true;
      }
    }
    return false;
  }

  /** A name that begins with an alias, such as {@code cg} for {@code cooperative_groups}. */
  private void qualifiedByAlias(int namespace, int i) {
    ApiTable.Entry e = f.api.find(t, namespace);
    if (e == null || f.isQualified(i) || f.isOwn(e.text)) {
      return;
    }
    for (ApiName n : e.qualified) {
      List<String> parts = PARTS.splitAsStream(n.cuda()).toList();
      int common = NamespaceAliases.parts(t, namespace);
      if (common < parts.size()
          && follow(parts.subList(1, common), namespace)
          && follow(parts.subList(common, parts.size()), i)) {
        rename(n, i, i + 2 * (parts.size() - common));
        return;
      }
    }
  }

  /** Whether these parts come after the identifier at {@code i}, each after {@code ::}. */
  private boolean follow(List<String> parts, int i) {
    for (int k = 0; k < parts.size(); k++) {
      if (!t.isPair(i + 2 * k + 1, ':') || !t.is(i + 2 * k + 2, parts.get(k))) {
        return false;
      }
    }
    return true;
  }

  private void rename(ApiName name, int first, int last) {
    String rule = name.family();
    String target = f.api.target(name);
    int start = t.start(first);
    int end = t.end(last);
    if (target.isEmpty()) {
      unsupported(name, first, last);
      return;
    }
    if (f.regions.isDead(first)) {
      // Never compiled for HIP: renamed for the reader, nothing to report.
    } else if (!name.needs().isEmpty() && Versions.compare(name.needs(), f.options.hip()) > 0) {
      once(
          name,
          Severity.WARNING,
          Disposition.REVIEW,
          start,
          end,
          name.cuda() + " becomes " + target + ", which needs HIP " + name.needs(),
          name.advice());
    } else if (target.equals(name.cuda()) && f.api.rule(rule).severity() == Severity.WARNING) {
      once(
          name,
          Severity.WARNING,
          Disposition.REVIEW,
          start,
          end,
          name.cuda() + " compiles, but does not work on AMD GPUs",
          name.advice());
    } else if (!name.advice().isEmpty() && name.kind() != Kind.NAMESPACE) {
      once(
          name,
          Severity.NOTE,
          Disposition.PORTED,
          start,
          end,
          target.equals(name.cuda())
              ? target + " keeps its name, with a difference"
              : name.cuda() + " becomes " + target + ", with a difference",
          name.advice());
    }
    differences.note(target, first, last);
    registered.note(name, first);
    if (isRuntime(name) && !isDeclaredHere(name, first)) {
      f.needsRuntime = true;
    }
    if (HipWarpPass.isOwn(f, first, rule)) {
      firsts.put(HipWarpPass.RULE, () -> HipWarpPass.tell(f, first));
      return;
    }
    if (target.contains("::") && Regions.asksForMacro(t, first)) {
      return; // #ifndef __shfl_sync: no macro has a name with a scope
    }
    if (!target.equals(name.cuda()) && f.changes.allows(rule)) {
      String shim = f.api.shim(rule);
      if (shim != null) {
        f.shims.add(shim);
      }
      boolean tagged =
          name.kind() == Kind.TYPEDEF && (t.is(first - 1, "struct") || t.is(first - 1, "enum"));
      f.changes.edit(Edit.replace(tagged ? t.start(first - 1) : start, end, target, rule));
    }
  }

  /** A type that keeps its name, such as {@code half}, may be a variable or come from elsewhere. */
  private boolean isRuntime(ApiName name) {
    boolean kept = name.kind() == Kind.TYPE && f.api.target(name).equals(name.cuda());
    return !kept
        && (name.family().equals("API-RUNTIME")
            || name.family().equals("API-DRIVER")
            || name.family().equals("API-DEVICE"));
  }

  /** An opaque handle needs no header in a file that declares it, as CUDA's header does. */
  private boolean isDeclaredHere(ApiName name, int i) {
    return name.kind() == Kind.TYPE
        && (f.repeats(name.cuda())
            || (t.is(i - 2, "typedef") && t.is(i - 1, "struct") && t.is(i + 1, '*')));
  }

  private void unsupported(ApiName name, int first, int last) {
    if (name.kind() == Kind.DEVICE && !t.is(last + 1, '(')) {
      return; // an intrinsic counts where it is called
    }
    if (name.family().equals(IncludePass.SAMPLES) && f.project.hasOwn(name.cuda())) {
      return; // a copy of the header, wherever it is in the tree
    }
    String where = f.regions.isDead(first) ? " (in a branch that HIP does not compile)" : "";
    String message = name.cuda() + " has no counterpart" + where;
    f.unported(name.family(), first, last, message, name.advice());
  }

  /** Reports each name once per file: further findings would add nothing. */
  private void once(
      ApiName name,
      Severity severity,
      Disposition disposition,
      int start,
      int end,
      String message,
      String advice) {
    firsts.put(
        name.cuda(),
        () -> f.changes.finding(name.family(), severity, disposition, start, end, message, advice));
  }

  private void unknown(int i) {
    String text = t.text(i);
    if (f.isQualified(i) || f.isOwn(text) || isMacroParameter(i)) {
      return;
    }
    ApiName prefix = f.api.prefix(text);
    if (prefix != null) {
      f.unported(prefix.family(), i, i, text + " has no counterpart", prefix.advice());
    } else if (!f.regions.isDead(i)) {
      firsts.put(
          text,
          () ->
              f.changes.finding(
                  UNKNOWN,
                  Disposition.REVIEW,
                  t.start(i),
                  t.end(i),
                  text + " looks like an unknown CUDA name; left unchanged"));
    }
  }
}
