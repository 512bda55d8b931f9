package dev.rocport.cli.toolchain;

import dev.rocport.cli.option.PageChoices;
import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.ExitCode;
import dev.rocport.io.Json;
import dev.rocport.io.process.ShellWord;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.runtime.AmdSmi;
import dev.rocport.toolchain.runtime.HipRuntime;
import dev.rocport.toolchain.runtime.Rocshmem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.core.JsonGenerator;

/** {@code rocport toolchain env}: lines for a shell to evaluate. */
@Command(
    name = "env",
    mixinStandardHelpOptions = true,
    description =
        "Prints the environment that a shell or a build needs: eval \"$(rocport toolchain env)\".",
    footer = {"", "Examples:", "  eval \"$(rocport toolchain env)\""})
final class ToolchainEnvCommand implements Callable<Integer> {
  private final Console console;

  @Option(
      names = "--target",
      paramLabel = "GFX",
      split = ",",
      description =
          "Targets in HIPFLAGS (default: all targets that the toolchain was tested with).")
  private List<String> targets = List.of();

  @Mixin private PageChoices page;

  ToolchainEnvCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws ToolchainException {
    Toolchain t = ToolchainCommand.installed(console);
    Map<String, String> variables = variables(t, targets);
    Map<String, String> paths = new LinkedHashMap<>();
    Optional<HipRuntime> runtime = runtime(t);
    if (runtime.isPresent()) {
      variables.put("ROCM_PATH", runtime.get().root().toString());
      variables.put("HIP_PATH", runtime.get().root().toString());
      variables.put("ROCPORT_HOME", HipRuntime.installation().toString());
      paths.put("PATH", runtime.get().programs().toString());
      paths.put("LD_LIBRARY_PATH", runtime.get().libraries().toString());
    } else {
      paths.put("PATH", t.root().resolve("bin").toString());
    }
    if (page.json()) {
      try (JsonGenerator g = Json.generator(console.out())) {
        g.writeStartObject();
        variables.forEach(g::writeStringProperty);
        paths.forEach(g::writeStringProperty);
        g.writeEndObject();
      }
      console.out().println();
    } else {
      variables.forEach((k, v) -> console.out().println("export " + k + "=" + ShellWord.quoted(v)));
      paths.forEach((k, v) -> console.out().println(prepended(k, v)));
    }
    return ExitCode.OK.code();
  }

  /** What programs run on; without it they can still be built. */
  private Optional<HipRuntime> runtime(Toolchain t) {
    try {
      return HipRuntime.needed(t)
          ? Optional.of(HipRuntime.of(t, ToolchainCommand.progress(console, false)))
          : Optional.empty();
    } catch (ToolchainException e) {
      console.err().println("rocport: programs can be built but not run: " + e.getMessage());
      return Optional.empty();
    }
  }

  /** Puts a folder in front of a list that may be empty. */
  private static String prepended(String name, String folder) {
    return "export "
        + name
        + "="
        + ShellWord.quoted(folder)
        + "\"${"
        + name
        + ":+:$"
        + name
        + "}\"";
  }

  static Map<String, String> variables(Toolchain t, List<String> chosen) throws ToolchainException {
    List<String> gfx =
        chosen.isEmpty() ? t.targets().stream().map(String::valueOf).toList() : chosen;
    Map<String, String> v = new LinkedHashMap<>();
    v.put("ROCM_PATH", t.root().toString());
    v.put("HIP_PATH", t.root().toString());
    v.put("HIP_PLATFORM", "amd");
    v.put("HIP_CLANG_PATH", String.valueOf(t.clang().getParent()));
    v.put("HIP_DEVICE_LIB_PATH", t.deviceLibs().toString());
    v.put("HIPCXX", t.clang().toString());
    List<String> compile = new ArrayList<>(t.hipCompile(gfx));
    compile.addAll(Rocshmem.of(t).compile());
    compile.addAll(AmdSmi.compile());
    v.put("HIPFLAGS", shell(compile));
    v.put("HIP_HOST_FLAGS", shell(t.hostCompile()));
    v.put("HIP_LINK_FLAGS", shell(t.link()));
    return v;
  }

  private static String shell(List<String> flags) {
    return flags.stream().map(ShellWord::of).collect(Collectors.joining(" "));
  }
}
