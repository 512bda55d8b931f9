package dev.rocport.cli;

import dev.rocport.report.Json;
import dev.rocport.toolchain.Check;
import dev.rocport.toolchain.Doctor;
import dev.rocport.toolchain.ToolchainException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.core.JsonGenerator;

/** {@code rocport doctor}: what the machine has, and what to do about what it lacks. */
@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    description = {
      "Looks at Java, compilers, HIP, targets, build tools and GPUs, and says what to do.",
      "Exits with 3 when ported code cannot be built here."
    })
final class DoctorCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private PageChoices page;

  DoctorCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws ToolchainException {
    List<Check> checks = Doctor.examine(ToolchainCommand.request());
    if (page.json()) {
      json(checks);
    } else {
      checks.forEach(this::line);
    }
    boolean broken = checks.stream().anyMatch(c -> c.status() == Check.Status.PROBLEM);
    return (broken ? ExitCode.TOOLCHAIN : ExitCode.OK).code();
  }

  private void line(Check c) {
    String mark = c.status().name().toLowerCase(Locale.ROOT);
    console.out().printf("%-8s %-12s %s%n", mark, c.name(), c.found());
    if (!c.advice().isEmpty()) {
      console.out().printf("%-8s %-12s -> %s%n", "", "", c.advice());
    }
  }

  /** An array of objects: {@code name}, {@code status} (ok, note, problem), found, advice. */
  private void json(List<Check> checks) {
    try (JsonGenerator g = Json.generator(console.out())) {
      g.writeStartArray();
      for (Check c : checks) {
        g.writeStartObject();
        g.writeStringProperty("name", c.name());
        g.writeStringProperty("status", c.status().name().toLowerCase(Locale.ROOT));
        g.writeStringProperty("found", c.found());
        g.writeStringProperty("advice", c.advice());
        g.writeEndObject();
      }
      g.writeEndArray();
    }
    console.out().println();
  }
}
