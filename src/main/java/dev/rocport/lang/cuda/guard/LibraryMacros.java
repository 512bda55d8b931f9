package dev.rocport.lang.cuda.guard;

import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Severity;
import dev.rocport.lang.cuda.condition.Regions.Branch;
import dev.rocport.lang.cuda.condition.Regions.Chain;
import dev.rocport.lang.cuda.lex.Directive;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.pass.CudaFile;
import dev.rocport.lang.cuda.symbols.ProjectIndex;
import dev.rocport.rules.ApiName;
import dev.rocport.rules.GuardMacro;
import dev.rocport.rules.GuardMacro.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The macros for versions of CUDA libraries in one file. A condition on them gets a version only if
 * nothing else in the file needs the macro, which stays undefined in HIP builds, and if the macro
 * is known to come from a header of the library.
 */
final class LibraryMacros {
  private static final String ADVICE =
      "Write a condition for HIP builds, or define the macro in them with the version to select.";

  private final CudaFile f;
  private final Tokens t;

  /** Macros that the file defines or undefines. */
  private final Set<String> changed = new HashSet<>();

  /** By library, the first token of one of its macros that is not compared with a number. */
  private final Map<String, Integer> otherUses = new HashMap<>();

  /** Macros outside conditions. */
  private final List<Integer> uses = new ArrayList<>();

  private final Map<String, Boolean> own = new HashMap<>();

  /** Includes of headers of CUDA, in order. */
  private final List<Included> headers = new ArrayList<>();

  /**
   * A header that is known to be included where a later place is compiled that all its guards
   * surround.
   *
   * @param path as in the API table
   * @param guards the branches around the include
   */
  private record Included(String path, int from, Set<String> guards) {}

  /**
   * What is done about a chain.
   *
   * @param first the first condition on a macro of a library; null if there is none
   * @param macro its macro
   * @param libraries those that the chain tests, each with its version
   * @param obstacle why it is not edited; empty if it is
   */
  record Verdict(
      @Nullable Directive first, String macro, SortedSet<String> libraries, String obstacle) {
    boolean isEdited() {
      return first != null && obstacle.isEmpty();
    }
  }

  /**
   * Reads a file.
   *
   * @param macros its tokens that are guard macros
   */
  LibraryMacros(CudaFile f, List<Integer> macros) {
    this.f = f;
    this.t = f.t;
    for (Directive d : t.directives()) {
      if (d.name().equals("define") || d.name().equals("undef")) {
        changed.add(t.text(d.body()));
      }
    }
    boolean found = false;
    for (int i : macros) {
      GuardMacro m = at(i);
      if (m == null) {
        continue;
      }
      found = true;
      int d = t.directiveOf(i);
      boolean condition = d >= 0 && t.directives().get(d).isCondition();
      if (!condition) {
        uses.add(i);
      }
      if (!condition || !isCompared(t.directives().get(d), i)) {
        otherUses.putIfAbsent(m.libraryName(), i);
      }
    }
    if (found) {
      findHeaders();
    }
  }

  /** True if the file defines or undefines a macro. */
  boolean changes(String macro) {
    return changed.contains(macro);
  }

  /** True if the project defines the macro: then its version is the project's. */
  boolean isOwn(GuardMacro m) {
    return m.kind() == Kind.LIBRARY
        && own.computeIfAbsent(
            m.macro(),
            name ->
                changed.contains(name)
                    || f.project.declaresUnknown(name)
                    || f.project.commands().define(name));
  }

  /** The macro at a token, unless it is the project's own. */
  private @Nullable GuardMacro at(int i) {
    GuardMacro m = GuardPass.macro(f, i);
    return m != null && m.kind() == Kind.LIBRARY && !isOwn(m) ? m : null;
  }

  /** Decides about a chain. */
  Verdict verdict(Chain chain) {
    @Nullable Directive first = null;
    String macro = "";
    String obstacle = "";
    SortedSet<String> libraries = new TreeSet<>();
    Set<String> prefixes = new HashSet<>();
    for (Branch b : chain.branches()) {
      Directive d = b.directive();
      for (int i = d.body(); d.isCondition() && i < d.last(); i++) {
        GuardMacro m = at(i);
        if (m == null) {
          continue;
        }
        if (first == null) {
          first = d;
          macro = m.macro();
        }
        libraries.add(m.library());
        prefixes.add(m.libraryName().toUpperCase(Locale.ROOT) + "_");
        obstacle = obstacle.isEmpty() ? obstacle(chain, m) : obstacle;
      }
    }
    if (first != null && obstacle.isEmpty()) {
      obstacle = unknown(chain, prefixes);
    }
    return new Verdict(first, macro, libraries, obstacle);
  }

  private String obstacle(Chain chain, GuardMacro m) {
    Integer other = otherUses.get(m.libraryName());
    if (other != null) {
      return "line %d uses %s other than in a comparison with a number"
          .formatted(f.source.line(t.start(other)), t.text(other));
    }
    if (f.project == ProjectIndex.EMPTY) {
      return "the macros of the project are not known";
    }
    String stem = m.libraryName().toLowerCase(Locale.ROOT);
    boolean included =
        headers.stream()
            .anyMatch(
                h ->
                    h.from() < chain.from()
                        && h.path().matches(stem + "[^a-z].*")
                        && guards(chain.from()).containsAll(h.guards()));
    return included
        ? ""
        : "no header of "
            + m.libraryName()
            + " is included in this file before the condition and in all cases in which it counts";
  }

  /** A macro that has the name of one of the library and is none that is known. */
  private String unknown(Chain chain, Set<String> prefixes) {
    for (Branch b : chain.branches()) {
      Directive d = b.directive();
      for (int i = d.body(); d.isCondition() && i < d.last(); i++) {
        String name = t.isIdentifier(i) ? t.text(i) : "";
        if (prefixes.stream().anyMatch(name::startsWith) && at(i) == null) {
          return "the value of " + name + " is not known";
        }
      }
    }
    return "";
  }

  /**
   * True in {@code MACRO >= 1} as a whole condition, or as a part of it that is true or false, and
   * in {@code defined(MACRO) && MACRO >= 1}.
   */
  private boolean isCompared(Directive d, int i) {
    if (ConditionEdits.isDefinedTest(t, d, i)) {
      return !d.name().endsWith("def") && isBeforeComparison(d, i);
    }
    int length = ConditionEdits.comparison(t, i + 1);
    int next = length == 0 ? 0 : afterNumber(i + 1 + length);
    boolean begins =
        i == d.body()
            || isLogical(i - 2)
            || (t.is(i - 1, '(') && (i - 2 < d.body() || !t.isIdentifier(i - 2)));
    boolean ends = next == d.last() || t.is(next, ')') || isLogical(next);
    return next > 0 && begins && ends;
  }

  /** True in {@code defined(MACRO) &&} if a comparison of the macro follows. */
  private boolean isBeforeComparison(Directive d, int i) {
    int next = t.is(i - 1, '(') ? i + 2 : i + 1;
    for (int k = next; isLogical(next) && t.is(next, '&') && k < d.last(); k++) {
      if (t.is(k, t.text(i)) && !ConditionEdits.isDefinedTest(t, d, k) && isCompared(d, k)) {
        return true;
      }
    }
    return false;
  }

  /** The token after a number, or sums and products of numbers in brackets; 0 for others. */
  private int afterNumber(int i) {
    if (t.kind(i) == Tokens.NUMBER) {
      return t.text(i).matches("[0-9]{1,9}[uUlL]*") ? i + 1 : 0;
    }
    int close = t.is(i, '(') ? t.match(i) : -1;
    for (int k = i; k <= close; k++) {
      boolean number = t.kind(k) == Tokens.NUMBER && t.text(k).matches("[0-9]{1,9}[uUlL]*");
      if (!number && !t.is(k, '(') && !t.is(k, ')') && !t.is(k, '+') && !t.is(k, '*')) {
        return 0;
      }
    }
    return close > i ? close + 1 : 0;
  }

  private boolean isLogical(int i) {
    return t.touches(i)
        && ((t.is(i, '&') && t.is(i + 1, '&')) || (t.is(i, '|') && t.is(i + 1, '|')));
  }

  private void findHeaders() {
    for (Directive d : t.directives()) {
      String path = d.isInclude() ? t.included(d) : "";
      ApiName known = path.isEmpty() ? null : f.api.header(path);
      if (known != null && f.project.header(f.source.path(), path) == ProjectIndex.Own.NO) {
        headers.add(new Included(known.cuda(), d.first(), guards(d.first())));
      }
    }
  }

  /**
   * The branches around a token: those with a condition of their own by its text, which holds
   * everywhere in the file, and others by their place.
   */
  private Set<String> guards(int i) {
    Set<String> guards = new HashSet<>();
    for (Chain c : f.regions.chains()) {
      for (Branch b : c.branches()) {
        if (b.from() <= i && i < b.to()) {
          Directive d = b.directive();
          boolean first = d.first() == c.from();
          guards.add(
              first && isConstant(d) ? t.text(d.first() + 1, d.last() - 1) : "at " + b.from());
        }
      }
    }
    return guards;
  }

  /** Whether the file changes no macro of a condition. */
  private boolean isConstant(Directive d) {
    for (int i = d.body(); i < d.last(); i++) {
      if (t.isIdentifier(i) && changed.contains(t.text(i))) {
        return false;
      }
    }
    return true;
  }

  /** Reports a chain on a library. */
  void report(Verdict v) {
    Directive d = v.first();
    if (d == null) {
      return;
    }
    if (v.isEdited()) {
      f.changes.finding(
          GuardPass.LIBRARY,
          Disposition.REVIEW,
          d.start(),
          d.end(),
          "condition on %s: HIP builds now select the branch for %s"
              .formatted(v.macro(), String.join(" and ", v.libraries())));
      return;
    }
    f.changes.finding(
        GuardPass.LIBRARY,
        Severity.WARNING,
        Disposition.REVIEW,
        d.start(),
        d.end(),
        ("condition on %s is unchanged: %s;"
                + " HIP builds select the branch for when the macro is not defined")
            .formatted(v.macro(), v.obstacle()),
        ADVICE);
  }

  /** Reports macros outside conditions, one a line. */
  void reportUses() {
    int line = -1;
    for (int i : uses) {
      int here = f.source.line(t.start(i));
      if (here != line) {
        f.tell(
            GuardPass.LIBRARY,
            Severity.WARNING,
            Disposition.REVIEW,
            t.start(i),
            t.end(i),
            t.text(i) + " outside a condition: the AMD library does not define it",
            "Use the version of the AMD library, which is numbered differently.");
      }
      line = here;
    }
  }
}
