package dev.rocport.fleet;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The command of rocport for a repository.
 *
 * @param root of the repository
 * @param clock receives the time
 */
record RepositoryCommand(WorkSettings settings, Path root, Clock clock) {
  /** The largest exit code of a command that has a report: done, and findings. */
  private static final int REPORTED = 1;

  /** What {@code --report} calls it. */
  static final String SARIF = "report.sarif";

  /**
   * Runs it in a process.
   *
   * @param output receives its standard output
   * @param more options
   */
  WorkerProcess.Answer run(Path output, List<String> more)
      throws Failure, IOException, InterruptedException {
    List<String> args = new ArrayList<>(List.of(settings.work().label(), root.toString()));
    args.addAll(List.of("--format", "json", "--jobs", "1"));
    if (settings.work() != Work.BILL) {
      args.add("--quiet");
    }
    args.addAll(more);
    args.addAll(settings.options());
    WorkerProcess.Answer answer =
        WorkerPool.of(settings.worker()).run(output, args, settings.work().failure());
    clock.add(answer);
    return answer;
  }

  /** Requires a report. */
  void requireDone(WorkerProcess.Answer answer) throws Failure {
    if (answer.code() > REPORTED) {
      String message = answer.messages().strip().replaceFirst("^rocport: ", "");
      throw new Failure(
          settings.work().failure(), message.replace(root + "/", "").replace(root.toString(), "."));
    }
  }
}
