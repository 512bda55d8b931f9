package dev.rocport.cli.bench;

import dev.rocport.cli.build.BuildCommand;
import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.ExitCode;
import dev.rocport.cli.support.JavaCommand;
import dev.rocport.cli.support.UsageException;
import dev.rocport.cli.toolchain.ToolchainCommand;
import dev.rocport.device.bench.DeviceBenchmark;
import dev.rocport.device.check.Check;
import dev.rocport.device.check.Checks;
import dev.rocport.render.text.Paper;
import dev.rocport.render.text.TextTable;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.verify.BugTrial;
import dev.rocport.verify.BugTrials;
import dev.rocport.verify.MissedBugs;
import dev.rocport.verify.VerifyException;
import dev.rocport.verify.VerifyOptions;
import dev.rocport.verify.WorkFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** {@code rocport bench --checks}: what the device's checks find of planted bugs. */
final class CheckBench {
  private final Console console;
  private final int jobs;
  private final Checks checks;
  private final List<String> targets;
  private final List<DeviceBenchmark.Cost> costs;

  /**
   * A bench of some checks.
   *
   * @param targets to build for; GPUs that the device emulates
   * @param costs of the checks in kernels, printed beside what they find; may be empty
   */
  CheckBench(
      Console console,
      int jobs,
      Checks checks,
      List<String> targets,
      List<DeviceBenchmark.Cost> costs) {
    this.console = console;
    this.jobs = jobs;
    this.checks = checks;
    this.targets = List.copyOf(targets);
    this.costs = List.copyOf(costs);
  }

  /**
   * Tries the programs of a folder and prints what was found.
   *
   * @return of {@link #exitCode}
   */
  int run(Path folder, Predicate<String> chosen)
      throws IOException, InterruptedException, ToolchainException, VerifyException {
    if (!Files.isDirectory(folder)) {
      throw new UsageException(folder + ": no such folder");
    }
    Toolchain toolchain =
        ToolchainCommand.require(targets, ToolchainCommand.progress(console, false));
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
      MissedBugs missed = MissedBugs.of(folder);
      print(trials, missed);
      return exitCode(trials, missed).code();
    }
  }

  /**
   * Returns {@link ExitCode#TOOLCHAIN} if a program did not run, so that nothing is known of its
   * bug, and {@link ExitCode#FINDINGS} if a bug was missed, or something found where nothing is,
   * other than {@link MissedBugs} says.
   */
  static ExitCode exitCode(List<BugTrial> trials, MissedBugs missed) {
    if (!trials.stream().allMatch(BugTrial::ran)) {
      return ExitCode.TOOLCHAIN;
    }
    boolean good =
        trials.stream()
            .allMatch(
                t ->
                    (t.isFound() || missed.whyMissed(t).isPresent())
                        && (t.isClean() || missed.whyReported(t).isPresent()));
    return good ? ExitCode.OK : ExitCode.FINDINGS;
  }

  private static String withBug(BugTrial t, MissedBugs missed) {
    if (!t.ran()) {
      return "ERROR";
    }
    return t.isFound() ? "found" : missed.whyMissed(t).isPresent() ? "known miss" : "NOT FOUND";
  }

  private static String fixed(BugTrial t, MissedBugs missed) {
    if (!t.ran()) {
      return "ERROR";
    }
    return t.isClean() ? "clean" : missed.whyReported(t).isPresent() ? "known" : "NOT CLEAN";
  }

  private VerifyOptions options(Path work) {
    return VerifyOptions.emulated(
        targets, true, jobs, Optional.of(BuildCommand.cacheFolder()), work, JavaCommand.self());
  }

  private void print(List<BugTrial> trials, MissedBugs missed) {
    TextTable table =
        new TextTable("llllll", "check", "author", "program", "gpu", "with the bug", "fixed");
    for (BugTrial t : trials) {
      table.row(
          t.check().word(),
          t.blind() ? "other" : "own",
          t.name(),
          t.target(),
          withBug(t, missed),
          fixed(t, missed));
    }
    console.out().print(table.render(Paper.PLAIN, ""));
    for (BugTrial t : trials) {
      String name = "  " + t.name() + ", " + t.target() + ": ";
      if (!t.ran()) {
        line(name + "error: " + t.unrun());
        continue;
      }
      if (!t.isFound()) {
        missed.whyMissed(t).ifPresent(why -> line(name + "not found: " + why));
        t.elsewhere().forEach(e -> line(name + "found elsewhere: " + e));
      }
      if (!t.isClean()) {
        missed.whyReported(t).ifPresent(why -> line(name + "fixed: " + why));
      }
      t.mended().forEach(m -> line(name + "found in the fixed program: " + m));
      if (!t.wrong().isEmpty()) {
        line(name + t.wrong());
      }
    }
    line("");
    line("--check " + checks.text());
    List<BugTrial> ran = trials.stream().filter(BugTrial::ran).toList();
    TextTable sums = new TextTable("lrrrr", "check", "own", "others", "fixed", "cost");
    for (Check check : Check.ALL) {
      sum(sums, check.word(), of(ran, check), Set.of(check));
    }
    sum(sums, "all", ran, Check.ALL);
    console.out().print(sums.render(Paper.PLAIN, ""));
    if (ran.size() < trials.size()) {
      line(
          "%d of %d did not run and are not counted"
              .formatted(trials.size() - ran.size(), trials.size()));
    }
    line("own, others: bugs found at the marked line, in programs of rocport's authors and of an");
    line("author who had not seen the checks; fixed: programs without the bug in which nothing is");
    line("found; cost: CPU time relative to a plain run in the interpreter (with --device)");
  }

  private void sum(TextTable sums, String name, List<BugTrial> trials, Set<Check> on) {
    sums.row(
        name,
        figure(trials.stream().filter(t -> !t.blind()).toList(), BugTrial::isFound),
        figure(trials.stream().filter(BugTrial::blind).toList(), BugTrial::isFound),
        figure(trials, BugTrial::isClean),
        cost(on));
  }

  /** The least and the most that some checks cost. */
  private String cost(Set<Check> on) {
    DoubleSummaryStatistics times =
        costs.stream()
            .filter(c -> c.checks().on().equals(on))
            .mapToDouble(DeviceBenchmark.Cost::times)
            .summaryStatistics();
    return times.getCount() == 0
        ? "-"
        : String.format(Locale.ROOT, "%.1f to %.1f", times.getMin(), times.getMax());
  }

  private static List<BugTrial> of(List<BugTrial> trials, Check check) {
    return trials.stream().filter(t -> t.check() == check).toList();
  }

  private static String figure(List<BugTrial> of, Predicate<BugTrial> which) {
    return "%d of %d".formatted(of.stream().filter(which).count(), of.size());
  }

  private void line(String text) {
    console.out().println(text);
    console.out().flush();
  }
}
