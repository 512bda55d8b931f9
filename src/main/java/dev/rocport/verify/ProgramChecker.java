package dev.rocport.verify;

import dev.rocport.core.result.VerifyInfo;
import dev.rocport.device.check.Check;
import dev.rocport.device.check.Checks;
import dev.rocport.device.check.Coverage;
import dev.rocport.device.check.Delays;
import dev.rocport.io.process.Exec;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.runtime.LoadedLibraries;
import dev.rocport.toolchain.runtime.StandIns;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Runs one program with one check after the other until the time for it is used. */
public final class ProgramChecker {
  /** Starts the program on rocport's device. */
  @FunctionalInterface
  public interface Starter {
    /**
     * The program, not started, with free streams.
     *
     * @param variables for the program, beyond this process's own
     */
    Exec program(Map<String, String> variables) throws ToolchainException;
  }

  /**
   * What is checked.
   *
   * @param program its name, or the path of its file
   * @param gpu the GPUs that it runs on, in words
   * @param ranks MPI processes; 0 without MPI
   */
  public record Subject(String program, String gpu, int ranks) {}

  private static final String PLAIN = "no checks";

  /** The file of what a run has found, in its folder. */
  private static final String FOUND = "findings.jsonl";

  private final Subject subject;
  private final Starter starter;
  private final Path work;
  private final Consumer<String> progress;
  private final CheckPlan plan;
  private final CheckFindings findings;
  private final List<VerifyInfo.Case> cases = new ArrayList<>();
  private final Map<Set<Check>, List<Checks>> clean = new LinkedHashMap<>();

  /** Runs that failed as others before them. */
  private final List<Checks> repeated = new ArrayList<>();

  private boolean hasSearched;
  private int checked;

  /** What the runs with checks have looked at, and how many these are. */
  private Coverage covered = Coverage.NONE;

  private int withChecks;
  private int runs;

  /**
   * A checker.
   *
   * @param budget time for all runs together
   * @param seed of the first run in a random order; the next ones follow
   * @param work an empty folder
   * @param progress receives a line for each run
   */
  public ProgramChecker(
      Subject subject,
      Starter starter,
      Duration budget,
      long seed,
      Path work,
      RuleCatalog catalog,
      Consumer<String> progress) {
    this.subject = subject;
    this.starter = starter;
    this.work = work;
    this.progress = progress;
    this.plan = new CheckPlan(budget, seed);
    this.findings = new CheckFindings(catalog, subject.program());
  }

  /**
   * Runs the program, and reports what the runs showed.
   *
   * @throws ToolchainException if the program cannot be started on the device
   */
  public Verification run() throws IOException, InterruptedException, ToolchainException {
    Ended plain = planned(Checks.NONE);
    add(Checks.NONE, plain, plain.run().code() == 0 ? "ok" : "failed", "");
    Launches launches = Launches.of(plain.folder().resolve("stderr.txt"));
    if (findings.plain(plain.run(), launches)) {
      for (Optional<Checks> checks = plan.next(); checks.isPresent(); checks = plan.next()) {
        judge(checks.get(), plain, planned(checks.get()));
      }
      if (checked == 0) {
        findings.nothingChecked();
      }
    }
    findings.ended();
    addRepeated();
    clean.forEach(this::addClean);
    return new Verification(
        findings.files(),
        new VerifyInfo(
            "emulated",
            "%s; %s; %s".formatted(launches, Covered.words(covered, withChecks), Platform.UNTESTED),
            cases,
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            findings.sources()));
  }

  /** A run that has ended, its folder, and how long it took. */
  private record Ended(ProgramRun run, Path folder, List<SeenFinding> found, Duration time) {
    /** How many defects it has found. */
    long defects() {
      return found.stream().filter(f -> !f.benign()).count();
    }
  }

  private Ended planned(Checks checks)
      throws IOException, InterruptedException, ToolchainException {
    Ended ended = once(checks);
    plan.ended(ended.time());
    return ended;
  }

  private Ended once(Checks checks) throws IOException, InterruptedException, ToolchainException {
    Path folder = Files.createDirectories(work.resolve(String.valueOf(runs++)));
    Path found = folder.resolve(FOUND);
    Path libraries = Files.createFile(folder.resolve("libraries"));
    Map<String, String> variables = new TreeMap<>();
    variables.put("ROCPORT_CHECK", checks.text());
    variables.put("ROCPORT_TRACE", checks.on().isEmpty() ? "kernels" : "");
    variables.put(RunFindings.VARIABLE, found.toString());
    variables.put(StandIns.VARIABLE, libraries.toString());
    Exec program = starter.program(variables);
    long start = System.nanoTime();
    ProgramRun run = ProgramRun.of(program, plan.left(), folder);
    Duration time = Duration.ofNanos(System.nanoTime() - start);
    if (!checks.on().isEmpty()) {
      withChecks++;
      covered = covered.plus(Covered.read(found));
    }
    return new Ended(run, folder, SeenFinding.read(found), time);
  }

  private void judge(Checks checks, Ended plain, Ended ended)
      throws IOException, InterruptedException, ToolchainException {
    if (ended.run().isCut()) {
      findings.found(ended.found(), checks.text());
      add(checks, ended, "not-run", "stopped before its end, because the time is used");
      return;
    }
    checked++;
    boolean fresh = findings.found(ended.found(), checks.text());
    boolean differs = ended.defects() == 0 && ended.run().code() != plain.run().code();
    if (!differs && ended.defects() == 0) {
      clean.computeIfAbsent(checks.on(), k -> new ArrayList<>()).add(checks);
      return;
    }
    boolean first = differs && findings.unexplained(ended.run(), checks);
    if (fresh || first) {
      add(checks, ended, "failed", "");
    } else {
      repeated.add(checks);
    }
    if (differs && checks.has(Check.ORDER) && !hasSearched) {
      hasSearched = true;
      search(checks, plain, ended);
    }
  }

  /** Looks for the delays that make the program fail. */
  private void search(Checks checks, Ended plain, Ended failed)
      throws IOException, InterruptedException, ToolchainException {
    progress.accept("%s: the program fails, looking for the delay".formatted(checks.text()));
    Ended listed = spending(checks.delaying(Delays.LISTED));
    List<DelayedPlace> places = DelayedPlace.read(listed.folder().resolve(FOUND));
    DelaySearch search =
        new DelaySearch(
            some -> {
              if (!plan.hasTimeForOrder()) {
                return Optional.empty();
              }
              Ended ended = spending(some);
              findings.found(ended.found(), some.text());
              return Optional.of(!ended.run().isCut() && ended.run().code() != plain.run().code());
            },
            checks);
    List<DelayedPlace> deciding = search.among(places);
    findings.delayed(failed.run(), plain.run(), deciding, search.witness(deciding), search.isCut());
  }

  private Ended spending(Checks checks)
      throws IOException, InterruptedException, ToolchainException {
    Ended ended = once(checks);
    plan.spent(ended.time());
    return ended;
  }

  /** One row for all runs that failed and showed nothing new. */
  private void addRepeated() {
    if (!repeated.isEmpty()) {
      row(
          "the same again",
          "failed",
          Map.of(),
          LoadedLibraries.NONE,
          "%d %s, the last with %s"
              .formatted(
                  repeated.size(),
                  repeated.size() == 1 ? "run" : "runs",
                  repeated.getLast().text()));
    }
  }

  /** One row for all runs that found nothing with the same checks. */
  private void addClean(Set<Check> on, List<Checks> runs) {
    String words = on.stream().map(Check::word).collect(Collectors.joining(","));
    String seeds =
        runs.getFirst().seed().isEmpty()
            ? ""
            : "seeds from %d to %d, "
                .formatted(runs.getFirst().seed().getAsLong(), runs.getLast().seed().getAsLong());
    row(
        words,
        "ok",
        Map.of("findings", "0"),
        LoadedLibraries.NONE,
        "%s%d %s".formatted(seeds, runs.size(), runs.size() == 1 ? "run" : "runs"));
  }

  private void add(Checks checks, Ended ended, String status, String message) throws IOException {
    Map<String, String> seen = new LinkedHashMap<>();
    seen.put("exit", ended.run().isCut() ? "stopped" : String.valueOf(ended.run().code()));
    seen.put("findings", String.valueOf(ended.defects()));
    LoadedLibraries libraries = LoadedLibraries.noted(ended.folder().resolve("libraries"));
    String what = checks.on().isEmpty() ? PLAIN : checks.text();
    row(what, status, seen, libraries, message);
    progress.accept(
        "%s: %s, %d %s"
            .formatted(
                what, status, ended.defects(), ended.defects() == 1 ? "finding" : "findings"));
  }

  private void row(
      String what,
      String status,
      Map<String, String> seen,
      LoadedLibraries libraries,
      String message) {
    cases.add(
        new VerifyInfo.Case(
            String.valueOf(Path.of(subject.program()).getFileName()),
            what,
            subject.gpu(),
            subject.ranks(),
            status,
            seen,
            libraries.standIns(),
            libraries.rocm(),
            message));
  }
}
