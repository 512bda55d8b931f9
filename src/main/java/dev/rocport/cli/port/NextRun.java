package dev.rocport.cli.port;

import dev.rocport.cli.option.ReportChoices;
import dev.rocport.cli.report.Reporter;
import dev.rocport.cli.support.Console;
import dev.rocport.core.result.Result;
import dev.rocport.core.source.TreeSelection;
import dev.rocport.io.ProgramFile;
import dev.rocport.port.Unchanged;
import dev.rocport.render.ReportForm;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Prepares what the launcher prints if the same command runs again and nothing has changed. */
final class NextRun {
  private final Console console;
  private final ReportChoices choices;
  private final boolean times;
  private final Optional<Path> jar = ProgramFile.file();

  /**
   * @param times whether the command prints how long its phases took
   */
  NextRun(Console console, ReportChoices choices, boolean times) {
    this.console = console;
    this.choices = choices;
    this.times = times;
  }

  /** Returns the files that the program runs from; none if the launcher did not start it. */
  List<Path> program() {
    String home = System.getProperty("rocport.home", "");
    return home.isEmpty()
        ? List.of()
        : jar.map(file -> List.of(file, Path.of(home, "rocport"))).orElse(List.of());
  }

  /**
   * Returns whether paths and reports are so plain that stamps can stand for a run: one folder
   * without links above it, and no files other than the port.
   *
   * @param out the output as the command line names it
   */
  boolean isPlain(List<Path> paths, TreeSelection selection, Path out) throws IOException {
    return !program().isEmpty()
        && paths.size() == 1
        && selection.starts().equals(List.of(selection.root()))
        && isReal(paths.getFirst())
        && isReal(out)
        && choices.report() == null
        && choices.baseline() == null
        && choices.writeBaseline() == null
        && choices.format() == ReportForm.TEXT;
  }

  private static boolean isReal(Path path) throws IOException {
    Path absolute = path.toAbsolutePath().normalize();
    boolean up = false;
    boolean down = false;
    for (Path name : path) {
      boolean isUp = name.toString().equals("..");
      up |= isUp && (down || path.isAbsolute());
      down |= !isUp;
    }
    return !up && absolute.equals(path.toRealPath());
  }

  /**
   * Writes it.
   *
   * @param arguments those of the process, as the launcher passed them
   * @param result that of a run in which nothing has changed
   */
  void write(Unchanged unchanged, List<String> arguments, Result result, Reporter reporter)
      throws IOException {
    StringWriter text = new StringWriter();
    String bytes = "";
    if (!choices.quiet()) {
      PrintWriter err = new PrintWriter(text);
      PortReport.describe(
          new Console(console.out(), err, console.terminal()), choices, result, false);
      err.flush();
      bytes = String.valueOf(PortReport.bytes(result));
    }
    List<String> words = new ArrayList<>();
    words.add(String.valueOf(jar.orElseThrow()));
    words.add(Path.of("").toRealPath().toString());
    words.add(console.terminal() ? "1" : "0");
    words.add(System.getenv().getOrDefault("NO_COLOR", ""));
    words.add(System.getenv().getOrDefault("COLUMNS", ""));
    words.addAll(arguments);
    unchanged.write(
        words, new Unchanged.Text(reporter.code(result), bytes, times, text.toString()));
  }
}
