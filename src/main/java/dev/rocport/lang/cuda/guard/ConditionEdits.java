package dev.rocport.lang.cuda.guard;

import dev.rocport.core.edit.Edit;
import dev.rocport.lang.cuda.condition.GuardChoice;
import dev.rocport.lang.cuda.condition.Regions.Chain;
import dev.rocport.lang.cuda.lex.Directive;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.pass.CudaFile;
import dev.rocport.rules.GuardMacro;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Rewrites the CUDA macros in the conditions of one chain at a time. */
final class ConditionEdits {
  /** Defined by the HIP compiler in both passes. */
  private static final String HIP = "__HIPCC__";

  private final CudaFile f;
  private final Tokens t;

  /** Definitions that make the original conditions select the same branch. */
  private final SortedMap<String, GuardChoice.Define> defines = new TreeMap<>();

  /** The host pass must see __CUDA_ARCH__ as the device pass does. */
  private boolean archOnHost;

  /** The host pass must not see __CUDA_ARCH__. */
  private boolean noArchOnHost;

  /** Conditions of the chain on versions of libraries are edited. */
  private boolean libraries;

  /** The project's own build for HIP, if the chain keeps its meaning there. */
  private @Nullable OwnHipBuild own;

  /** The branches define macros for both sides of HIP and for other compilers. */
  private boolean bothSides;

  ConditionEdits(CudaFile f) {
    this.f = f;
    this.t = f.t;
  }

  /**
   * Begins with another chain.
   *
   * @param spaceMacros whether the host pass of HIP takes the branch of the device pass
   * @param ownHip the project's own build for HIP if the version of CUDA selects a branch in it
   */
  void begin(boolean withLibraries, boolean spaceMacros, @Nullable OwnHipBuild ownHip) {
    own = ownHip;
    libraries = withLibraries;
    bothSides = spaceMacros;
    defines.clear();
    archOnHost = false;
    noArchOnHost = false;
  }

  void record(Chain chain) {
    if (archOnHost) {
      defines.replaceAll(
          (macro, d) ->
              d.when().equals(GuardPass.DEVICE_PASS)
                  ? new GuardChoice.Define(macro, "", d.value())
                  : d);
    }
    if (!defines.isEmpty()) {
      boolean exact = !(noArchOnHost && archOnHost) && own == null;
      f.guards.add(new GuardChoice(t.start(chain.from()), List.copyOf(defines.values()), exact));
    }
  }

  private void define(String macro, String when, long value) {
    defines.put(macro, new GuardChoice.Define(macro, when, Long.toString(value)));
  }

  /** Rewrites the macro at token {@code i} of a condition; returns the last token it dealt with. */
  int token(Directive d, int i, long arch, long version, boolean deviceCode) {
    GuardMacro m = GuardPass.macro(f, i);
    if (m == null && t.isIdentifier(i) && !f.project.switches().isEmpty()) {
      String rocm = f.project.switches().get(t.text(i));
      return rocm == null || !f.changes.allows(GuardPass.BUILD) ? i : ofBuild(d, i, rocm);
    }
    if (m == null || !f.changes.allows(GuardPass.rule(m))) {
      return i;
    }
    if (m.kind() == GuardMacro.Kind.LIBRARY && !libraries) {
      return i;
    }
    switch (m.kind()) {
      case COMPILER -> {
        f.changes.edit(Edit.replace(t.start(i), t.end(i), m.value(), GuardPass.COMPILER));
        define(m.macro(), m.value(), 1);
      }
      case ARCHITECTURE -> {
        return arch(d, i, m.macro(), arch, deviceCode);
      }
      case VERSION, MAJOR, MINOR, CONSTANT, LIBRARY ->
          version(d, i, m, GuardPass.valueOf(m, version));
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
      f.changes.edit(
          Edit.replace(from, t.end(i), (elif ? "elif " : "if ") + none, GuardPass.BUILD));
    } else if (d.name().endsWith("def")) {
      int from = t.start(d.first() + 1);
      f.changes.edit(
          Edit.replace(from, t.end(i), (elif ? "elif " : "if ") + both, GuardPass.BUILD));
    } else if (t.is(i - 1, "defined")) {
      f.changes.edit(Edit.replace(t.start(i - 1), t.end(i), "(" + both + ")", GuardPass.BUILD));
    } else if (t.is(i - 1, '(') && t.is(i - 2, "defined") && t.is(i + 1, ')')) {
      f.changes.edit(Edit.replace(t.start(i - 2), t.end(i + 1), "(" + both + ")", GuardPass.BUILD));
      return i + 1;
    } else {
      f.changes.edit(
          Edit.replace(t.start(i), t.end(i), "(" + cuda + " || " + rocm + ")", GuardPass.BUILD));
    }
    return i;
  }

  private int arch(Directive d, int i, String name, long arch, boolean deviceCode) {
    if (bothSides) {
      define(name, HIP, arch);
      f.changes.edit(Edit.replace(t.start(i), t.end(i), HIP, GuardPass.ARCH));
      return i;
    }
    define(name, GuardPass.DEVICE_PASS, arch);
    if (isDefinedTest(t, d, i)) {
      noArchOnHost = true;
      f.changes.edit(Edit.replace(t.start(i), t.end(i), GuardPass.DEVICE_PASS, GuardPass.ARCH));
      return i;
    }
    int op = i + 1;
    int length = comparison(t, op);
    int number = op + length;
    if (length > 0
        && t.kind(number) == Tokens.NUMBER
        && !isArithmetic(number + 1, d.last())
        && !isArithmetic(i - 1, d.last())) {
      boolean device = compare(arch, t.text(op, op + length - 1), t.text(number));
      boolean host = compare(0, t.text(op, op + length - 1), t.text(number));
      String text =
          device
              ? (host || deviceCode ? "1" : GuardPass.DEVICE_PASS)
              : (host && !deviceCode ? "!" + GuardPass.DEVICE_PASS : "0");
      archOnHost |= device != host && deviceCode;
      noArchOnHost |= device != host && !deviceCode;
      String was = t.text(i, number);
      f.changes.edit(
          Edit.replace(
              t.start(i), t.end(number), text + " /* " + comment(was) + " */", GuardPass.ARCH));
      return number;
    }
    noArchOnHost = true;
    // An expression of another form: the value itself, which is 0 in the host pass as in CUDA.
    f.changes.edit(
        Edit.replace(
            t.start(i),
            t.end(i),
            "(" + GuardPass.DEVICE_PASS + " * " + arch + ")",
            GuardPass.ARCH));
    return i;
  }

  private void version(Directive d, int i, GuardMacro m, long value) {
    String comment = " /* " + m.macro() + " */";
    String rule = GuardPass.rule(m);
    if (own != null && m.isVersion()) {
      if (!own.isAlways()) {
        ownVersion(d, i, m, value, own.condition());
      }
      return;
    }
    define(m.macro(), "", value);
    if (d.name().equals("ifdef") || d.name().equals("elifdef")) {
      int s = t.start(d.first() + 1);
      String keyword = d.name().equals("ifdef") ? "if" : "elif";
      f.changes.edit(Edit.replace(s, t.end(i), keyword + " 1" + comment, rule));
    } else if (d.name().equals("ifndef") || d.name().equals("elifndef")) {
      int s = t.start(d.first() + 1);
      String keyword = d.name().equals("ifndef") ? "if" : "elif";
      f.changes.edit(Edit.replace(s, t.end(i), keyword + " 0" + comment, rule));
    } else if (t.is(i - 1, "defined")) {
      f.changes.edit(Edit.replace(t.start(i - 1), t.end(i), "1" + comment, rule));
    } else if (t.is(i - 1, '(') && t.is(i - 2, "defined") && t.is(i + 1, ')')) {
      f.changes.edit(Edit.replace(t.start(i - 2), t.end(i + 1), "1" + comment, rule));
    } else {
      f.changes.edit(Edit.replace(t.start(i), t.end(i), value + comment, rule));
    }
  }

  /**
   * Gives a macro a version except in the project's own build for HIP.
   *
   * @param hip the condition of this build
   */
  private void ownVersion(Directive d, int i, GuardMacro m, long value, String hip) {
    String name = m.macro();
    String isDefined = "!" + hip + " || defined(" + name + ")";
    String isUndefined = hip + " && !defined(" + name + ")";
    boolean bracket = t.is(i - 1, '(') && t.is(i - 2, "defined") && t.is(i + 1, ')');
    boolean test = bracket || t.is(i - 1, "defined");
    int first = bracket ? i - 2 : test ? i - 1 : i;
    int last = bracket ? i + 1 : i;
    String until = f.source.text(t.start(d.body()), t.end(last));
    if (until.endsWith(isDefined) || until.endsWith(isUndefined) || t.is(i - 1, '?')) {
      return; // an earlier port
    }
    define(name, "", value);
    String keyword = d.name().startsWith("el") ? "elif " : "if ";
    if (d.name().endsWith("def")) {
      first = d.first() + 1;
    }
    String text =
        d.name().endsWith("ndef")
            ? keyword + isUndefined
            : d.name().endsWith("def")
                ? keyword + isDefined
                : test ? "(" + isDefined + ")" : "(" + hip + " ? " + name + " : " + value + ")";
    f.changes.edit(Edit.replace(t.start(first), t.end(last), text, GuardPass.VERSION));
  }

  static boolean isDefinedTest(Tokens t, Directive d, int i) {
    return d.name().endsWith("def")
        || t.is(i - 1, "defined")
        || (t.is(i - 1, '(') && t.is(i - 2, "defined"));
  }

  /** Number of tokens of the comparison at {@code i}, or 0. */
  static int comparison(Tokens t, int i) {
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
}
