package dev.rocport.build.check;

import dev.rocport.core.result.Finding;
import java.util.ArrayList;
import java.util.List;
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

  /** Returns the same with other forms of the findings. */
  public CheckedUnit shownBy(UnaryOperator<Finding> form) {
    return new CheckedUnit(path, verdict, findings.stream().map(form).toList(), reason);
  }

  /** Both verdicts on a source that a build compiles more than once: the worse one counts. */
  public CheckedUnit and(CheckedUnit other) {
    CheckedUnit worse = other.verdict.compareTo(verdict) > 0 ? other : this;
    List<Finding> all = new ArrayList<>(findings);
    all.addAll(other.findings);
    return new CheckedUnit(path, worse.verdict, all, worse.reason);
  }
}
