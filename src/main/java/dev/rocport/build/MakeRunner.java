package dev.rocport.build;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Runs a project's own make in a copy of the tree, with front ends in place of its compilers. */
final class MakeRunner {
  private static final Duration LIMIT = Duration.ofHours(12);

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
    String file = makefile(mirror.folder()).map(f -> f.getFileName().toString()).orElse("Makefile");
    return new ToolOutcome(options, mirror, tools, findings).of(file, "make", make);
  }
}
