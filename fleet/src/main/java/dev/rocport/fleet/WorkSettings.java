package dev.rocport.fleet;

import java.io.Serializable;
import java.util.List;
import java.util.Map;

/**
 * What {@code rocport fleet audit}, {@code bill} and {@code port} ask for.
 *
 * @param command the {@link Work}
 * @param version of rocport
 * @param home rocport's folder
 * @param classPath of rocport, with absolute paths
 * @param folder where the command runs; relative paths start there
 * @param sources as given
 * @param out folder of the tables
 * @param master Spark's
 * @param spark properties of Spark
 * @param timeLimit seconds for one repository
 * @param memoryLimit heap for one repository, in MiB
 * @param sizeLimit content of an archive or a clone, in MiB
 * @param workerRepositories repositories of one process
 * @param splitAbove content of a repository that is audited in parts if it has more, in MiB; 0 if
 *     none is
 * @param options of the command for each repository
 * @param sarif a SARIF report for each repository
 * @param retry repositories that failed before are done again
 * @param quiet no progress
 */
record WorkSettings(
    String command,
    String version,
    String home,
    String classPath,
    String folder,
    List<String> sources,
    String out,
    String master,
    Map<String, String> spark,
    int timeLimit,
    int memoryLimit,
    int sizeLimit,
    int workerRepositories,
    int splitAbove,
    List<String> options,
    boolean sarif,
    boolean retry,
    boolean quiet)
    implements Serializable {
  WorkSettings {
    // Tasks carry the settings; where the sources come from, credentials included, is not theirs.
    sources = List.copyOf(sources);
    spark = Map.copyOf(spark);
    options = List.copyOf(options);
  }

  Work work() {
    return Work.of(command);
  }

  long sizeLimitBytes() {
    return (long) sizeLimit << 20;
  }

  /** Whether a repository of this size is audited in parts. */
  boolean isSplit(long bytes) {
    return work() == Work.AUDIT && splitAbove > 0 && bytes > (long) splitAbove << 20;
  }

  /** The size of a part, in KiB. */
  int partSize() {
    return splitAbove << 8; // a quarter
  }

  WorkerSettings worker() {
    return new WorkerSettings(home, classPath, folder, timeLimit, memoryLimit, workerRepositories);
  }

  /** The same without the sources. */
  WorkSettings forTasks() {
    return new WorkSettings(
        command,
        version,
        home,
        classPath,
        folder,
        List.of(),
        out,
        master,
        spark,
        timeLimit,
        memoryLimit,
        sizeLimit,
        workerRepositories,
        splitAbove,
        options,
        sarif,
        retry,
        quiet);
  }
}
