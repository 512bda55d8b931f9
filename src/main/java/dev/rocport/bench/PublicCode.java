package dev.rocport.bench;

import dev.rocport.io.TemporaryFolder;
import dev.rocport.io.TsvTable;
import dev.rocport.io.process.Exec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Ports public projects, each in a separate process, and counts the units that compile. */
public final class PublicCode {
  private static final String HEADER = "draw\trepository\tcommit\tfolder\tbuild\tsources";

  /** The summary of {@code rocport port --check}. */
  private static final Pattern SUMMARY =
      Pattern.compile(
          "check for \\w+ and the host: (\\d+) .*; (\\d+) fails? .*; (\\d+) ha(?:s|ve) .*;"
              + " (\\d+) could .*");

  private final Path launcher;
  private final Path checkouts;
  private final Optional<Path> nvcc;
  private final Duration limit;

  /**
   * @param launcher the {@code rocport} script
   * @param checkouts folder with a folder {@code OWNER+NAME} for each repository
   * @param nvcc for {@code port --nvcc}
   * @param limit the longest time of a project
   */
  public PublicCode(Path launcher, Path checkouts, Optional<Path> nvcc, Duration limit) {
    this.launcher = launcher;
    this.checkouts = checkouts;
    this.nvcc = nvcc;
    this.limit = limit;
  }

  /**
   * A project of the list.
   *
   * @param draw the draw that it belongs to
   * @param repository owner and name
   * @param folder the folder in the repository
   * @param build its build systems
   */
  public record Project(String draw, String repository, String folder, String build) {}

  /**
   * What the compiler says about the port of a project.
   *
   * @param compile units without an error
   * @param explained units whose errors findings explain
   * @param silent units with an error that no finding explains
   * @param unchecked units that need something that is not in the checkout
   * @param seconds time of the port and the check
   * @param failure why there are no counts; otherwise empty
   */
  public record Row(
      int compile, int explained, int silent, int unchecked, double seconds, String failure) {
    /** Returns the number of units that the compiler was asked about. */
    public int units() {
      return compile + explained + silent + unchecked;
    }
  }

  /** Reads the list of projects, in its order. */
  public static List<Project> read(Path list) {
    return TsvTable.read(list, HEADER).rows().stream()
        .map(r -> new Project(r.cell(0), r.cell(1), r.cell(3), r.cell(4)))
        .toList();
  }

  /**
   * Ports a project and checks the port.
   *
   * @param report folder for the reports of the port
   */
  public Row port(Project project, Path report) throws IOException, InterruptedException {
    Path tree = checkouts.resolve(project.repository().replace('/', '+')).resolve(project.folder());
    if (!Files.isDirectory(tree)) {
      return failed(0, "no checkout of the repository");
    }
    try (TemporaryFolder scratch = TemporaryFolder.create("rocport-public")) {
      List<String> command = new ArrayList<>();
      command.addAll(List.of(launcher.toString(), "port", tree.normalize().toString()));
      command.addAll(List.of("--out", scratch.path().resolve("tree").toString()));
      command.addAll(List.of("--report", report.toString(), "--check"));
      nvcc.ifPresent(n -> command.addAll(List.of("--nvcc", n.toString())));
      long start = System.nanoTime();
      Exec.Outcome outcome = Exec.run(command, scratch.path(), Map.of(), limit);
      double seconds = (System.nanoTime() - start) / 1e9;
      return outcome.timedOut()
          ? failed(seconds, "not done after " + limit.toSeconds() + " s")
          : row(seconds, outcome.stderr());
    }
  }

  /** Returns the counts in the summary of a port; a failure with the last line if it has none. */
  static Row row(double seconds, String stderr) {
    Matcher m = SUMMARY.matcher(stderr);
    return m.find()
        ? new Row(number(m, 1), number(m, 2), number(m, 3), number(m, 4), seconds, "")
        : failed(seconds, stderr.lines().reduce((a, b) -> b).orElse("no message"));
  }

  private static Row failed(double seconds, String reason) {
    return new Row(0, 0, 0, 0, seconds, reason);
  }

  private static int number(Matcher m, int group) {
    return Integer.parseInt(m.group(group));
  }
}
