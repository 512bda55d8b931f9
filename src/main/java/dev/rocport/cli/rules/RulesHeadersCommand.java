package dev.rocport.cli.rules;

import dev.rocport.cli.option.RuleChoices;
import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.ExitCode;
import dev.rocport.cli.support.UsageException;
import dev.rocport.headers.HeaderCheck;
import dev.rocport.headers.HeaderGroup;
import dev.rocport.headers.HeaderResult;
import dev.rocport.io.Folders;
import dev.rocport.render.text.Paper;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.toolchain.ToolRun;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.ToolchainRequest;
import dev.rocport.toolchain.provision.Toolchains;
import dev.rocport.toolchain.runtime.AmdSmi;
import dev.rocport.toolchain.runtime.HipRuntime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rocport rules headers}: the names of the API tables in the headers of a ROCm. */
@Command(
    name = "headers",
    mixinStandardHelpOptions = true,
    description = {
      "Checks that the HIP names of the API tables are in the headers of a ROCm; exits with 1 if"
          + " one is missing.",
      "Names that the tables give to a later HIP version may be missing; it prints those that the"
          + " headers already have."
    },
    footer = {"", "Examples:", "  rocport rules headers --rocm /opt/rocm-7.2.0"})
final class RulesHeadersCommand implements Callable<Integer> {
  private static final Duration LIMIT = Duration.ofMinutes(10);

  private final Console console;

  @Parameters(
      arity = "0..1",
      paramLabel = "PATTERN",
      description = "Check only the tables of the rules that 'rules list PATTERN' lists.")
  private @Nullable String pattern;

  @Option(
      names = "--rocm",
      paramLabel = "DIR",
      description =
          "Folder of a ROCm, with include/hip/hip_version.h (default: the toolchain in use).")
  private @Nullable Path rocm;

  @Mixin private RuleChoices choices;

  RulesHeadersCommand(Console console) {
    this.console = console;
  }

  /** Flags that let the compiler find the headers of rocport. */
  private static List<String> flags() {
    List<String> flags = new ArrayList<>(AmdSmi.compile());
    flags.add("-I" + HipRuntime.installation().resolve("hip-runtime/include"));
    return flags;
  }

  @Override
  public Integer call() throws IOException, ToolchainException {
    Toolchain toolchain = toolchain();
    RuleCatalog catalog = choices.catalog();
    HeaderCheck check =
        new HeaderCheck(
            catalog,
            toolchain,
            (source, arguments) -> {
              List<String> command = new ArrayList<>(List.of(toolchain.clang().toString()));
              command.addAll(arguments);
              command.add(source.toString());
              return ToolRun.of(command, Path.of("."), Map.of(), LIMIT);
            },
            flags());
    List<HeaderGroup> groups =
        check.groups().stream()
            .filter(g -> RulesListCommand.matches(pattern, catalog.require(g.rule())))
            .toList();
    if (groups.isEmpty()) {
      throw new UsageException("no API table matches '" + pattern + "'");
    }
    console.out().printf("HIP %s, %s\n\n", toolchain.hip(), toolchain.include());
    Paper paper = choices.paper(console);
    boolean ok = true;
    Path folder = Files.createTempDirectory("rocport-headers");
    try {
      for (HeaderGroup group : groups) {
        HeaderResult result = check.check(group, folder);
        ok &= result.ok();
        print(result, paper);
      }
    } finally {
      Folders.delete(folder);
    }
    return (ok ? ExitCode.OK : ExitCode.FINDINGS).code();
  }

  private void print(HeaderResult result, Paper paper) {
    String state = result.ok() ? "ok  " : paper.red("FAIL");
    console
        .out()
        .printf(
            "%s  %-18s %4d names  %s\n",
            state, result.rule(), result.names(), String.join(" ", result.headers()));
    result.problem().lines().forEach(l -> console.out().println("      " + l));
    result.missing().forEach(n -> console.out().println("      missing: " + n));
    result.early().forEach(n -> console.out().println("      already there: " + n));
    console.out().flush();
  }

  private Toolchain toolchain() throws ToolchainException {
    Toolchain own = Toolchains.require(ToolchainRequest.defaults(), console.err()::println);
    return rocm == null ? own : Toolchains.withHeaders(own, rocm);
  }
}
