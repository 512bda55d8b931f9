package dev.rocport.build;

import dev.rocport.report.Finding;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Turns what the compiler did with a unit into its result. */
final class UnitReport {
  private final List<String> targets;
  private final BuildFindings findings;

  UnitReport(List<String> targets, BuildFindings findings) {
    this.targets = targets;
    this.findings = findings;
  }

  UnitResult of(Compilation made) {
    Unit unit = made.unit();
    SortedMap<String, Boolean> sides = new TreeMap<>();
    SortedMap<String, Integer> kernels = new TreeMap<>();
    if (unit.hasDeviceCode()) {
      targets.forEach(t -> sides.put(t, !made.failed().contains(t)));
      made.code().forEach(c -> kernels.put(c.target(), c.kernels().size()));
    }
    sides.put(Compiler.HOST, !made.failed().contains(Compiler.HOST));
    long warnings =
        made.diagnostics().stream().filter(d -> d.level() == Diagnostic.Level.WARNING).count();
    List<Finding> found = findings.of(made);
    UnitResult.Status status =
        switch (made.status()) {
          case COMPILED -> UnitResult.Status.COMPILED;
          case CACHED -> UnitResult.Status.CACHED;
          case FAILED ->
              findings.onlyTooOld(made) ? UnitResult.Status.TOO_NEW : UnitResult.Status.FAILED;
        };
    return new UnitResult(
        unit.path(),
        unit.language(),
        status,
        made.seconds(),
        sides,
        kernels,
        warnings,
        found,
        made.message());
  }
}
