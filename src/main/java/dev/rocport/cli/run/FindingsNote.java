package dev.rocport.cli.run;

import dev.rocport.cli.report.Reporter;
import dev.rocport.cli.support.Console;
import dev.rocport.core.source.SourceTree;
import dev.rocport.device.check.Check;
import dev.rocport.device.check.Checks;
import dev.rocport.device.check.Delays;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.verify.RunFindings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The file to which a program writes the findings of its checks. At the end, their source lines are
 * shown, and a SARIF file is written if the user has asked for one.
 */
final class FindingsNote implements AutoCloseable {
  /** The file that the user has named cannot be written. */
  static final class UnwritableException extends IOException {
    private static final long serialVersionUID = 1;

    UnwritableException(Path file, IOException cause) {
      super("cannot write " + file + ": " + SourceTree.reason(cause), cause);
    }
  }

  private static final String SARIF = ".sarif";

  private final Console console;
  private final Optional<Path> file;
  private final @Nullable Path asked;
  private final List<String> command;
  private final String checks;

  /** The options of rocport check that start the program in the same way. */
  private final String options;

  private int code;

  private FindingsNote(
      Console console,
      Optional<Path> file,
      @Nullable Path asked,
      List<String> command,
      String checks,
      String options) {
    this.console = console;
    this.file = file;
    this.asked = asked;
    this.command = command;
    this.checks = checks;
    this.options = options;
  }

  /**
   * The file for a run.
   *
   * @param asked the file that the user has named
   * @param variables of the program, which name the checks that are on
   * @param options that start the program in the same way
   */
  static FindingsNote of(
      Console console,
      @Nullable Path asked,
      List<String> command,
      Map<String, String> variables,
      String options)
      throws IOException {
    String checks = variables.getOrDefault("ROCPORT_CHECK", "");
    if (asked != null) {
      try {
        Files.writeString(asked, "");
      } catch (IOException e) {
        throw new UnwritableException(asked, e);
      }
    }
    return new FindingsNote(console, file(asked, checks), asked, command, checks, options);
  }

  private static Optional<Path> file(@Nullable Path asked, String checks) throws IOException {
    if (asked != null && !isSarif(asked)) {
      return Optional.of(asked.toAbsolutePath());
    }
    // A file that the environment names is for several runs, and left alone.
    boolean named = !System.getenv().getOrDefault(RunFindings.VARIABLE, "").isEmpty();
    return asked == null && (checks.isEmpty() || named)
        ? Optional.empty()
        : Optional.of(Files.createTempFile("rocport", ".findings"));
  }

  private static boolean isSarif(Path path) {
    return path.toString().endsWith(SARIF);
  }

  /** Where the program writes; empty if nothing is checked. */
  Optional<Path> file() {
    return file;
  }

  /** The program has ended by itself. */
  void ended(int withCode) {
    code = withCode;
  }

  /** Says how to find the delay that makes the program fail, where no finding explains it. */
  private void tellOfDelays() {
    Checks on = Checks.parse(checks, 0);
    if (code == 0 || !on.has(Check.ORDER) || on.delays().kind() != Delays.Kind.ALL) {
      return;
    }
    console
        .err()
        .printf(
            "rocport: the program exits with %d, and no finding explains this. If it exits with 0"
                + " without --check, this command finds the delay that decides:%n"
                + "  rocport check%s --seed %d -- %s%n",
            code, options, on.seed().orElse(0), String.join(" ", command));
  }

  @Override
  public void close() throws IOException {
    if (file.isEmpty()) {
      return;
    }
    RuleCatalog catalog = RuleCatalog.builtIn();
    RunFindings found = RunFindings.read(file.get(), catalog, command.getFirst());
    List<String> sources = found.sources();
    if (!sources.isEmpty()) {
      console.err().println("rocport: lines of the findings");
      sources.forEach(console.err()::println);
    }
    if (!found.hasDefects()) {
      tellOfDelays();
    }
    console.err().flush();
    if (asked != null && !isSarif(asked)) {
      return;
    }
    if (asked != null) {
      Reporter.writeSarif(
          asked, catalog, "run", List.of(Path.of(command.getFirst())), found.files(checks));
    }
    Files.deleteIfExists(file.get());
  }
}
