package dev.rocport.fleet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The command of rocport for a repository.
 *
 * @param root of the repository
 * @param reports an existing folder, receives its standard output and other reports
 * @param clock receives the time
 */
record RepositoryCommand(WorkSettings settings, Path root, Path reports, Clock clock) {
  /** The largest exit code of a command that has a report: done, and findings. */
  private static final int REPORTED = 1;

  /** Where its standard output goes. */
  Path output() {
    return reports.resolve("stdout.json");
  }

  /** Returns the options for a SARIF report; none if none is wanted. */
  List<String> sarifOptions() {
    return settings.sarif() ? List.of("--report", reports.toString()) : List.of();
  }

  /** Puts the SARIF report, if there is one, beside the tables. */
  void addSarif(Attempt attempt) {
    Path sarif = reports.resolve("report.sarif");
    if (Files.exists(sarif)) {
      attempt.add(sarif);
    }
  }

  /**
   * Runs it in a process.
   *
   * @param more options
   */
  WorkerProcess.Answer run(List<String> more) throws Failure, IOException, InterruptedException {
    List<String> args = new ArrayList<>(List.of(settings.work().label(), root.toString()));
    args.addAll(List.of("--format", "json", "--jobs", "1"));
    if (settings.work() != Work.BILL) {
      args.add("--quiet");
    }
    args.addAll(more);
    args.addAll(settings.options());
    WorkerProcess.Answer answer =
        WorkerPool.of(settings.worker()).run(output(), args, settings.work().failure());
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
