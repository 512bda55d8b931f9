package dev.rocport.fleet;

import java.io.IOException;
import java.io.Serial;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.api.java.function.Function;

/**
 * The task for one repository: fetches it, does the work, and commits its rows. Whatever is wrong
 * with the repository becomes a row. Only an output that cannot be written fails the task.
 */
final class RepositoryTask implements Function<Source, Boolean> {
  @Serial private static final long serialVersionUID = 1;

  /** The largest exit code of a command that has a report: done, and findings. */
  private static final int REPORTED = 1;

  /** For files that change. */
  private static final int ATTEMPTS = 2;

  /** What {@code --report} calls it. */
  private static final String SARIF = "report.sarif";

  private final WorkSettings settings;

  RepositoryTask(WorkSettings settings) {
    this.settings = settings;
  }

  /** Returns whether the work on the repository was done. */
  @Override
  public Boolean call(Source source) throws IOException, InterruptedException {
    OutputFolder out = new OutputFolder(Path.of(settings.out()));
    if (out.has(source.key())) {
      // An attempt that Spark believed lost had come to its end.
      return !out.hasFailed(source.key());
    }
    Path reports = Files.createTempDirectory("rocport-fleet-report-");
    try (Attempt attempt = out.attempt(source.key())) {
      boolean done = call(source, attempt, reports);
      attempt.commit();
      return done;
    } finally {
      Folders.delete(reports);
    }
  }

  private boolean call(Source source, Attempt attempt, Path reports) throws InterruptedException {
    Clock clock = new Clock(source);
    Failure failure;
    try {
      work(source, clock, attempt, reports);
      return true;
    } catch (OutputException e) {
      throw e;
    } catch (Failure f) {
      failure = f;
    } catch (IOException | RuntimeException e) {
      String reason = e instanceof IOException io ? Folders.reason(io) : e.toString();
      failure = new Failure(Failure.Kind.UNREADABLE, reason);
    }
    attempt.clear();
    failed(failure, clock.origin(), attempt.tables());
    return false;
  }

  /** The row of a repository without any results, and why it has none. */
  private void failed(Failure failure, Origin origin, TableFiles tables) {
    Table repositories = Table.repositories(settings.work());
    List<Object> cells =
        new ArrayList<>(List.of(origin.name(), origin.location(), origin.team(), "failed"));
    for (Table.Column c : repositories.columns().subList(4, repositories.columns().size())) {
      cells.add(
          switch (c.name()) {
            case "milliseconds" -> (Object) origin.milliseconds();
            case "processor_milliseconds" -> (Object) origin.processor();
            case "worker_age" -> (Object) origin.age();
            default -> c.isNumber() ? (Object) 0L : "";
          });
    }
    tables.add(repositories, cells.toArray());
    tables.add(Table.FAILURES, failure.kind().label(), failure.reason());
  }

  /** The time that a repository takes. */
  private static final class Clock {
    private final Source source;
    private final long start = System.nanoTime();
    private final long thread = ofThread();
    private Duration processes = Duration.ZERO;
    private int age;

    Clock(Source source) {
      this.source = source;
    }

    private static long ofThread() {
      return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    void add(WorkerProcess.Answer answer) {
      processes = processes.plus(answer.processor());
      age = answer.age();
    }

    Origin origin() {
      long milliseconds = (System.nanoTime() - start) / 1_000_000;
      long processor = processes.plusNanos(ofThread() - thread).toMillis();
      return new Origin(
          source.name(), source.location(), source.team(), milliseconds, processor, age);
    }
  }

  private void work(Source source, Clock clock, Attempt attempt, Path reports)
      throws Failure, IOException, InterruptedException {
    Path report = reports.resolve("stdout.json");
    try (Checkout checkout = Checkout.of(source, settings)) {
      for (int i = 0; !ran(checkout.root(), clock, attempt, report, reports); i++) {
        if (i + 1 == ATTEMPTS) {
          throw new Failure(
              Failure.Kind.CHANGED, "files changed while they were read, in both attempts");
        }
        attempt.clear();
      }
      if (settings.work() == Work.BILL) {
        BillReport.read(report, attempt.tables()).finish(clock.origin(), settings.work().done());
      } else {
        AuditReport.read(report, attempt.tables()).finish(clock.origin(), settings.work().done());
      }
    }
    Path sarif = reports.resolve(SARIF);
    if (Files.exists(sarif)) {
      attempt.add(sarif);
    }
  }

  /** Runs the command; returns whether it saw one state of the files. */
  private boolean ran(Path root, Clock clock, Attempt attempt, Path report, Path reports)
      throws Failure, IOException, InterruptedException {
    TreeState before = TreeState.of(root);
    List<String> args = arguments(root, attempt, reports);
    WorkerProcess.Answer answer =
        WorkerPool.of(settings.worker()).run(report, args, settings.work().failure());
    clock.add(answer);
    if (!before.equals(TreeState.of(root))) {
      return false;
    }
    if (answer.code() > REPORTED) {
      String message = answer.messages().strip().replaceFirst("^rocport: ", "");
      throw new Failure(
          settings.work().failure(), message.replace(root + "/", "").replace(root.toString(), "."));
    }
    return true;
  }

  private List<String> arguments(Path root, Attempt attempt, Path reports) {
    List<String> args = new ArrayList<>(List.of(settings.work().label(), root.toString()));
    args.addAll(List.of("--format", "json", "--jobs", "1"));
    if (settings.work() != Work.BILL) {
      args.add("--quiet");
    }
    if (settings.work() == Work.PORT) {
      args.addAll(List.of("--out", attempt.tree().toString()));
    }
    if (settings.sarif()) {
      args.addAll(List.of("--report", reports.toString()));
    }
    args.addAll(settings.options());
    return args;
  }
}
