package dev.rocport.fleet;

import java.io.IOException;
import java.io.Serial;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.api.java.function.Function;

/**
 * The task for one repository: fetches it, does the work, and commits its rows; or divides a large
 * one into parts, whose tasks follow. Whatever is wrong with the repository becomes a row. Only an
 * output that cannot be written fails the task.
 */
final class RepositoryTask implements Function<Source, Integer> {
  @Serial private static final long serialVersionUID = 1;

  /** For files that change. */
  private static final int ATTEMPTS = 2;

  private static final String PLAN = "plan";

  private final WorkSettings settings;

  RepositoryTask(WorkSettings settings) {
    this.settings = settings;
  }

  /** Returns the number of parts; 0 if the repository is done, or failed. */
  @Override
  public Integer call(Source source) throws IOException, InterruptedException {
    OutputFolder out = new OutputFolder(Path.of(settings.out()));
    if (out.has(source.key())) {
      // An attempt that Spark believed lost had come to its end.
      return 0;
    }
    SplitFolder split = out.split(source.key());
    if (source.kind() != Source.Kind.FOLDER && split.isPlanned()) {
      return split.state().parts();
    }
    Path reports = Files.createTempDirectory("rocport-fleet-report-");
    try (Attempt attempt = out.attempt(source.key())) {
      int parts = call(source, out, attempt, reports);
      if (parts == 0) {
        attempt.commit();
      }
      return parts;
    } finally {
      Folders.delete(reports);
    }
  }

  private int call(Source source, OutputFolder out, Attempt attempt, Path reports)
      throws InterruptedException {
    Clock clock = new Clock(source);
    Failure failure;
    try (Checkout checkout = Checkout.of(source, settings)) {
      TreeState state = TreeState.of(checkout.root());
      if (settings.isSplit(state.bytes())) {
        return parts(source, checkout, state, out, clock, reports);
      }
      work(checkout, state, clock, attempt, reports);
      return 0;
    } catch (OutputException e) {
      throw e;
    } catch (Failure f) {
      failure = f;
    } catch (IOException | RuntimeException e) {
      failure = Failure.unreadable(e);
    }
    attempt.fail(settings.work(), failure, clock.origin());
    return 0;
  }

  /** Divides a repository, unless an earlier run has done so; returns the number of parts. */
  private int parts(
      Source source,
      Checkout checkout,
      TreeState state,
      OutputFolder out,
      Clock clock,
      Path reports)
      throws Failure, IOException, InterruptedException {
    SplitFolder before = out.split(source.key());
    if (before.isPlanned() && before.state().tree().equals(state)) {
      return before.state().parts();
    }
    SplitFolder made;
    TreeState kept = state;
    try {
      made = out.newSplit();
      if (checkout.temporary() != null) {
        Folders.copy(checkout.root(), made.tree());
        kept = TreeState.of(made.tree());
      }
    } catch (IOException e) {
      throw new OutputException(e);
    }
    RepositoryCommand command = new RepositoryCommand(settings, made.root(source), reports, clock);
    command.requireDone(
        command.run(
            List.of(
                "--parts=" + made.parts(),
                "--step=" + PLAN,
                "--part-size=" + settings.partSize())));
    int parts = Integer.parseInt(Files.readString(command.output()).strip());
    try {
      made.add(SplitFolder.Cost.of(PLAN, 0, clock.origin()));
      made.begin(new SplitFolder.State(parts, kept));
      out.begin(source.key(), made);
      return out.split(source.key()).state().parts();
    } catch (IOException e) {
      throw new OutputException(e);
    }
  }

  private void work(Checkout checkout, TreeState first, Clock clock, Attempt attempt, Path reports)
      throws Failure, IOException, InterruptedException {
    RepositoryCommand command = new RepositoryCommand(settings, checkout.root(), reports, clock);
    TreeState before = first;
    for (int i = 0; !ran(command, before, attempt); i++) {
      if (i + 1 == ATTEMPTS) {
        throw new Failure(
            Failure.Kind.CHANGED, "files changed while they were read, in both attempts");
      }
      attempt.clear();
      before = TreeState.of(checkout.root());
    }
    Path report = command.output();
    if (settings.work() == Work.BILL) {
      BillReport.read(report, attempt.tables()).finish(clock.origin(), settings.work().done());
    } else {
      AuditReport.read(report, attempt.tables()).finish(clock.origin(), settings.work().done());
    }
    command.addSarif(attempt);
  }

  /** Runs the command; returns whether it saw one state of the files. */
  private boolean ran(RepositoryCommand command, TreeState before, Attempt attempt)
      throws Failure, IOException, InterruptedException {
    List<String> options = new ArrayList<>(command.sarifOptions());
    if (settings.work() == Work.PORT) {
      options.addAll(List.of("--out", attempt.tree().toString()));
    }
    WorkerProcess.Answer answer = command.run(options);
    if (!before.equals(TreeState.of(command.root()))) {
      return false;
    }
    command.requireDone(answer);
    return true;
  }
}
