package dev.rocport.cli.bench;

import dev.rocport.bench.WarpSpeed;
import dev.rocport.cli.build.BuildCommand;
import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.ExitCode;
import dev.rocport.cli.support.JavaCommand;
import dev.rocport.cli.support.UsageException;
import dev.rocport.cli.toolchain.ToolchainCommand;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Severity;
import dev.rocport.render.text.Paper;
import dev.rocport.render.text.TextTable;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.provision.Toolchains;
import dev.rocport.verify.Fixture;
import dev.rocport.verify.VerifyException;
import dev.rocport.verify.VerifyOptions;
import dev.rocport.verify.WarpOutcome;
import dev.rocport.verify.WarpTrial;
import dev.rocport.verify.WarpTrial.Verdict;
import dev.rocport.verify.WarpTrials;
import dev.rocport.verify.WorkFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code rocport bench --warp}: how the port handles programs for 32-lane warps. */
final class WarpBench {
  private static final List<String> TARGETS = List.of("gfx90a", "gfx942");
  private static final int LONGEST = 100;

  private final Console console;
  private final int jobs;

  WarpBench(Console console, int jobs) {
    this.console = console;
    this.jobs = jobs;
  }

  /**
   * Tries the fixtures of a folder and prints the figures.
   *
   * @return {@link ExitCode#FINDINGS} if one of them is not what it has to be
   */
  int run(Path fixtures)
      throws IOException, InterruptedException, ToolchainException, VerifyException {
    List<Path> folders = folders(fixtures);
    if (folders.isEmpty()) {
      throw new UsageException(fixtures + ": contains no fixture");
    }
    Toolchain toolchain =
        Toolchains.require(ToolchainCommand.request(), ToolchainCommand.progress(console, false));
    try (WorkFolder folder = WorkFolder.of(Optional.empty())) {
      List<WarpTrial> trials =
          WarpTrials.run(
              folders,
              options(folder.path()),
              RuleCatalog.builtIn(),
              toolchain,
              ToolchainCommand.request(),
              line -> console.err().println(line));
      print(trials);
      console.err().println("measuring the speed ...");
      speed(new WarpSpeed(folder.path()).measure(folders));
      boolean good =
          trials.stream().allMatch(t -> t.isAsExpected() && t.stable() && t.needsTheRules());
      return (good ? ExitCode.OK : ExitCode.FINDINGS).code();
    }
  }

  private VerifyOptions options(Path work) {
    return VerifyOptions.emulated(
        TARGETS, true, jobs, Optional.of(BuildCommand.cacheFolder()), work, JavaCommand.self());
  }

  private static List<Path> folders(Path fixtures) throws IOException {
    if (!Files.isDirectory(fixtures)) {
      throw new UsageException(fixtures + ": no such folder");
    }
    try (Stream<Path> list = Files.list(fixtures)) {
      return list.filter(f -> Files.exists(f.resolve("fixture.yaml"))).sorted().toList();
    }
  }

  private void print(List<WarpTrial> trials) {
    TextTable table =
        new TextTable(
            "lllllll", "program", "warp", "port", "gfx90a", "gfx942", "names alone", "by hand");
    trials.forEach(
        t ->
            table.row(
                t.name(),
                word(t.kind()),
                t.isAsExpected() ? word(t.verdict()) : t.verdict(),
                t.runs().containsKey("gfx90a") ? word(t.runs().get("gfx90a").kind()) : "-",
                t.runs().containsKey("gfx942") ? word(t.runs().get("gfx942").kind()) : "-",
                word(t.names().kind()),
                word(t.byHand().kind())));
    table(table);
    trials.forEach(this::complain);
    line("");
    figures(trials);
    line("");
    decisions(trials);
  }

  /** What is not as it has to be. */
  private void complain(WarpTrial t) {
    if (!t.isAsExpected()) {
      t.errors().forEach(f -> said(t, f.path() + ":" + f.line(), f.message() + " " + f.rule()));
      t.runs().forEach((target, o) -> said(t, target, o.message()));
      if (t.kind() == Fixture.Warp.FLAGGED) {
        said(t, "port", "no error finding about its warps");
      }
    }
    if (!t.stable()) {
      said(t, "port", "changes when ported again");
    }
    if (!t.needsTheRules()) {
      said(t, "by hand", "correct even without the warp rules, so this program proves nothing");
    }
  }

  private void said(WarpTrial t, String where, String what) {
    if (!what.isEmpty()) {
      String text = what.length() > LONGEST ? what.substring(0, LONGEST) + " ..." : what;
      line("  %s: %s: %s".formatted(t.name(), where, text));
    }
  }

  private void figures(List<WarpTrial> trials) {
    List<WarpTrial> run = trials.stream().filter(t -> t.kind() != Fixture.Warp.FLAGGED).toList();
    List<WarpTrial> flagged = trials.stream().filter(t -> !run.contains(t)).toList();
    for (String target : TARGETS) {
      figure(run, "correct on " + target, t -> right(t, target));
    }
    figure(run, "byte-identical to the original's output on an NVIDIA GPU", WarpBench::isOriginal);
    figure(flagged, "flagged as required", t -> t.verdict() == Verdict.FLAGGED);
    figure(run, "flagged but should be correct", t -> t.verdict() == Verdict.FLAGGED);
    figure(
        trials,
        "wrong without a finding",
        t -> !t.isAsExpected() && t.verdict() != Verdict.FLAGGED);
    figure(trials, "unchanged when ported again", WarpTrial::stable);
    line("");
    outcomes(trials, "names only, 64-bit masks", WarpTrial::names);
    outcomes(trials, "by hand, fixtures/warp/naive.h", WarpTrial::byHand);
    figure(trials, "fail in at least one way without the rules", WarpTrial::needsTheRules);
  }

  private static boolean right(WarpTrial t, String target) {
    WarpOutcome outcome = t.runs().get(target);
    return t.verdict() == Verdict.RIGHT && outcome != null && outcome.isRight();
  }

  private static boolean isOriginal(WarpTrial t) {
    return t.recorded() && t.runs().values().stream().allMatch(WarpOutcome::isRight);
  }

  private void figure(List<WarpTrial> of, String what, Predicate<WarpTrial> which) {
    line("%-52s %3d of %d".formatted(what, of.stream().filter(which).count(), of.size()));
  }

  private void outcomes(
      List<WarpTrial> trials, String title, Function<WarpTrial, WarpOutcome> which) {
    Map<WarpOutcome.Kind, Long> counts =
        trials.stream()
            .map(which)
            .collect(Collectors.groupingBy(WarpOutcome::kind, Collectors.counting()));
    line(
        "%-52s %s"
            .formatted(
                title,
                Arrays.stream(WarpOutcome.Kind.values())
                    .filter(counts::containsKey)
                    .map(k -> counts.get(k) + " " + word(k))
                    .collect(Collectors.joining(", "))));
  }

  /** What each rule about warps did: edits, and findings by severity. */
  private void decisions(List<WarpTrial> trials) {
    SortedMap<String, Map<String, Integer>> rules = new TreeMap<>();
    List<FileResult> files = trials.stream().flatMap(t -> t.port().stream()).toList();
    for (FileResult file : files) {
      file.edits().forEach((rule, n) -> count(rules, rule, "edits", n));
      for (Finding f : file.findings()) {
        count(rules, f.rule(), word(f.severity()), 1);
      }
    }
    TextTable table = new TextTable("lrrrr", "rule", "edits", "notes", "warnings", "errors");
    rules.forEach(
        (rule, n) ->
            table.row(
                rule,
                n.getOrDefault("edits", 0),
                n.getOrDefault(word(Severity.NOTE), 0),
                n.getOrDefault(word(Severity.WARNING), 0),
                n.getOrDefault(word(Severity.ERROR), 0)));
    table(table);
  }

  private static void count(
      SortedMap<String, Map<String, Integer>> rules, String rule, String what, int n) {
    if (WarpTrial.isOfWarps(rule)) {
      rules.computeIfAbsent(rule, r -> new TreeMap<>()).merge(what, n, Integer::sum);
    }
  }

  private void speed(List<WarpSpeed.Row> rows) {
    line("");
    TextTable table =
        new TextTable(
            "lrrrrr", "MB/s per core", "files", "MB", "all rules", "without W64", "all, cold");
    for (WarpSpeed.Row r : rows) {
      table.row(
          r.title(),
          r.files(),
          String.format(Locale.ROOT, "%.2f", r.bytes() / 1e6),
          String.format(Locale.ROOT, "%.1f", r.with()),
          String.format(Locale.ROOT, "%.1f", r.without()),
          String.format(Locale.ROOT, "%.1f", r.cold()));
    }
    table(table);
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private void table(TextTable table) {
    console.out().print(table.render(Paper.PLAIN, ""));
    console.out().flush();
  }

  private void line(String text) {
    console.out().println(text);
    console.out().flush();
  }
}
