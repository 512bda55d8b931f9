package dev.rocport.build.run;

import dev.rocport.build.compile.Compilation;
import dev.rocport.build.compile.Compiler;
import dev.rocport.build.compile.Diagnostic;
import dev.rocport.build.unit.Unit;
import dev.rocport.core.result.Finding;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Converts a compilation to the result of its unit. */
public final class UnitReport {
  private final List<String> targets;
  private final BuildFindings findings;

  public UnitReport(List<String> targets, BuildFindings findings) {
    this.targets = targets;
    this.findings = findings;
  }

  public UnitResult of(Compilation made) {
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
        unit, status, made.seconds(), sides, kernels, warnings, found, made.message());
  }
}
