package dev.rocport.lang.cuda.guard;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.result.Disposition;
import dev.rocport.lang.cuda.condition.Condition;
import dev.rocport.lang.cuda.condition.Condition.Macro;
import dev.rocport.lang.cuda.condition.Regions.Branch;
import dev.rocport.lang.cuda.condition.Regions.Chain;
import dev.rocport.lang.cuda.lex.Directive;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.names.ApiTable;
import dev.rocport.lang.cuda.pass.CudaFile;
import dev.rocport.lang.cuda.symbols.ProjectCommands;
import dev.rocport.rules.GuardMacro;
import dev.rocport.rules.GuardMacro.Kind;
import dev.rocport.rules.GuardTable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Ports conditions on CUDA macros: under HIP, they select the branch of a current NVIDIA build or,
 * if that branch cannot be ported, a branch that can. Such a macro left alone is undefined under
 * HIP, counts as 0, and silently selects the code for the oldest hardware.
 */
public final class GuardPass {
  static final String ARCH = "GUARD-ARCH";
  static final String VERSION = "GUARD-VERSION";
  static final String LIBRARY = "GUARD-LIBRARY";
  static final String COMPILER = "GUARD-COMPILER";
  static final String BUILD = "GUARD-BUILD";

  /** Defined by the HIP compiler where nvcc defines {@code __CUDA_ARCH__}. */
  static final String DEVICE_PASS = "__HIP_DEVICE_COMPILE__";

  private final CudaFile f;
  private final Tokens t;

  /** The tokens that are guard macros, in order. */
  private final List<Integer> macros;

  private final ConditionEdits edits;
  private final LibraryMacros libraries;
  private final Branches branches;
  private final OwnHipBuild ownHip;
  private @Nullable Portability portability;

  /** What conditions on the version of CUDA that occur several times select, by their text. */
  private final Map<String, Long> versions = new HashMap<>();

  /** Tokens that are not part of a directive, and those that begin device functions. */
  private final BitSet codeTokens = new BitSet();

  private final BitSet deviceTokens = new BitSet();

  /** Words before which {@code __host__} was added for one of two branches. */
  private final Set<Integer> spaced = new HashSet<>();

  /** The current chain tests a CUDA macro: then project macros also count. */
  private boolean asksForCuda;

  /** Conditions of the current chain on versions of libraries are edited. */
  private boolean editsLibraries;

  private GuardPass(CudaFile f) {
    this.f = f;
    this.t = f.t;
    this.edits = new ConditionEdits(f);
    this.macros = IntStream.range(0, t.count()).filter(i -> macro(f, i) != null).boxed().toList();
    this.libraries = new LibraryMacros(f, macros);
    this.branches = new Branches(f.t);
    this.ownHip = new OwnHipBuild(f);
    for (int i = 0; !f.regions.chains().isEmpty() && i < t.count(); i++) {
      if (!t.inDirective(i)) {
        codeTokens.set(i);
        deviceTokens.set(i, t.is(i, "__device__") || t.is(i, "__global__"));
      }
    }
  }

  public static void run(CudaFile f) {
    GuardPass pass = new GuardPass(f);
    pass.decideTogether();
    f.regions.chains().forEach(pass::chain);
    new PlatformBranches(f, pass.libraries).mark();
    pass.outsideConditions();
  }

  /**
   * Lets conditions that say the same of the version of CUDA select the same: one branch can define
   * what another uses.
   */
  private void decideTogether() {
    Map<String, List<Chain>> same = new LinkedHashMap<>();
    for (Chain chain : f.regions.chains()) {
      if (asks(chain, GuardMacro::isVersion)) {
        same.computeIfAbsent(condition(chain), k -> new ArrayList<>()).add(chain);
      }
    }
    same.values().removeIf(chains -> chains.size() == 1);
    same.forEach(
        (condition, chains) -> {
          long lowest = f.api.version.current();
          for (Chain chain : chains) {
            begin(chain);
            lowest = Math.min(lowest, choose(chain, false));
          }
          versions.put(condition, lowest);
        });
  }

  private String condition(Chain chain) {
    Directive d = chain.branches().getFirst().directive();
    return t.text(d.first(), d.last() - 1);
  }

  private boolean asks(Chain chain, Predicate<GuardMacro> kind) {
    for (Branch b : chain.branches()) {
      Directive d = b.directive();
      for (int i = d.body(); d.isCondition() && i < d.last(); i++) {
        GuardMacro m = macro(f, i);
        if (m != null && kind.test(m)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Makes a chain the current one. */
  private LibraryMacros.Verdict begin(Chain chain) {
    asksForCuda =
        asks(chain, m -> m.kind() == Kind.ARCHITECTURE) || asks(chain, GuardMacro::isVersion);
    LibraryMacros.Verdict verdict = libraries.verdict(chain);
    editsLibraries = verdict.isEdited();
    return verdict;
  }

  /** The version of CUDA that the current chain is to select. */
  private long version(Chain chain) {
    long together = versions.getOrDefault(condition(chain), f.api.version.current());
    return together < f.api.version.current() && isPortable(chain, together, false)
        ? together
        : choose(chain, false);
  }

  private void chain(Chain chain) {
    LibraryMacros.Verdict verdict = begin(chain);
    boolean arch = asks(chain, m -> m.kind() == Kind.ARCHITECTURE);
    boolean version = asks(chain, GuardMacro::isVersion);
    long chosenArch = arch ? choose(chain, true) : f.api.architecture.current();
    long chosenVersion = version ? version(chain) : f.api.version.current();
    boolean deviceCode = arch && definesDeviceCode(chain);
    Optional<List<Integer>> deviceWords = arch && !version ? spaceMacros(chain) : Optional.empty();
    boolean own = version && ownHip.depends(chain);
    edits.begin(editsLibraries, deviceWords.isPresent(), own ? ownHip : null);
    for (int word : deviceWords.orElse(List.of())) {
      f.changes.edit(Edit.before(t.start(word), "__host__ ", ARCH));
    }
    if (arch && !version && deviceWords.isEmpty()) {
      spaceFunctions(chain);
    }
    for (Branch b : chain.branches()) {
      Directive d = b.directive();
      for (int i = d.body(); d.isCondition() && i < d.last(); i++) {
        i = edits.token(d, i, chosenArch, chosenVersion, deviceCode);
      }
    }
    edits.record(chain);
    markDead(chain, chosenArch, chosenVersion, own);
    libraries.report(verdict);
    if (own) {
      reportOwn(chain, chosenVersion);
    }
    if (arch || (version && !own)) {
      report(chain, arch ? ARCH : VERSION, chosenArch, chosenVersion);
    }
  }

  /**
   * Returns each {@code __device__} of macros that are for the device if the condition {@code
   * defined(__CUDA_ARCH__)} holds, alone or with others.
   */
  private Optional<List<Integer>> spaceMacros(Chain chain) {
    Directive last = chain.branches().getLast().directive();
    boolean both = // the macros are defined in the host pass as well
        chain.hasElse()
            || IntStream.range(last.body(), last.last()).noneMatch(i -> macro(f, i) != null);
    return both && isForOne(chain, true)
        ? new SpaceMacros(t, f.project.shared()).deviceWords(chain)
        : Optional.empty();
  }

  /** Makes device functions of the device pass functions of the host, too, if the host has them. */
  private void spaceFunctions(Chain chain) {
    List<Branch> branches = chain.branches();
    if (branches.size() != 2 || !chain.hasElse()) {
      return;
    }
    boolean first = isForOne(chain, true);
    if (!first && !isForOne(chain, false)) {
      return;
    }
    Branch device = branches.get(first ? 0 : 1);
    Branch host = branches.get(first ? 1 : 0);
    new DeviceConstants(f).port(device, host, ARCH);
    for (int word : new SpaceBranches(t).deviceWords(device, host)) {
      if (spaced.add(word)) {
        f.changes.edit(Edit.before(t.start(word), "__host__ ", ARCH));
      }
    }
  }

  /**
   * Returns whether the first condition asks for {@code defined(__CUDA_ARCH__)}, alone or with
   * others, and can hold in one pass only.
   */
  private boolean isForOne(Chain chain, boolean device) {
    Directive d = chain.branches().getFirst().directive();
    for (int i = d.body(); i < d.last(); i++) {
      GuardMacro m = macro(f, i);
      if (m != null && m.kind() == Kind.ARCHITECTURE && !ConditionEdits.isDefinedTest(t, d, i)) {
        return false;
      }
    }
    long arch = f.api.architecture.current();
    long version = f.api.version.current();
    return !Boolean.FALSE.equals(evaluate(d, arch, version, device))
        && Boolean.FALSE.equals(evaluate(d, arch, version, !device))
        && f.changes.allows(ARCH);
  }

  static String rule(GuardMacro m) {
    return switch (m.kind()) {
      case ARCHITECTURE -> ARCH;
      case COMPILER -> COMPILER;
      case VERSION, MAJOR, MINOR, CONSTANT -> VERSION;
      case LIBRARY -> LIBRARY;
    };
  }

  static @Nullable GuardMacro macro(CudaFile f, int i) {
    ApiTable.Entry e = f.t.isIdentifier(i) ? f.api.find(f.t, i) : null;
    return e == null ? null : e.guard;
  }

  static long valueOf(GuardMacro m, long version) {
    return switch (m.kind()) {
      case VERSION -> version;
      case MAJOR -> version / 1000;
      case MINOR -> version % 1000 / 10;
      case CONSTANT, LIBRARY -> Long.parseLong(m.value());
      case ARCHITECTURE, COMPILER -> throw new IllegalArgumentException(m.macro());
    };
  }

  /**
   * The newest architecture (or version) whose branch can be ported; the current one if none can.
   */
  private long choose(Chain chain, boolean arch) {
    GuardTable.Range range = arch ? f.api.architecture : f.api.version;
    long current = range.current();
    SortedSet<Long> candidates = new TreeSet<>();
    for (Branch b : chain.branches()) {
      Directive d = b.directive();
      for (int i = d.body(); i < d.last(); i++) {
        if (t.kind(i) == Tokens.NUMBER && t.text(i).matches("[0-9]{1,18}")) {
          long n = Long.parseLong(t.text(i));
          candidates.add(n);
          candidates.add(n - 1);
        }
      }
    }
    if (isPortable(chain, current, arch)) {
      return current;
    }
    for (long c : candidates.headSet(current).reversed()) {
      if (c >= range.oldest() && isPortable(chain, c, arch)) {
        return c;
      }
    }
    return current;
  }

  private boolean isPortable(Chain chain, long value, boolean arch) {
    long a = arch ? value : f.api.architecture.current();
    long v = arch ? f.api.version.current() : value;
    for (Branch b : chain.branches()) {
      Boolean taken = evaluate(b.directive(), a, v, true);
      if (taken == null || taken) {
        return portability().isPortable(b.from(), b.to()) && isCode(chain, b);
      }
    }
    return !branches.isWholeKernel(chain); // nothing is selected
  }

  /** False if the branch is no code for other hardware, but says that there is none. */
  private boolean isCode(Chain chain, Branch b) {
    return !branches.refuses(b) && (branches.hasCode(b) || !branches.isWholeKernel(chain));
  }

  private Portability portability() {
    Portability p = portability;
    if (p == null) {
      p = new Portability(f);
      portability = p;
    }
    return p;
  }

  private @Nullable Boolean evaluate(Directive d, long arch, long version, boolean device) {
    return Condition.evaluate(t, d, name -> macro(name, arch, version, device));
  }

  private Macro macro(String name, long arch, long version, boolean device) {
    ApiTable.Entry e = f.api.find(name);
    GuardMacro m = e == null ? null : e.guard;
    if (m != null && m.kind() == Kind.ARCHITECTURE) {
      return device ? new Macro.Value(arch) : new Macro.Undefined();
    }
    if (m != null && m.kind() != Kind.COMPILER && !libraries.isOwn(m)) {
      if (!f.changes.allows(rule(m))) {
        // The condition stays, and HIP has no such macro. For the version of CUDA, what any branch
        // has is reported: a run may ask for other rules only.
        return m.kind() == Kind.LIBRARY ? new Macro.Undefined() : new Macro.Unknown();
      }
      return m.kind() == Kind.LIBRARY && !editsLibraries
          ? new Macro.Unknown()
          : new Macro.Value(valueOf(m, version));
    }
    return switch (name) {
      case "__HIP_PLATFORM_AMD__", "__clang__" -> new Macro.Value(1);
      case DEVICE_PASS -> device ? new Macro.Value(1) : new Macro.Undefined();
      default -> asksForCuda ? ofProject(name) : new Macro.Unknown();
    };
  }

  /** The definitions of the project commands, unless the file itself redefines them. */
  private Macro ofProject(String name) {
    ProjectCommands.Unit unit = f.project.commands().units().get(f.source.path());
    String value = unit == null ? null : unit.defines().get(name);
    if (value == null || !value.matches("[0-9]{1,9}")) {
      return new Macro.Unknown();
    }
    return libraries.changes(name) ? new Macro.Unknown() : new Macro.Value(Long.parseLong(value));
  }

  /**
   * Branches that neither the host nor the device pass of a HIP build takes.
   *
   * @param own whether the project's own build for HIP depends on the version of CUDA
   */
  private void markDead(Chain chain, long arch, long version, boolean own) {
    boolean[] live = new boolean[chain.branches().size()];
    boolean deviceCode = definesDeviceCode(chain);
    if (own) {
      ownHip.mark(chain, live);
    }
    for (boolean device : new boolean[] {true, false}) {
      if ((!device && deviceCode) || (own && ownHip.isAlways())) {
        continue; // rewritten so that the host pass selects what the device pass does
      }
      for (int i = 0; i < live.length; i++) {
        Boolean taken = evaluate(chain.branches().get(i).directive(), arch, version, device);
        live[i] |= taken == null || taken;
        if (taken != null && taken) {
          break;
        }
      }
    }
    for (int i = 0; i < live.length; i++) {
      if (!live[i]) {
        f.regions.markDead(chain.branches().get(i));
      }
    }
  }

  /**
   * True if the chain, outside functions, defines device functions for old hardware. In CUDA such a
   * definition can appear in the host pass; in HIP it would conflict with the definition in the
   * header.
   */
  private boolean definesDeviceCode(Chain chain) {
    boolean any = false;
    for (Branch b : chain.branches()) {
      boolean device = isIn(deviceTokens, b);
      if (isIn(codeTokens, b) && !device) {
        return false; // a host version of the same
      }
      any |= device;
    }
    return any && !branches.isInFunction(chain);
  }

  private static boolean isIn(BitSet tokens, Branch b) {
    int next = tokens.nextSetBit(b.from());
    return next >= 0 && next < b.to();
  }

  private void report(Chain chain, String rule, long arch, long version) {
    Directive d = chain.branches().getFirst().directive();
    boolean current = arch == f.api.architecture.current() && version == f.api.version.current();
    String what =
        rule.equals(ARCH)
            ? "hardware before sm_" + (arch + 1) / 10
            : "CUDA before " + (version + 1) / 1000;
    String message =
        current
            ? "condition on a CUDA macro: HIP builds now select the same branch as a build for a"
                + " recent NVIDIA GPU"
            : "condition on a CUDA macro: the newest branch cannot be ported, so HIP builds select"
                + " the branch for "
                + what;
    f.changes.finding(
        rule, current ? Disposition.PORTED : Disposition.REVIEW, d.start(), d.end(), message);
  }

  /** Reports a condition that keeps its meaning in the project's own build for HIP. */
  private void reportOwn(Chain chain, long version) {
    Directive d = chain.branches().getFirst().directive();
    String why =
        ", in which the project maps CUDA names to HIP itself, and HIP defines no such macro";
    String message =
        ownHip.isAlways()
            ? "condition on the version of CUDA is unchanged: it counts in the project's HIP build"
                + why
            : "condition on the version of CUDA is unchanged for builds with "
                + ownHip.condition()
                + why
                + "; other HIP builds select the branch for CUDA "
                + version / 1000;
    f.changes.finding(VERSION, Disposition.REVIEW, d.start(), d.end(), message);
  }

  /** Handles CUDA macros outside conditions. */
  private void outsideConditions() {
    libraries.reportUses();
    for (int i : macros) {
      GuardMacro m = macro(f, i);
      if (m == null || m.inCode().isEmpty() || inCondition(i) || !f.changes.allows(rule(m))) {
        continue;
      }
      String name = m.macro();
      int start = t.start(i);
      int end = t.end(i);
      switch (m.kind()) {
        case COMPILER -> f.changes.edit(Edit.replace(start, end, m.inCode(), COMPILER));
        case ARCHITECTURE -> {
          if (isDefined(i)) {
            continue; // a value for the host, where it does not exist
          }
          f.changes.edit(Edit.replace(start, end, m.inCode() + " /* " + name + " */", ARCH));
          f.changes.finding(
              ARCH,
              Disposition.REVIEW,
              start,
              end,
              name
                  + " outside a condition becomes the value that it has when nvcc compiles for a"
                  + " recent NVIDIA GPU");
        }
        case VERSION, MAJOR, MINOR, CONSTANT, LIBRARY -> {
          if (isDefined(i)) {
            continue;
          }
          if (isAsserted(i)) {
            String value = valueOf(m, f.api.version.current()) + " /* " + name + " */";
            f.changes.edit(Edit.replace(start, end, value, VERSION));
            continue;
          }
          f.changes.edit(Edit.replace(start, end, m.inCode(), VERSION));
          f.needsRuntime = true;
          f.changes.finding(
              VERSION,
              Disposition.REVIEW,
              start,
              end,
              name + " in code is replaced with " + m.inCode() + ", which is numbered differently");
        }
      }
    }
  }

  private boolean isDefined(int i) {
    return t.is(i - 1, "define") || t.is(i - 1, "undef");
  }

  /** A condition of {@code static_assert}, which is like one of the preprocessor. */
  private boolean isAsserted(int i) {
    int k = t.before(i);
    while (k >= 0 && !t.is(k, ';') && !t.is(k, '{') && !t.is(k, '}')) {
      if (t.is(k, '(') && t.is(k - 1, "static_assert")) {
        return true;
      }
      k = t.before(k);
    }
    return false;
  }

  private boolean inCondition(int i) {
    int d = t.directiveOf(i);
    return d >= 0 && t.directives().get(d).isCondition();
  }
}
