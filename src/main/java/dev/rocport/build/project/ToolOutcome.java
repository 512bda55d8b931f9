package dev.rocport.build.project;

import dev.rocport.build.link.LinkResult;
import dev.rocport.build.plan.BuildOptions;
import dev.rocport.build.run.BuildFindings;
import dev.rocport.build.run.PlanRunner;
import dev.rocport.build.run.UnitReport;
import dev.rocport.build.run.UnitResult;
import dev.rocport.build.unit.Language;
import dev.rocport.core.result.Finding;
import dev.rocport.io.process.Exec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Converts the end of a project's build and the records of the front ends to a result. */
final class ToolOutcome {
  private static final int TAIL = 6;

  /** How many sources a note names. */
  private static final int NAMED = 5;

  private final BuildOptions options;
  private final Mirror mirror;
  private final ToolRunner tools;
  private final BuildFindings findings;

  ToolOutcome(BuildOptions options, Mirror mirror, ToolRunner tools, BuildFindings findings) {
    this.options = options;
    this.mirror = mirror;
    this.tools = tools;
    this.findings = findings;
  }

  /**
   * @param file the build file for findings
   * @param program name of the command in findings
   */
  PlanRunner.Outcome of(String file, String program, Exec.Outcome ended) throws IOException {
    List<UnitResult> units = new ArrayList<>();
    UnitReport report = new UnitReport(options.targets(), findings);
    tools.compilations().forEach(c -> units.add(report.of(c)));
    units.sort(Comparator.comparing(UnitResult::path));
    List<LinkResult> links = tools.links();
    List<Finding> found = new ArrayList<>();
    for (LinkResult l : links) {
      if (l.status() == LinkResult.Status.FAILED) {
        String path = l.inputs().isEmpty() ? l.name() : l.inputs().getFirst();
        found.add(findings.link(path, l.name() + ": " + l.message()));
      }
    }
    tools.problems().forEach(p -> found.add(findings.project(file, p)));
    for (String nvidia : mirror.nvidiaFiles()) {
      found.add(findings.project(file, nvidia + " was compiled by nvcc; build it with hipcc"));
    }
    boolean explained = !found.isEmpty() || units.stream().anyMatch(u -> !u.ok());
    if (ended.timedOut()) {
      found.add(
          findings.project(
              file,
              "%s was stopped: it called no compiler for %d seconds, or wrote too much output; %s"
                  .formatted(
                      program, options.timeout().toSeconds(), "raise the limit with --timeout")));
    } else if (!ended.ok() && !explained) {
      found.add(
          findings.project(
              file, program + " failed with exit code " + ended.code() + ": " + tail(ended)));
    } else if (ended.ok() && units.isEmpty()) {
      found.add(
          findings.project(
              file, program + " compiled nothing; pass a make target after the folder"));
    }
    List<String> notes = new ArrayList<>(tools.notes());
    leftOut().ifPresent(notes::add);
    boolean failed = !ended.ok() || !found.isEmpty();
    for (Above.Left left : mirror.left()) {
      if (failed) {
        found.add(findings.project(left.file(), left.message()));
      } else {
        notes.add(left.file() + ": " + left.message());
      }
    }
    return new PlanRunner.Outcome(units, links, found, notes);
  }

  /** Returns a note about HIP sources that no command of the build compiled. */
  private Optional<String> leftOut() throws IOException {
    List<String> left =
        mirror.files(options.out()).keySet().stream()
            .filter(f -> Language.ofFile(f.toString()).filter(l -> l == Language.HIP).isPresent())
            .filter(f -> !tools.hasRead(f))
            .map(f -> options.root().relativize(f).toString())
            .toList();
    if (left.isEmpty()) {
      return Optional.empty();
    }
    String more = left.size() > NAMED ? " and " + (left.size() - NAMED) + " others" : "";
    return Optional.of(
        "no command of this build compiles "
            + String.join(", ", left.subList(0, Math.min(NAMED, left.size())))
            + more
            + "; pass their target after the folder, or build with --plain");
  }

  /** Returns the last error lines of a program, joined. */
  static String tail(Exec.Outcome ended) {
    List<String> lines = ended.stderr().strip().lines().toList();
    return String.join("; ", lines.subList(Math.max(0, lines.size() - TAIL), lines.size()));
  }
}
