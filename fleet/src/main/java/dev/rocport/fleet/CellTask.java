package dev.rocport.fleet;

import java.io.IOException;
import java.io.Serial;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.api.java.function.Function;

/**
 * The task for one cell of a verification: {@code rocport verify --cell} in a process, which writes
 * the result. Whatever prevents a result becomes a file with the reason.
 */
final class CellTask implements Function<String, Boolean> {
  @Serial private static final long serialVersionUID = 1;

  /** The largest exit code of a verification that has a result. */
  private static final int JUDGED = 1;

  private final VerifySettings settings;

  CellTask(VerifySettings settings) {
    this.settings = settings;
  }

  /** Returns whether the cell has a result. */
  @Override
  public Boolean call(String id) throws IOException, InterruptedException {
    List<String> args = new ArrayList<>(List.of("verify"));
    args.addAll(settings.arguments());
    args.addAll(List.of("--quiet", "--jobs", "1", "--cells", settings.out(), "--cell", id));
    Path output = Files.createTempFile("rocport-fleet-", ".txt");
    String reason;
    try {
      WorkerProcess.Answer answer =
          WorkerPool.of(settings.worker()).run(output, args, Failure.Kind.AUDIT);
      if (answer.code() <= JUDGED) {
        return true;
      }
      reason = answer.messages().strip().replaceFirst("^rocport: ", "");
    } catch (Failure f) {
      reason = f.reason();
    } finally {
      Files.deleteIfExists(output);
    }
    // One of an earlier run says nothing about this one.
    Files.deleteIfExists(Path.of(settings.out(), "results", id + ".json"));
    Path failure = Path.of(settings.out(), "failures", id + ".txt");
    Files.createDirectories(failure.getParent());
    Files.writeString(failure, reason + "\n");
    return false;
  }
}
