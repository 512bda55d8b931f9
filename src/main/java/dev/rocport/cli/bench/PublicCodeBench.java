package dev.rocport.cli.bench;

import dev.rocport.bench.PublicCode;
import dev.rocport.bench.PublicCode.Project;
import dev.rocport.bench.PublicCode.Row;
import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.ExitCode;
import dev.rocport.cli.support.UsageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

/** {@code rocport bench --public-code}: a table of ported public projects. */
final class PublicCodeBench {
  private final Console console;
  private final PublicCode ports;

  PublicCodeBench(Console console, PublicCode ports) {
    this.console = console;
    this.ports = ports;
  }

  /**
   * Ports the projects of a list and prints a row for each as soon as it is done.
   *
   * @param chosen the projects to port, by draw and number such as {@code first/7}
   * @param reports folder for the folders {@code DRAW/NUMBER} of reports
   * @return the exit code; not zero if no project has counts
   */
  int run(Path list, Predicate<String> chosen, Path reports)
      throws IOException, InterruptedException {
    line("| | project | build | units | compile | refused | silent | not checked | s |");
    line("|--:|---|---|--:|--:|--:|--:|--:|--:|");
    List<Row> rows = new ArrayList<>();
    Map<String, Integer> numbers = new HashMap<>();
    for (Project p : PublicCode.read(list)) {
      int number = numbers.merge(p.draw(), 1, Integer::sum);
      String key = p.draw() + "/" + number;
      if (chosen.test(key)) {
        Row row = ports.port(p, reports.resolve(key));
        rows.add(row);
        line("| %d | %s | %s | %s |".formatted(number, name(p), p.build(), counts(row)));
      }
    }
    if (rows.isEmpty()) {
      throw new UsageException("--only: no project of " + list + " matches");
    }
    Row all =
        new Row(
            sum(rows, Row::compile),
            sum(rows, Row::explained),
            sum(rows, Row::silent),
            sum(rows, Row::unchecked),
            rows.stream().mapToDouble(Row::seconds).sum(),
            "");
    line("| | **all** | | " + counts(all) + " |");
    return (rows.stream().allMatch(r -> !r.failure().isEmpty()) ? ExitCode.USAGE : ExitCode.OK)
        .code();
  }

  private static String name(Project p) {
    return p.folder().equals(".") ? p.repository() : p.repository() + ": " + p.folder();
  }

  private static int sum(List<Row> rows, ToIntFunction<Row> count) {
    return rows.stream().mapToInt(count).sum();
  }

  private static String counts(Row row) {
    return row.failure().isEmpty()
        ? String.format(
            Locale.ROOT,
            "%d | %d | %d | %d | %d | %.0f",
            row.units(),
            row.compile(),
            row.explained(),
            row.silent(),
            row.unchecked(),
            row.seconds())
        : String.format(
            Locale.ROOT, "%s | | | | | %.0f", row.failure().replace('|', '/'), row.seconds());
  }

  private void line(String text) {
    console.out().println(text);
    console.out().flush();
  }
}
