package dev.rocport.fleet;

import java.io.Serializable;
import java.util.List;
import java.util.Map;

/**
 * What {@code rocport fleet verify} asks for.
 *
 * @param home rocport's folder
 * @param classPath of rocport, with absolute paths
 * @param folder where relative paths of the arguments start
 * @param arguments of each verification
 * @param cells their names, in the order in which they start
 * @param out folder of the results
 * @param master Spark's
 * @param spark properties of Spark
 * @param timeLimit seconds for one cell
 * @param memoryLimit heap for one cell, in MiB
 * @param quiet no progress
 */
record VerifySettings(
    String home,
    String classPath,
    String folder,
    List<String> arguments,
    List<String> cells,
    String out,
    String master,
    Map<String, String> spark,
    int timeLimit,
    int memoryLimit,
    boolean quiet)
    implements Serializable {
  /** A process is as good for its last cell as for its first one. */
  private static final int CELLS = 1000;

  VerifySettings {
    arguments = List.copyOf(arguments);
    cells = List.copyOf(cells);
    spark = Map.copyOf(spark);
  }

  WorkerSettings worker() {
    return new WorkerSettings(home, classPath, folder, timeLimit, memoryLimit, CELLS);
  }
}
