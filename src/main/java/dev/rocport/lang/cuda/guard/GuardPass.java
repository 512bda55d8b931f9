package dev.rocport.lang.cuda.guard;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.result.Disposition;
import dev.rocport.lang.cuda.condition.Condition;
import dev.rocport.lang.cuda.condition.Condition.Macro;
import dev.rocport.lang.cuda.condition.GuardChoice;
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
import java.util.BitSet;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Conditions on CUDA macros select under HIP what a current NVIDIA build selects, where that branch
 * can be ported, and else the branch that can. Such a macro left alone is undefined under HIP,
 * counts as 0, and silently selects the code for the oldest hardware.
 */
public final class GuardPass {
  static final String ARCH = "GUARD-ARCH";
  static final String VERSION = "GUARD-VERSION";
  static final String COMPILER = "GUARD-COMPILER";
  static final String BUILD = "GUARD-BUILD";

  /** Defined by the HIP compiler where nvcc defines {@code __CUDA_ARCH__}. */
  private static final String DEVICE_PASS = "__HIP_DEVICE_COMPILE__";

  /** Macros that are defined where a project is built for HIP, its own ones too. */
  private static final Pattern HIP_MACRO =
      Pattern.compile("(?:.*_)?(?:HIP|HIPCC|HCC|ROCM|AMD|AMDGCN|AMDGPU)(?:_.*)?");

  private final CudaFile f;
  private final Tokens t;

  /**
   * For the current chain: definitions that make the original conditions select the same branch.
   */
  private final SortedMap<String, GuardChoice.Define> defines = new TreeMap<>();

  /** For the current chain: the host pass must see __CUDA_ARCH__ as the device pass does. */
  private boolean archOnHost;

  /** For the current chain: the host pass must not see __CUDA_ARCH__. */
  private boolean noArchOnHost;

  private @Nullable Portability portability;

  /** Tokens that are not part of a directive, and those that begin device functions. */
  private final BitSet codeTokens = new BitSet();

  private final BitSet deviceTokens = new BitSet();

  /** The current chain tests a CUDA macro: then project macros also count. */
  private boolean asksForCuda;

  private GuardPass(CudaFile f) {
    this.f = f;
    this.t = f.t;
    for (int i = 0; !f.regions.chains().isEmpty() && i < t.count(); i++) {
      if (!t.inDirective(i)) {
        codeTokens.set(i);
        deviceTokens.set(i, t.is(i, "__device__") || t.is(i, "__global__"));
      }
    }
  }

  public static void run(CudaFile f) {
    GuardPass pass = new GuardPass(f);
    f.regions.chains().forEach(pass::chain);
    f.regions.chains().forEach(pass::markHip);
    pass.outsideConditions();
  }

  private void chain(Chain chain) {
    boolean arch = false;
    boolean version = false;
    for (Branch b : chain.branches()) {
      Directive d = b.directive();
      for (int i = d.body(); d.isCondition() && i < d.last(); i++) {
        GuardMacro m = macro(i);
        arch |= m != null && m.kind() == Kind.ARCHITECTURE;
        version |= m != null && m.isVersion();
      }
    }
    asksForCuda = arch || version;
    long chosenArch = arch ? choose(chain, true) : f.api.architecture.current();
    long chosenVersion = version ? choose(chain, false) : f.api.version.current();
    boolean deviceCode = arch && definesDeviceCode(chain);
    defines.clear();
    archOnHost = false;
    noArchOnHost = false;
    for (Branch b : chain.branches()) {
      Directive d = b.directive();
      for (int i = d.body(); d.isCondition() && i < d.last(); i++) {
        i = token(d, i, chosenArch, chosenVersion, deviceCode);
      }
    }
    record(chain);
    markDead(chain, chosenArch, chosenVersion);
    if (arch || version) {
      report(chain, arch ? ARCH : VERSION, chosenArch, chosenVersion);
    }
  }

  private void record(Chain chain) {
    if (archOnHost) {
      defines.replaceAll(
          (macro, d) ->
              d.when().equals(DEVICE_PASS) ? new GuardChoice.Define(macro, "", d.value()) : d);
    }
    if (!defines.isEmpty()) {
      boolean exact = !(noArchOnHost && archOnHost);
      f.guards.add(new GuardChoice(t.start(chain.from()), List.copyOf(defines.values()), exact));
    }
  }

  private void define(String macro, String when, long value) {
    defines.put(macro, new GuardChoice.Define(macro, when, Long.toString(value)));
  }

  /** Rewrites the macro at token {@code i} of a condition; returns the last token it dealt with. */
  private int token(Directive d, int i, long arch, long version, boolean deviceCode) {
    GuardMacro m = macro(i);
    if (m == null && t.isIdentifier(i) && !f.project.switches().isEmpty()) {
      String rocm = f.project.switches().get(t.text(i));
      return rocm == null || !f.changes.allows(BUILD) ? i : ofBuild(d, i, rocm);
    }
    if (m == null || !f.changes.allows(rule(m))) {
      return i;
    }
    switch (m.kind()) {
      case COMPILER -> {
        f.changes.edit(Edit.replace(t.start(i), t.end(i), m.value(), COMPILER));
        define(m.macro(), m.value(), 1);
      }
      case ARCHITECTURE -> {
        return arch(d, i, m.macro(), arch, deviceCode);
      }
      case VERSION, MAJOR, MINOR, CONSTANT -> version(d, i, m.macro(), valueOf(m, version));
    }
    return i;
  }

  /** A macro of the project's build: the one that its ROCm build defines counts as well. */
  private int ofBuild(Directive d, int i, String rocm) {
    for (int k = d.first(); k < d.last(); k++) {
      if (t.is(k, rocm)) {
        return i; // both are asked for already
      }
    }
    String cuda = t.text(i);
    define(cuda, rocm, 1);
    boolean elif = d.name().startsWith("el");
    String both = "defined(" + cuda + ") || defined(" + rocm + ")";
    if (d.name().endsWith("ndef")) {
      String none = "!defined(" + cuda + ") && !defined(" + rocm + ")";
      int from = t.start(d.first() + 1);
      f.changes.edit(Edit.replace(from, t.end(i), (elif ? "elif " : "if ") + none, BUILD));
    } else if (d.name().endsWith("def")) {
      int from = t.start(d.first() + 1);
      f.changes.edit(Edit.replace(from, t.end(i), (elif ? "elif " : "if ") + both, BUILD));
    } else if (t.is(i - 1, "defined")) {
      f.changes.edit(Edit.replace(t.start(i - 1), t.end(i), "(" + both + ")", BUILD));
    } else if (t.is(i - 1, '(') && t.is(i - 2, "defined") && t.is(i + 1, ')')) {
      f.changes.edit(Edit.replace(t.start(i - 2), t.end(i + 1), "(" + both + ")", BUILD));
      return i + 1;
    } else {
      f.changes.edit(Edit.replace(t.start(i), t.end(i), "(" + cuda + " || " + rocm + ")", BUILD));
    }
    return i;
  }

  private static String rule(GuardMacro m) {
    return switch (m.kind()) {
      case ARCHITECTURE -> ARCH;
      case COMPILER -> COMPILER;
      case VERSION, MAJOR, MINOR, CONSTANT -> VERSION;
    };
  }

  private @Nullable GuardMacro macro(int i) {
    ApiTable.Entry e = t.isIdentifier(i) ? f.api.find(t, i) : null;
    return e == null ? null : e.guard;
  }

  private int arch(Directive d, int i, String name, long arch, boolean deviceCode) {
    define(name, DEVICE_PASS, arch);
    if (isDefinedTest(d, i)) {
      noArchOnHost = true;
      f.changes.edit(Edit.replace(t.start(i), t.end(i), DEVICE_PASS, ARCH));
      return i;
    }
    int op = i + 1;
    int length = comparison(op);
    int number = op + length;
    if (length > 0
        && t.kind(number) == Tokens.NUMBER
        && !isArithmetic(number + 1, d.last())
        && !isArithmetic(i - 1, d.last())) {
      boolean device = compare(arch, t.text(op, op + length - 1), t.text(number));
      boolean host = compare(0, t.text(op, op + length - 1), t.text(number));
      String text =
          device
              ? (host || deviceCode ? "1" : DEVICE_PASS)
              : (host && !deviceCode ? "!" + DEVICE_PASS : "0");
      archOnHost |= device != host && deviceCode;
      noArchOnHost |= device != host && !deviceCode;
      String was = t.text(i, number);
      f.changes.edit(
          Edit.replace(t.start(i), t.end(number), text + " /* " + comment(was) + " */", ARCH));
      return number;
    }
    noArchOnHost = true;
    // An expression of another form: the value itself, which is 0 in the host pass as in CUDA.
    f.changes.edit(
        Edit.replace(t.start(i), t.end(i), "(" + DEVICE_PASS + " * " + arch + ")", ARCH));
    return i;
  }

  private void version(Directive d, int i, String name, long value) {
    String comment = " /* " + name + " */";
    define(name, "", value);
    if (d.name().equals("ifdef") || d.name().equals("elifdef")) {
      int s = t.start(d.first() + 1);
      String keyword = d.name().equals("ifdef") ? "if" : "elif";
      f.changes.edit(Edit.replace(s, t.end(i), keyword + " 1" + comment, VERSION));
    } else if (d.name().equals("ifndef") || d.name().equals("elifndef")) {
      int s = t.start(d.first() + 1);
      String keyword = d.name().equals("ifndef") ? "if" : "elif";
      f.changes.edit(Edit.replace(s, t.end(i), keyword + " 0" + comment, VERSION));
    } else if (t.is(i - 1, "defined")) {
      f.changes.edit(Edit.replace(t.start(i - 1), t.end(i), "1" + comment, VERSION));
    } else if (t.is(i - 1, '(') && t.is(i - 2, "defined") && t.is(i + 1, ')')) {
      f.changes.edit(Edit.replace(t.start(i - 2), t.end(i + 1), "1" + comment, VERSION));
    } else {
      f.changes.edit(Edit.replace(t.start(i), t.end(i), value + comment, VERSION));
    }
  }

  private static long valueOf(GuardMacro m, long version) {
    return switch (m.kind()) {
      case VERSION -> version;
      case MAJOR -> version / 1000;
      case MINOR -> version % 1000 / 10;
      case CONSTANT -> Long.parseLong(m.value());
      case ARCHITECTURE, COMPILER -> throw new IllegalArgumentException(m.macro());
    };
  }

  private boolean isDefinedTest(Directive d, int i) {
    return d.name().endsWith("def")
        || t.is(i - 1, "defined")
        || (t.is(i - 1, '(') && t.is(i - 2, "defined"));
  }

  /** Number of tokens of the comparison at {@code i}, or 0. */
  private int comparison(int i) {
    boolean equals = t.is(i + 1, '=') && t.touches(i);
    if (t.is(i, '=') || t.is(i, '!')) {
      return equals ? 2 : 0;
    }
    return t.is(i, '<') || t.is(i, '>') ? (equals ? 2 : 1) : 0;
  }

  private boolean isArithmetic(int i, int last) {
    return i < last
        && (t.is(i, '+') || t.is(i, '-') || t.is(i, '*') || t.is(i, '/') || t.is(i, '%'));
  }

  private static boolean compare(long a, String op, String number) {
    long b;
    try {
      b = Long.decode(number.replaceAll("[uUlL]+$", ""));
    } catch (NumberFormatException e) {
      return false;
    }
    return switch (op) {
      case "==" -> a == b;
      case "!=" -> a != b;
      case "<" -> a < b;
      case "<=" -> a <= b;
      case ">" -> a > b;
      default -> a >= b;
    };
  }

  private static String comment(String text) {
    return text.replaceAll("/\\*.*?\\*/", " ").replaceAll("\\s+", " ");
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
        return portability().isPortable(b.from(), b.to());
      }
    }
    return true; // nothing is selected
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
    if (m != null && m.kind() != Kind.COMPILER) {
      if (m.kind() != Kind.ARCHITECTURE) {
        return new Macro.Value(valueOf(m, version));
      }
      return device ? new Macro.Value(arch) : new Macro.Undefined();
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
    boolean changed =
        t.directives().stream()
            .anyMatch(
                d ->
                    (d.name().equals("define") || d.name().equals("undef"))
                        && t.is(d.body(), name));
    return changed ? new Macro.Unknown() : new Macro.Value(Long.parseLong(value));
  }

  /** Branches that neither the host nor the device pass of a HIP build takes. */
  private void markDead(Chain chain, long arch, long version) {
    boolean[] live = new boolean[chain.branches().size()];
    boolean deviceCode = definesDeviceCode(chain);
    for (boolean device : new boolean[] {true, false}) {
      if (!device && deviceCode) {
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

  /** Branches that need a HIP macro, or that none is left for once such a macro is missing. */
  private void markHip(Chain chain) {
    boolean asks = false;
    boolean taken = false;
    for (Branch b : chain.branches()) {
      Directive d = b.directive();
      for (int i = d.body(); d.isCondition() && i < d.last(); i++) {
        asks |= t.isIdentifier(i) && HIP_MACRO.matcher(t.text(i)).matches();
      }
      Boolean inCuda = taken ? Boolean.FALSE : Condition.evaluate(t, d, this::inCuda);
      if (asks && inCuda != null && !inCuda) {
        f.regions.markHip(b);
      }
      taken |= inCuda != null && inCuda;
    }
  }

  /** The value of a macro in a current NVIDIA build. */
  private Macro inCuda(String name) {
    ApiTable.Entry e = f.api.find(name);
    if (e != null && e.guard != null) {
      return e.guard.kind() == Kind.COMPILER
          ? new Macro.Value(1)
          : macro(name, f.api.architecture.current(), f.api.version.current(), true);
    }
    return HIP_MACRO.matcher(name).matches() ? new Macro.Undefined() : new Macro.Unknown();
  }

  /**
   * True if the chain, at file level, defines device functions for old hardware. In CUDA such a
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
    return any;
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
            ? "condition on a CUDA macro: HIP now selects what a current NVIDIA build selects"
            : "condition on a CUDA macro: the newest branch cannot be ported, so HIP selects the"
                + " branch for "
                + what;
    f.changes.finding(
        rule, current ? Disposition.PORTED : Disposition.REVIEW, d.start(), d.end(), message);
  }

  /** Handles CUDA macros outside conditions. */
  private void outsideConditions() {
    for (int i = 0; i < t.count(); i++) {
      GuardMacro m = macro(i);
      if (m == null || m.inCode().isEmpty() || inCondition(i) || !f.changes.allows(rule(m))) {
        continue;
      }
      String name = m.macro();
      int start = t.start(i);
      int end = t.end(i);
      switch (m.kind()) {
        case COMPILER -> f.changes.edit(Edit.replace(start, end, m.inCode(), COMPILER));
        case ARCHITECTURE -> {
          f.changes.edit(Edit.replace(start, end, m.inCode() + " /* " + name + " */", ARCH));
          f.changes.finding(
              ARCH,
              Disposition.REVIEW,
              start,
              end,
              name + " outside a condition is replaced with the value of a current NVIDIA build");
        }
        case VERSION, MAJOR, MINOR, CONSTANT -> {
          if (isDefined(i)) {
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

  private boolean inCondition(int i) {
    int d = t.directiveOf(i);
    return d >= 0 && t.directives().get(d).isCondition();
  }
}
