package dev.rocport.cli.port;

import dev.rocport.build.PortCheck;
import dev.rocport.build.check.CheckedUnit;
import dev.rocport.build.check.CheckedUnit.Verdict;
import dev.rocport.build.check.Surroundings;
import dev.rocport.build.compile.SystemHeaders;
import dev.rocport.build.plan.PlanException;
import dev.rocport.cli.support.BuildSteps;
import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.ExitCode;
import dev.rocport.cli.toolchain.ToolchainCommand;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.Finding;
import dev.rocport.core.source.SourceTree;
import dev.rocport.io.TemporaryFolder;
import dev.rocport.port.Porter;
import dev.rocport.rules.Changes;
import dev.rocport.rules.Rule;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.provision.Toolchains;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** {@code port --check}: the results of a port with the errors of the compiler in them. */
final class CheckedPort {
  private static final String UNCHECKED = "PORT-UNCHECKED";

  /** The target of the device side; the sources of the targets differ in a few names only. */
  private static final String TARGET = "gfx942";

  /** So many units that were not checked have a line in the summary. */
  private static final int NAMED = 5;

  private final List<FileResult> results;
  private final PortCheck.Checked checked;

  /** Why there was no check; empty if there was one. */
  private final Optional<Exception> obstacle;

  private CheckedPort(
      List<FileResult> results, PortCheck.Checked checked, Optional<Exception> obstacle) {
    this.results = results;
    this.checked = checked;
    this.obstacle = obstacle;
  }

  /**
   * Checks a ported tree.
   *
   * @param root the ported tree
   * @param original the tree that was ported; empty if the port replaced it
   * @param files the files that were ported
   * @param porter for files outside the tree
   * @param checks how the tree is compiled
   * @param ported the results of the port
   * @param names paths in the ported tree of files whose path changed
   */
  static CheckedPort of(
      Console console,
      boolean quiet,
      RuleCatalog catalog,
      Path root,
      Optional<Path> original,
      SourceTree files,
      Porter porter,
      int jobs,
      CheckChoices checks,
      List<FileResult> ported,
      Map<String, String> names)
      throws IOException, InterruptedException {
    try (TemporaryFolder scratch = TemporaryFolder.create("rocport-check")) {
      Toolchain toolchain =
          Toolchains.require(ToolchainCommand.request(), ToolchainCommand.progress(console, quiet));
      Surroundings around =
          original.isPresent()
              ? Surroundings.of(
                  files, root, scratch.path(), porter, SystemHeaders.of(toolchain)::has)
              : Surroundings.none(root);
      PortCheck.Checked checked =
          new PortCheck(
                  around,
                  original,
                  checks.nvcc(original),
                  jobs,
                  checks.arguments(),
                  toolchain,
                  catalog,
                  BuildSteps.of(console, quiet))
              .run(TARGET, scratch.path().resolve("build"), ported, p -> names.getOrDefault(p, p));
      return new CheckedPort(
          with(ported, checked, names, catalog.require(UNCHECKED)), checked, Optional.empty());
    } catch (PlanException | ToolchainException e) {
      return new CheckedPort(ported, new PortCheck.Checked(List.of(), List.of()), Optional.of(e));
    }
  }

  /** Returns the exit code if nothing could be checked; the files are ported all the same. */
  Optional<ExitCode> failure() {
    return obstacle.map(e -> e instanceof ToolchainException ? ExitCode.TOOLCHAIN : ExitCode.USAGE);
  }

  List<FileResult> results() {
    return results;
  }

  String summary() {
    if (obstacle.isPresent()) {
      return "rocport: the files are ported, but --check could not check them: "
          + obstacle.get().getMessage();
    }
    return summary(checked);
  }

  /**
   * Returns a line of numbers, then lines about the build and about units that were not checked.
   */
  static String summary(PortCheck.Checked checked) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "check for %s and the host: %s; %s; %s; %s"
            .formatted(
                TARGET,
                count(checked, Verdict.COMPILES, "unit compiles", "units compile"),
                count(
                    checked,
                    Verdict.EXPLAINED,
                    "fails with errors that findings explain",
                    "fail with errors that findings explain"),
                count(
                    checked,
                    Verdict.SILENT,
                    "has errors without a finding",
                    "have errors without a finding"),
                count(checked, Verdict.UNCHECKED, "could not be checked", "could not be checked")));
    for (Finding f : checked.build()) {
      lines.add(
          "  %s: %s; units that the build does not compile were checked with flags from the files"
              .formatted(f.path(), f.message()));
    }
    List<CheckedUnit> not =
        checked.units().stream().filter(u -> u.verdict() == Verdict.UNCHECKED).toList();
    not.stream()
        .limit(NAMED)
        .forEach(u -> lines.add("  not checked: %s: %s".formatted(u.path(), u.reason())));
    if (not.size() > NAMED) {
      lines.add("  not checked: and %d more (PORT-UNCHECKED)".formatted(not.size() - NAMED));
    }
    return String.join("\n", lines);
  }

  private static String count(PortCheck.Checked checked, Verdict verdict, String one, String more) {
    long n = checked.units().stream().filter(u -> u.verdict() == verdict).count();
    return n + " " + (n == 1 ? one : more);
  }

  /**
   * Adds the findings of a check. Those on files that the port has no result for, such as generated
   * sources, go to the source of their unit, or to the first file: none is lost.
   *
   * @param names paths in the ported tree of files whose path changed
   * @param unchecked the rule of units that could not be checked
   */
  static List<FileResult> with(
      List<FileResult> ported,
      PortCheck.Checked checked,
      Map<String, String> names,
      Rule unchecked) {
    if (ported.isEmpty()) {
      return ported;
    }
    Set<String> known = new HashSet<>();
    Map<String, String> originals = new HashMap<>();
    for (FileResult file : ported) {
      known.add(file.path());
      originals.put(names.getOrDefault(file.path(), file.path()), file.path());
    }
    String first = ported.getFirst().path();
    List<Finding> more = new ArrayList<>();
    for (CheckedUnit unit : checked.units()) {
      String named = originals.getOrDefault(unit.path(), unit.path());
      String source = known.contains(named) ? named : first;
      for (Finding f : unit.findings()) {
        more.add(known.contains(f.path()) ? f : at(source, f));
      }
      if (unit.verdict() == Verdict.UNCHECKED) {
        String which = source.equals(named) ? "" : named + ": ";
        String message = which + "not checked: " + unit.reason();
        more.add(Changes.ofFile(unchecked, source, message));
      }
    }
    for (Finding f : checked.build()) {
      String named = originals.getOrDefault(f.path(), f.path());
      more.add(Changes.ofFile(unchecked, known.contains(named) ? named : first, f.message()));
    }
    Map<String, List<Finding>> byFile = more.stream().collect(Collectors.groupingBy(Finding::path));
    return ported.stream().map(f -> with(f, byFile.getOrDefault(f.path(), List.of()))).toList();
  }

  private static FileResult with(FileResult file, List<Finding> more) {
    List<Finding> all = new ArrayList<>(file.findings());
    all.addAll(more);
    all.sort(Comparator.comparingInt(Finding::line).thenComparingInt(Finding::column));
    return more.isEmpty() ? file : file.with(all, file.suppressed());
  }

  private static Finding at(String path, Finding f) {
    return new Finding(
        f.rule(),
        f.severity(),
        f.disposition(),
        path,
        0,
        0,
        0,
        0,
        "%s:%d: %s".formatted(f.path(), f.line(), f.message()),
        f.advice(),
        f.snippet(),
        f.fingerprint());
  }
}
