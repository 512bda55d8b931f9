package dev.rocport.fleet;

import java.io.IOException;
import java.io.Serial;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.api.java.function.Function;

/**
 * The task for a step of the audit of a large repository. The last step commits the rows. A step
 * that fails makes the repository a failure, and its other steps end at once.
 */
final class PartTask implements Function<PartTask.Part, Boolean> {
  @Serial private static final long serialVersionUID = 1;

  /**
   * A step of a repository.
   *
   * @param number of the part, from 0; 0 for a step of all
   * @param of number of parts
   */
  record Part(Source source, Step step, int number, int of) implements Serializable {
    /**
     * Returns the tasks of a step.
     *
     * @param parts 0 for a repository that is not split
     */
    static List<Part> of(Source source, Step step, int parts) {
      int count = step.isOfPart() ? parts : Math.min(1, parts);
      return IntStream.range(0, count).mapToObj(i -> new Part(source, step, i, parts)).toList();
    }

    private Failure failure(Failure f) {
      String where =
          step.isOfPart()
              ? "part %d of %d".formatted(number + 1, of)
              : "step '%s' of %d parts".formatted(step.label(), of);
      return new Failure(f.kind(), where + ": " + f.reason());
    }
  }

  private final WorkSettings settings;

  PartTask(WorkSettings settings) {
    this.settings = settings;
  }

  /** Returns whether the step is done. */
  @Override
  public Boolean call(Part part) throws IOException, InterruptedException {
    OutputFolder out = new OutputFolder(Path.of(settings.out()));
    String key = part.source().key();
    SplitFolder split = out.split(key);
    if (out.has(key) || split.isDone(part.step().label(), part.number())) {
      return !out.hasFailed(key);
    }
    Clock clock = new Clock(part.source());
    Path reports = Files.createTempDirectory("rocport-fleet-report-");
    Failure failure;
    try {
      run(part, out, split, clock, reports);
      return true;
    } catch (OutputException e) {
      throw e;
    } catch (Failure f) {
      failure = f;
    } catch (IOException | RuntimeException e) {
      failure = Failure.unreadable(e);
    } finally {
      Folders.delete(reports);
    }
    try (Attempt attempt = out.attempt(key)) {
      attempt.fail(settings.work(), part.failure(failure), clock.origin());
      attempt.commit();
    }
    boolean isLimit = failure.kind() == Failure.Kind.TIME || failure.kind() == Failure.Kind.MEMORY;
    if (!isLimit || part.source().kind() != Source.Kind.FOLDER) {
      out.removeSplit(key);
    }
    return false;
  }

  private void run(Part part, OutputFolder out, SplitFolder split, Clock clock, Path reports)
      throws Failure, IOException, InterruptedException {
    RepositoryCommand command =
        new RepositoryCommand(settings, split.root(part.source()), reports, clock);
    List<String> options =
        new ArrayList<>(
            List.of(
                "--parts=" + split.parts(),
                "--step=" + part.step().label(),
                "--part=" + part.number()));
    if (part.source().kind() != Source.Kind.FOLDER) {
      options.add("--copy");
    }
    if (part.step() == Step.REPORT) {
      options.addAll(command.sarifOptions());
    }
    command.requireDone(command.run(options));
    if (part.step() == Step.REPORT) {
      commit(part, out, split, command);
    } else {
      note(split, SplitFolder.Cost.of(part.step().label(), part.number(), clock.origin()));
    }
  }

  private static void note(SplitFolder split, SplitFolder.Cost cost) {
    try {
      split.add(cost);
    } catch (IOException e) {
      throw new OutputException(e);
    }
  }

  private void commit(Part part, OutputFolder out, SplitFolder split, RepositoryCommand command)
      throws Failure, IOException {
    if (!split.state().tree().equals(TreeState.of(command.root()))) {
      throw new Failure(Failure.Kind.CHANGED, "files changed while the parts were audited");
    }
    String key = part.source().key();
    try (Attempt attempt = out.attempt(key)) {
      AuditReport report = AuditReport.read(command.output(), attempt.tables());
      List<SplitFolder.Cost> costs = new ArrayList<>(split.costs());
      Origin now = command.clock().origin();
      costs.add(SplitFolder.Cost.of(part.step().label(), part.number(), now));
      long milliseconds = 0;
      long processor = 0;
      for (SplitFolder.Cost c : costs) {
        attempt
            .tables()
            .add(Table.TASKS, c.step(), (long) c.part(), c.milliseconds(), c.processor(), c.age());
        milliseconds += c.milliseconds();
        processor += c.processor();
      }
      Origin sum =
          new Origin(now.name(), now.location(), now.team(), milliseconds, processor, now.age());
      report.finish(sum, settings.work().done());
      command.addSarif(attempt);
      attempt.commit();
    }
    out.removeSplit(key);
  }
}
