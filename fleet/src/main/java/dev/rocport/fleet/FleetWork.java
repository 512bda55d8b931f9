package dev.rocport.fleet;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;

/**
 * {@code rocport fleet audit}, {@code bill} and {@code port}: a Spark job with one task for each
 * repository that is not there.
 */
final class FleetWork {
  private final WorkSettings settings;
  private final PrintStream err;

  FleetWork(WorkSettings settings, PrintStream err) {
    this.settings = settings;
    this.err = err;
  }

  /** Returns the exit code: 0, or 1 if a repository failed, now or before. */
  int run() throws FleetException, IOException {
    List<Source> sources =
        SourceList.of(settings.sources(), Path.of(settings.folder()), settings.spark());
    if (sources.isEmpty()) {
      throw new FleetException("the lists name no repository");
    }
    OutputFolder out = new OutputFolder(Path.of(settings.out()));
    out.open(
        new OutputFolder.Description(
            OutputFolder.SCHEMA,
            settings.version(),
            settings.command(),
            settings.options(),
            sources.stream().map(Source::key).sorted().toList()));
    out.removeSplits();
    SortedSet<String> there = out.keys();
    List<Source> todo = new ArrayList<>();
    for (Source s : sources) {
      if (there.contains(s.key()) && settings.retry() && out.hasFailed(s.key())) {
        out.remove(s.key());
        there.remove(s.key());
      }
      if (!there.contains(s.key())) {
        todo.add(s);
      }
    }
    if (!todo.isEmpty()) {
      run(todo);
    }
    long failed = sources.stream().filter(s -> out.hasFailed(s.key())).count();
    err.printf(
        "rocport: %d %s: %d %s, %d failed; %d of them in this run%n",
        sources.size(),
        sources.size() == 1 ? "repository" : "repositories",
        sources.size() - failed,
        settings.work().done(),
        failed,
        todo.size());
    return failed == 0 ? 0 : 1;
  }

  private void run(List<Source> todo) throws FleetException, IOException {
    WorkSettings forTasks = settings.forTasks();
    try (SparkJob job =
        new SparkJob(
            settings.command() + " of the fleet",
            settings.master(),
            settings.spark(),
            err,
            settings.quiet())) {
      // Spark starts them in this order, the largest first.
      List<Integer> parts = job.run("repositories", todo, new RepositoryTask(forTasks));
      for (Step step : Step.values()) {
        List<PartTask.Part> items = new ArrayList<>();
        for (int i = 0; i < todo.size(); i++) {
          items.addAll(PartTask.Part.of(todo.get(i), step, parts.get(i)));
        }
        if (!items.isEmpty()) {
          job.run("steps '" + step.label() + "'", items, new PartTask(forTasks));
        }
      }
    }
  }
}
