package dev.rocport.fleet;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkException;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;

/** {@code rocport fleet audit}: a Spark job with one task for each repository that is not there. */
final class FleetAudit {
  private final AuditSettings settings;
  private final PrintStream err;

  FleetAudit(AuditSettings settings, PrintStream err) {
    this.settings = settings;
    this.err = err;
  }

  /** Returns the exit code: 0, or 1 if a repository failed, now or before. */
  int run() throws FleetException, IOException {
    List<Source> sources = SourceList.of(settings.sources(), Path.of(settings.folder()));
    if (sources.isEmpty()) {
      throw new FleetException("the lists name no repository");
    }
    OutputFolder out = new OutputFolder(Path.of(settings.out()));
    out.open(
        new OutputFolder.Description(
            OutputFolder.SCHEMA,
            settings.version(),
            settings.options(),
            sources.stream().map(Source::key).sorted().toList()));
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
        "rocport: %d %s: %d audited, %d failed; %d of them in this run%n",
        sources.size(),
        sources.size() == 1 ? "repository" : "repositories",
        sources.size() - failed,
        failed,
        todo.size());
    return failed == 0 ? 0 : 1;
  }

  private void run(List<Source> todo) throws FleetException, IOException {
    Path temporary = Files.createTempDirectory("rocport-fleet-spark-");
    try (JavaSparkContext spark = new JavaSparkContext(conf(temporary))) {
      if (!settings.quiet()) {
        spark.sc().addSparkListener(new Progress(todo.size(), err));
      }
      // As many partitions as repositories; Spark starts them in this order, the largest first.
      long audited =
          spark
              .parallelize(todo, todo.size())
              .map(new RepositoryTask(settings.forTasks()))
              .collect()
              .stream()
              .filter(b -> b)
              .count();
      if (!settings.quiet()) {
        err.printf("rocport: %d of %d audited%n", audited, todo.size());
      }
    } catch (Exception e) {
      throw failure(e);
    } finally {
      WorkerPool.endAll();
      Folders.delete(temporary);
    }
  }

  private static FleetException failure(Exception e) {
    Throwable cause = e;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    String what = cause instanceof IOException io ? Folders.reason(io) : cause.getMessage();
    String first = String.valueOf(what).lines().findFirst().orElse("");
    boolean spark = e instanceof SparkException || cause instanceof SparkException;
    return new FleetException(
        (spark ? "Spark ended the job: " : "the audit of the fleet ended: ")
            + first
            + "; what is done is kept, and the same command continues",
        e);
  }

  private SparkConf conf(Path temporary) {
    SparkConf conf =
        new SparkConf()
            .setAppName("rocport fleet")
            .setMaster(settings.master())
            .set("spark.ui.enabled", "false")
            .set("spark.local.dir", temporary.toString())
            .set("spark.log.structuredLogging.enabled", "false")
            // An executor that dies takes its tasks with it; that says nothing about them.
            .set("spark.task.maxFailures", "8");
    if (settings.master().startsWith("local")) {
      conf.set("spark.driver.host", "127.0.0.1").set("spark.driver.bindAddress", "127.0.0.1");
    } else {
      conf.set("spark.jars", jar().toString());
    }
    settings.spark().forEach(conf::set);
    return conf;
  }

  /** The jar with these classes, for executors on other machines. */
  private static Path jar() {
    return Path.of(FleetAudit.class.getProtectionDomain().getCodeSource().getLocation().getPath());
  }

  /** Prints the number of repositories that are done. */
  private static final class Progress extends SparkListener {
    private final int all;
    private final PrintStream err;
    private final AtomicInteger done = new AtomicInteger();
    private volatile long last;

    Progress(int all, PrintStream err) {
      this.all = all;
      this.err = err;
    }

    @Override
    public void onTaskEnd(SparkListenerTaskEnd end) {
      int n = end.taskInfo().successful() ? done.incrementAndGet() : done.get();
      long now = System.nanoTime();
      if (now - last > 10_000_000_000L) {
        last = now;
        err.printf("rocport: %d of %d repositories%n", n, all);
      }
    }
  }
}
