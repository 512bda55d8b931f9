package dev.rocport.build;

import dev.rocport.report.Finding;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Runs a project's own make in a copy of the tree, with front ends in place of its compilers. */
final class MakeRunner {
  private static final Duration LIMIT = Duration.ofHours(12);
  private static final int TAIL = 6;

  private final BuildOptions options;
  private final Mirror mirror;
  private final ToolRunner tools;
  private final BuildFindings findings;

  MakeRunner(BuildOptions options, Mirror mirror, ToolRunner tools, BuildFindings findings) {
    this.options = options;
    this.mirror = mirror;
    this.tools = tools;
    this.findings = findings;
  }

  /** The makefile of a folder, unless CMake has made it. */
  static Optional<Path> makefile(Path folder) throws IOException {
    for (String name : List.of("GNUmakefile", "makefile", "Makefile")) {
      Path file = folder.resolve(name);
      if (Files.isRegularFile(file)) {
        String text = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        return text.startsWith("# CMAKE generated file") ? Optional.empty() : Optional.of(file);
      }
    }
    return Optional.empty();
  }

  PlanRunner.Outcome run(Path frontEnds) throws IOException, InterruptedException, PlanException {
    mirror.create(options.out());
    Exec.Outcome make;
    try (FrontEnds programs = new FrontEnds(frontEnds, mirror.compilers(), tools)) {
      List<String> command = new ArrayList<>();
      command.addAll(List.of("make", "--keep-going", "-j" + options.jobs()));
      mirror.variables().forEach(v -> command.add(v + "=" + frontEnds));
      command.addAll(options.makeArguments());
      String path = programs.bin() + ":" + System.getenv().getOrDefault("PATH", "/usr/bin:/bin");
      try {
        make =
            Exec.run(
                command,
                mirror.folder(),
                Map.of("PATH", path, "MAKEFLAGS", "", "MAKELEVEL", "0"),
                LIMIT,
                () -> tools.idle().compareTo(options.timeout()) > 0);
      } catch (IOException e) {
        throw new PlanException("make cannot be started: install it, or build with --plain");
      }
    }
    Files.writeString(options.out().resolve("make.log"), make.stdout() + make.stderr());
    return outcome(make);
  }

  private PlanRunner.Outcome outcome(Exec.Outcome make) throws IOException {
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
    String file = makefile(mirror.folder()).map(f -> f.getFileName().toString()).orElse("Makefile");
    tools.problems().forEach(p -> found.add(findings.project(file, p)));
    for (String nvidia : mirror.nvidiaFiles()) {
      found.add(findings.project(file, nvidia + " was made by NVIDIA's compiler, not by HIP's"));
    }
    boolean explained = !found.isEmpty() || units.stream().anyMatch(u -> !u.ok());
    if (make.timedOut()) {
      found.add(
          findings.project(
              file,
              "make was stopped: it called no compiler for %d seconds, or wrote without end; %s"
                  .formatted(options.timeout().toSeconds(), "a longer --timeout lets it wait")));
    } else if (!make.ok() && !explained) {
      found.add(findings.project(file, "make ended with " + make.code() + ": " + tail(make)));
    } else if (make.ok() && units.isEmpty()) {
      found.add(findings.project(file, "make compiled nothing: name a goal behind the folder"));
    }
    return new PlanRunner.Outcome(units, links, found, tools.notes());
  }

  private static String tail(Exec.Outcome make) {
    List<String> lines = make.stderr().strip().lines().toList();
    return String.join("; ", lines.subList(Math.max(0, lines.size() - TAIL), lines.size()));
  }
}
