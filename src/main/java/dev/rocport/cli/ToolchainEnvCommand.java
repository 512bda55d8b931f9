package dev.rocport.cli;

import dev.rocport.report.Json;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.Toolchains;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.core.JsonGenerator;

/** {@code rocport toolchain env}: lines for a shell to evaluate. */
@Command(
    name = "env",
    mixinStandardHelpOptions = true,
    description = "Prints what a shell or a build needs: eval \"$(rocport toolchain env)\".")
final class ToolchainEnvCommand implements Callable<Integer> {
  private final Console console;

  @Option(
      names = "--target",
      paramLabel = "GFX",
      split = ",",
      description = "Targets in HIPFLAGS (default: all that the toolchain was tried with).")
  private List<String> targets = List.of();

  @Option(
      names = "--format",
      paramLabel = "text|json",
      defaultValue = "text",
      converter = ReportChoices.FormatName.class,
      description = "Form of the output.")
  private ReportChoices.Format format;

  ToolchainEnvCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws ToolchainException {
    Toolchain t =
        Toolchains.require(
            ToolchainCommand.request().withoutProvisioning(),
            ToolchainCommand.progress(console, false));
    Map<String, String> variables = variables(t, targets);
    switch (format) {
      case TEXT -> {
        variables.forEach((k, v) -> console.out().println("export " + k + "=" + quoted(v)));
        console.out().println("export PATH=" + quoted(t.root().resolve("bin") + "") + ":\"$PATH\"");
      }
      case JSON -> {
        try (JsonGenerator g = Json.generator(console.out())) {
          g.writeStartObject();
          variables.forEach(g::writeStringProperty);
          g.writeStringProperty("PATH", t.root().resolve("bin").toString());
          g.writeEndObject();
        }
        console.out().println();
      }
      case MD -> throw new UsageException("toolchain env writes text or json");
    }
    return ExitCode.OK.code();
  }

  static Map<String, String> variables(Toolchain t, List<String> chosen) {
    List<String> gfx =
        chosen.isEmpty() ? t.targets().stream().map(String::valueOf).toList() : chosen;
    Map<String, String> v = new LinkedHashMap<>();
    v.put("ROCM_PATH", t.root().toString());
    v.put("HIP_PATH", t.root().toString());
    v.put("HIP_PLATFORM", "amd");
    v.put("HIP_CLANG_PATH", String.valueOf(t.clang().getParent()));
    v.put("HIP_DEVICE_LIB_PATH", t.deviceLibs().toString());
    v.put("HIPCXX", t.clang().toString());
    v.put("HIPFLAGS", shell(t.hipCompile(gfx)));
    v.put("HIP_HOST_FLAGS", shell(t.hostCompile()));
    v.put("HIP_LINK_FLAGS", shell(t.link()));
    return v;
  }

  private static String shell(List<String> flags) {
    return flags.stream()
        .map(f -> f.matches("[A-Za-z0-9_@%+=:,./-]+") ? f : quoted(f))
        .collect(Collectors.joining(" "));
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }
}
