package dev.rocport.build.check;

import dev.rocport.core.result.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The result of checking a unit of a ported tree with the compiler.
 *
 * @param path the source, as results name it
 * @param verdict the outcome
 * @param findings errors that no finding of the port explains, and what headers refuse, in order of
 *     the compiler
 * @param reason why the unit could not be checked; otherwise empty
 */
public record CheckedUnit(String path, Verdict verdict, List<Finding> findings, String reason) {

  /** Outcome for a unit, the worst last. */
  public enum Verdict {
    COMPILES,
    /** It has errors, and findings of the port or messages of headers explain all of them. */
    EXPLAINED,
    /** It needs a header or a macro that only the build of the project provides. */
    UNCHECKED,
    /** It has errors that no finding explains. */
    SILENT
  }

  public CheckedUnit {
    findings = List.copyOf(findings);
  }

  private static String place(Finding f) {
    return f.path() + ":" + f.line();
  }

  /** Returns the errors that no finding explains, in order of the compiler. */
  public List<Finding> silent() {
    return findings.stream().filter(f -> f.rule().equals(Comparison.SILENT)).toList();
  }

  /** Returns what is the same for findings that a reader needs once only. */
  static String key(Finding f) {
    String place = place(f);
    return f.rule().equals(Comparison.SILENT) ? place : place + f.message();
  }

  /** Returns the same without the findings that earlier units had, and notes the others. */
  public CheckedUnit once(Set<String> told) {
    List<Finding> first = findings.stream().filter(f -> told.add(key(f))).toList();
    return new CheckedUnit(path, verdict, first, reason);
  }

  /** Returns the same with other forms of the findings. */
  public CheckedUnit shownBy(UnaryOperator<Finding> form) {
    return new CheckedUnit(path, verdict, findings.stream().map(form).toList(), reason);
  }

  /**
   * Returns the same without findings at lines of the original that another compiler rejects. If
   * the first error that nothing explains is one of them, others may follow from it, so the unit is
   * not checked.
   *
   * @param errors the messages of that compiler, by path and line such as {@code a.cu:3}
   * @param compiler its name
   */
  public CheckedUnit without(Map<String, String> errors, String compiler) {
    List<Finding> others = findings.stream().filter(f -> !errors.containsKey(place(f))).toList();
    if (others.size() == findings.size()) {
      return this;
    }
    boolean begins =
        silent().stream().findFirst().filter(f -> errors.containsKey(place(f))).isPresent();
    if (!begins && others.stream().anyMatch(f -> f.rule().equals(Comparison.SILENT))) {
      return new CheckedUnit(path, verdict, others, reason);
    }
    Finding first = findings.stream().filter(f -> !others.contains(f)).findFirst().orElseThrow();
    String place = place(first);
    return new CheckedUnit(
        path,
        Verdict.UNCHECKED,
        others,
        "%s also rejects the original: %s: %s".formatted(compiler, place, errors.get(place)));
  }

  /**
   * Returns the same as not checked, with the first error that nothing explains in the reason.
   *
   * @param why what the unit needs
   */
  CheckedUnit unchecked(String why) {
    List<Finding> silent = silent();
    List<Finding> others = findings.stream().filter(f -> !silent.contains(f)).toList();
    String alone =
        silent.isEmpty()
            ? reason
            : "errors, such as %s: %s"
                .formatted(place(silent.getFirst()), silent.getFirst().message());
    return new CheckedUnit(
        path, Verdict.UNCHECKED, others, "%s; compiled alone: %s".formatted(why, alone));
  }

  /** Both verdicts on a source that a build compiles more than once: the worse one counts. */
  public CheckedUnit and(CheckedUnit other) {
    CheckedUnit worse = other.verdict.compareTo(verdict) > 0 ? other : this;
    List<Finding> all = new ArrayList<>(findings);
    all.addAll(other.findings);
    return new CheckedUnit(path, worse.verdict, all, worse.reason);
  }
}
