package dev.rocport.fleet;

import java.io.IOException;
import java.io.PrintStream;

/** {@code rocport fleet verify}: a Spark job with one task for each cell of a verification. */
final class FleetVerify {
  private final VerifySettings settings;
  private final PrintStream err;

  FleetVerify(VerifySettings settings, PrintStream err) {
    this.settings = settings;
    this.err = err;
  }

  /** Returns the exit code: 0, or 1 if a cell has no result. */
  int run() throws FleetException, IOException {
    long results;
    try (SparkJob job =
        new SparkJob("verification", settings.master(), settings.spark(), err, settings.quiet())) {
      results =
          job.run("cells", settings.cells(), new CellTask(settings)).stream()
              .filter(b -> b)
              .count();
    }
    long missing = settings.cells().size() - results;
    err.printf(
        "rocport: %d cells have results, %d have none; rocport verify --merge %s reports them%n",
        results, missing, settings.out());
    return missing == 0 ? 0 : 1;
  }
}
