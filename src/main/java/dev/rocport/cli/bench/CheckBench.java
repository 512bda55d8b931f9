package dev.rocport.cli.bench;

import dev.rocport.cli.build.BuildCommand;
import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.ExitCode;
import dev.rocport.cli.support.JavaCommand;
import dev.rocport.cli.support.UsageException;
import dev.rocport.cli.toolchain.ToolchainCommand;
import dev.rocport.device.check.Check;
import dev.rocport.device.check.Checks;
import dev.rocport.render.text.Paper;
import dev.rocport.render.text.TextTable;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.provision.Toolchains;
import dev.rocport.verify.BugTrial;
import dev.rocport.verify.BugTrials;
import dev.rocport.verify.VerifyException;
import dev.rocport.verify.VerifyOptions;
import dev.rocport.verify.WorkFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** {@code rocport bench --checks}: what the device's checks find of planted bugs. */
final class CheckBench {
  private static final List<String> TARGETS = List.of("gfx90a", "gfx942");

  private final Console console;
  private final int jobs;
  private final Checks checks;

  CheckBench(Console console, int jobs, Checks checks) {
    this.console = console;
    this.jobs = jobs;
    this.checks = checks;
  }

  /**
   * Tries the programs of a folder and prints what was found.
   *
   * @return {@link ExitCode#FINDINGS} if a bug was missed, or something found where nothing is
   */
  int run(Path folder, Predicate<String> chosen)
      throws IOException, InterruptedException, ToolchainException, VerifyException {
    if (!Files.isDirectory(folder)) {
      throw new UsageException(folder + ": no such folder");
    }
    Toolchain toolchain =
        Toolchains.require(ToolchainCommand.request(), ToolchainCommand.progress(console, false));
    try (WorkFolder work = WorkFolder.of(Optional.empty())) {
      List<BugTrial> trials =
          BugTrials.run(
              folder,
              chosen,
              checks,
              options(work.path()),
              RuleCatalog.builtIn(),
              toolchain,
              ToolchainCommand.request(),
              line -> console.err().println(line));
      print(trials);
      boolean good = trials.stream().allMatch(t -> t.isFound() && t.isClean());
      return (good ? ExitCode.OK : ExitCode.FINDINGS).code();
    }
  }

  private VerifyOptions options(Path work) {
    return VerifyOptions.emulated(
        TARGETS, true, jobs, Optional.of(BuildCommand.cacheFolder()), work, JavaCommand.self());
  }

  private void print(List<BugTrial> trials) {
    TextTable table = new TextTable("lllll", "check", "program", "gpu", "with the bug", "fixed");
    for (BugTrial t : trials) {
      table.row(
          t.check().word(),
          t.name(),
          t.target(),
          t.isFound() ? "found" : "NOT FOUND",
          t.isClean() ? "clean" : "NOT CLEAN");
    }
    console.out().print(table.render(Paper.PLAIN, ""));
    for (BugTrial t : trials) {
      String name = "  " + t.name() + ", " + t.target() + ": ";
      if (!t.isFound()) {
        t.elsewhere().forEach(e -> line(name + "found elsewhere: " + e));
      }
      t.mended().forEach(m -> line(name + "found in the fixed program: " + m));
      if (!t.wrong().isEmpty()) {
        line(name + t.wrong());
      }
    }
    line("");
    line("--check " + checks.text());
    for (Check check : Check.ALL) {
      figure(check.word() + ": found at the marked line", of(trials, check), BugTrial::isFound);
    }
    figure("found at the marked line", trials, BugTrial::isFound);
    figure("nothing found in the fixed program", trials, BugTrial::isClean);
  }

  private static List<BugTrial> of(List<BugTrial> trials, Check check) {
    return trials.stream().filter(t -> t.check() == check).toList();
  }

  private void figure(String what, List<BugTrial> of, Predicate<BugTrial> which) {
    line("%-40s %3d of %d".formatted(what, of.stream().filter(which).count(), of.size()));
  }

  private void line(String text) {
    console.out().println(text);
    console.out().flush();
  }
}
