package dev.rocport.fleet;

import java.io.IOException;
import java.io.PrintStream;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkException;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.Function;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;

/** Independent tasks on Spark, each with a partition of its own, started in their order. */
final class SparkJob implements AutoCloseable {
  private final String name;
  private final PrintStream progress;
  private final boolean quiet;
  private final Path temporary;
  private final JavaSparkContext spark;

  /**
   * Starts Spark.
   *
   * @param name for messages: {@code audit of the fleet}
   * @param master Spark's
   * @param properties of Spark
   * @param progress where progress goes
   * @param quiet no progress
   * @throws FleetException if it does not start
   */
  SparkJob(
      String name,
      String master,
      Map<String, String> properties,
      PrintStream progress,
      boolean quiet)
      throws FleetException, IOException {
    requireLibrary(master);
    this.name = name;
    this.progress = progress;
    this.quiet = quiet;
    this.temporary = Files.createTempDirectory("rocport-fleet-spark-");
    try {
      this.spark = new JavaSparkContext(conf(master, properties, temporary));
    } catch (Exception e) {
      Folders.delete(temporary);
      throw new FleetException(
          "--master %s: Spark does not start: %s".formatted(master, reason(cause(e))), e);
    }
  }

  /** What Spark loads for a master: it has a library of its own, which is not fetched. */
  private static void requireLibrary(String master) throws FleetException {
    String loaded =
        master.equals("yarn")
            ? "YarnClusterManager"
            : master.startsWith("k8s://") ? "k8s/KubernetesClusterManager" : "";
    String file = "/org/apache/spark/scheduler/cluster/" + loaded + ".class";
    if (!loaded.isEmpty() && SparkJob.class.getResource(file) == null) {
      String library = master.equals("yarn") ? "spark-yarn_2.13" : "spark-kubernetes_2.13";
      throw new FleetException(
          ("--master %s: needs %s with its dependencies in fleet/target/lib, which are not fetched"
                  + " (docs/fleet.md); a cluster of src/build/fleet-spark.sh needs no library")
              .formatted(master, library));
    }
  }

  /**
   * Runs tasks.
   *
   * @param things what the tasks are for, in the plural
   * @return what they return, in the same order
   * @throws FleetException if Spark gave up
   */
  <T extends Serializable, R> List<R> run(String things, List<T> items, Function<T, R> task)
      throws FleetException {
    Progress shown = new Progress(items.size(), things, progress);
    if (!quiet) {
      spark.sc().addSparkListener(shown);
    }
    try {
      return spark.parallelize(items, items.size()).map(task).collect();
    } catch (Exception e) {
      throw failure(e);
    } finally {
      spark.sc().removeSparkListener(shown);
    }
  }

  @Override
  public void close() throws IOException {
    spark.close();
    WorkerPool.endAll();
    Folders.delete(temporary);
  }

  private FleetException failure(Exception e) {
    Throwable cause = cause(e);
    boolean spark = e instanceof SparkException || cause instanceof SparkException;
    return new FleetException(
        (spark ? "Spark ended the job: " : "the " + name + " ended: ")
            + reason(cause)
            + "; what is done is kept, and the same command continues",
        e);
  }

  private static Throwable cause(Throwable e) {
    return e.getCause() == null ? e : cause(e.getCause());
  }

  /** The first line of a message. */
  private static String reason(Throwable cause) {
    String what = cause instanceof IOException io ? Folders.reason(io) : cause.getMessage();
    return String.valueOf(what).lines().findFirst().orElse("");
  }

  private static SparkConf conf(String master, Map<String, String> properties, Path temporary) {
    SparkConf conf =
        conf("rocport fleet", master, temporary)
            // An executor that dies takes its tasks with it; that says nothing about them.
            .set("spark.task.maxFailures", "8");
    if (!isLocal(master)) {
      conf.set("spark.jars", jar().toString());
    }
    if (master.equals("yarn")) {
      // The default is 15 minutes for a resource manager that does not answer.
      conf.set("spark.hadoop.yarn.resourcemanager.connect.max-wait.ms", "60000");
    }
    properties.forEach(conf::set);
    return conf;
  }

  /**
   * Returns what each use of Spark needs.
   *
   * @param application its name
   * @param temporary a folder for Spark's files
   */
  static SparkConf conf(String application, String master, Path temporary) {
    SparkConf conf =
        new SparkConf()
            .setAppName(application)
            .setMaster(master)
            .set("spark.ui.enabled", "false")
            .set("spark.local.dir", temporary.toString())
            .set("spark.log.structuredLogging.enabled", "false");
    if (isLocal(master)) {
      conf.set("spark.driver.host", "127.0.0.1").set("spark.driver.bindAddress", "127.0.0.1");
    }
    return conf;
  }

  /** Whether the tasks run in this virtual machine. */
  static boolean isLocal(String master) {
    return master.startsWith("local");
  }

  /** The jar with these classes, for executors on other machines. */
  private static Path jar() {
    return Path.of(SparkJob.class.getProtectionDomain().getCodeSource().getLocation().getPath());
  }

  /** Prints the number of tasks that are done. */
  private static final class Progress extends SparkListener {
    private final int all;
    private final String things;
    private final PrintStream err;
    private final AtomicInteger done = new AtomicInteger();
    private volatile long last;

    Progress(int all, String things, PrintStream err) {
      this.all = all;
      this.things = things;
      this.err = err;
    }

    @Override
    public void onTaskEnd(SparkListenerTaskEnd end) {
      int n = end.taskInfo().successful() ? done.incrementAndGet() : done.get();
      long now = System.nanoTime();
      if (now - last > 10_000_000_000L) {
        last = now;
        err.printf("rocport: %d of %d %s%n", n, all, things);
      }
    }
  }
}
