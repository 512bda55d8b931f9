package dev.rocport.fleet;

import java.io.IOException;
import java.io.Serial;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.api.java.function.Function;

/**
 * The task for one repository: fetches and audits it, and commits its rows. Whatever is wrong with
 * the repository becomes a row. Only an output that cannot be written fails the task.
 */
final class RepositoryTask implements Function<Source, Boolean> {
  @Serial private static final long serialVersionUID = 1;

  /** Exit codes of an audit that has a report: done, and findings. */
  private static final int REPORTED = 1;

  /** For files that change. */
  private static final int ATTEMPTS = 2;

  /** What {@code --report} calls it. */
  private static final String SARIF = "report.sarif";

  private final AuditSettings settings;

  RepositoryTask(AuditSettings settings) {
    this.settings = settings;
  }

  /** Returns whether the repository was audited. */
  @Override
  public Boolean call(Source source) throws IOException, InterruptedException {
    OutputFolder out = new OutputFolder(Path.of(settings.out()));
    if (out.has(source.key())) {
      // An attempt that Spark believed lost had come to its end.
      return !out.hasFailed(source.key());
    }
    Path reports = Files.createTempDirectory("rocport-fleet-report-");
    try {
      return call(source, out, reports);
    } finally {
      Folders.delete(reports);
    }
  }

  private boolean call(Source source, OutputFolder out, Path reports)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    Rows rows;
    boolean audited = false;
    try {
      rows = audit(source, start, reports);
      audited = true;
    } catch (Failure f) {
      rows = AuditReport.failed(f, origin(source, start));
    } catch (IOException | RuntimeException e) {
      String reason = e instanceof IOException io ? Folders.reason(io) : e.toString();
      Failure unreadable = new Failure(Failure.Kind.UNREADABLE, reason);
      rows = AuditReport.failed(unreadable, origin(source, start));
    }
    Path sarif = reports.resolve(SARIF);
    out.commit(source.key(), rows, audited && Files.exists(sarif) ? sarif : null);
    return audited;
  }

  private static AuditReport.Origin origin(Source source, long start) {
    long milliseconds = (System.nanoTime() - start) / 1_000_000;
    return new AuditReport.Origin(source.name(), source.location(), source.team(), milliseconds);
  }

  private Rows audit(Source source, long start, Path reports)
      throws Failure, IOException, InterruptedException {
    Path report = reports.resolve("stdout.json");
    try (Checkout checkout = Checkout.of(source, settings)) {
      for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        if (audit(checkout, report, reports)) {
          return AuditReport.read(report, origin(source, start));
        }
      }
      throw new Failure(
          Failure.Kind.CHANGED, "files changed while they were audited, in both attempts");
    }
  }

  /** Returns whether the audit saw one state of the files. */
  private boolean audit(Checkout checkout, Path report, Path reports)
      throws Failure, IOException, InterruptedException {
    Path root = checkout.root();
    TreeState before = TreeState.of(root);
    List<String> args = new ArrayList<>(List.of("audit", root.toString()));
    args.addAll(List.of("--format", "json", "--quiet", "--jobs", "1"));
    if (settings.sarif()) {
      args.addAll(List.of("--report", reports.toString()));
    }
    args.addAll(settings.options());
    WorkerProcess.Answer answer = WorkerPool.of(settings.worker()).run(report, args);
    if (!before.equals(TreeState.of(root))) {
      return false;
    }
    if (answer.code() > REPORTED) {
      String message = answer.messages().strip().replaceFirst("^rocport: ", "");
      throw new Failure(
          Failure.Kind.AUDIT, message.replace(root + "/", "").replace(root.toString(), "."));
    }
    return true;
  }
}
