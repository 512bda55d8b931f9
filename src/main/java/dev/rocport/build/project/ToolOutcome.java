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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** Converts the end of a project's build and the records of the front ends to a result. */
final class ToolOutcome {
  private static final int TAIL = 6;

  /** What builds compile to learn about a compiler. */
  private static final String PROBE = "/dev/null";

  /** How many sources a note names. */
  private static final int NAMED = 5;

  private static final String RUN_TIME_COMPILER = "hiprtc";

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
    tools.compilations().stream()
        .filter(c -> !c.unit().source().equals(PROBE))
        .forEach(c -> units.add(report.of(c)));
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
      String wanted = units.isEmpty() ? "; if it needs a target or a variable, " + pass() : "";
      found.add(
          findings.project(
              file,
              program + " failed with exit code " + ended.code() + ": " + tail(ended) + wanted));
    } else if (ended.ok() && units.isEmpty()) {
      String which = String.join(" ", options.makeArguments());
      found.add(
          findings.project(
              file,
              "%s compiled nothing; %s%s"
                  .formatted(
                      which.isEmpty() ? program : program + " " + which, pass(), says(ended))));
    }
    List<String> notes = new ArrayList<>(tools.notes());
    List<Path> sources = sources();
    List<Path> left = sources.stream().filter(s -> !tools.hasRead(s)).toList();
    boolean none = left.size() == sources.size();
    // A program may compile its kernels when it runs.
    boolean atRunTime = links.stream().anyMatch(l -> l.libraries().contains(RUN_TIME_COMPILER));
    if (!left.isEmpty() && none && !atRunTime && ended.ok() && !units.isEmpty()) {
      found.add(
          findings.project(
              file, program + " compiles none of the HIP sources: " + names(left) + targets()));
    } else if (!left.isEmpty()) {
      notes.add("no command of this build compiles " + names(left) + targets());
    }
    boolean failed = !ended.ok() || !found.isEmpty();
    for (Above.Left above : mirror.left()) {
      if (failed) {
        found.add(findings.project(above.file(), above.message()));
      } else {
        notes.add(above.file() + ": " + above.message());
      }
    }
    return new PlanRunner.Outcome(units, links, found, notes);
  }

  private String targets() {
    return options.syntaxOnly()
        ? "; pass their target with --make-arg"
        : "; pass their target after the folder, or build with --plain";
  }

  /** Returns how to give make a target. */
  private String pass() {
    String another = options.makeArguments().isEmpty() ? "" : "other ";
    String what = "pass %stargets and variables for make ".formatted(another);
    return options.syntaxOnly()
        ? what + "with --make-arg, as in --make-arg TARGET --make-arg NAME=VALUE"
        : what + "after the folder";
  }

  /** Returns what a program that compiled nothing printed, such as its targets. */
  private static String says(Exec.Outcome ended) {
    List<String> lines =
        ended
            .stdout()
            .lines()
            .map(String::strip)
            .filter(l -> l.matches("(?!make(\\[\\d+])?:).*\\w.*"))
            .toList();
    return lines.isEmpty()
        ? ""
        : "; it printed: " + String.join(" / ", lines.subList(0, Math.min(TAIL, lines.size())));
  }

  /** Returns the HIP sources of the tree. */
  private List<Path> sources() throws IOException {
    return mirror.files(options.out()).keySet().stream()
        .filter(f -> Language.ofFile(f.toString()).filter(l -> l == Language.HIP).isPresent())
        .toList();
  }

  private String names(List<Path> files) {
    String more = files.size() > NAMED ? " and " + (files.size() - NAMED) + " others" : "";
    return files.stream()
            .limit(NAMED)
            .map(f -> options.root().relativize(f).toString())
            .collect(Collectors.joining(", "))
        + more;
  }

  /** Returns the last error lines of a program, joined. */
  static String tail(Exec.Outcome ended) {
    List<String> lines = ended.stderr().strip().lines().toList();
    return String.join("; ", lines.subList(Math.max(0, lines.size() - TAIL), lines.size()));
  }
}
