package dev.rocport.cli.audit;

import dev.rocport.assess.Comparison;
import dev.rocport.assess.Comparison.Change;
import dev.rocport.assess.PastReport;
import dev.rocport.assess.PastReport.Entry;
import dev.rocport.cli.option.PageChoices;
import dev.rocport.cli.option.ReportChoices;
import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.ExitCode;
import dev.rocport.cli.support.UsageException;
import dev.rocport.core.result.Severity;
import dev.rocport.core.source.SourceTree;
import dev.rocport.io.Json;
import dev.rocport.render.text.Paper;
import dev.rocport.render.text.TextReport;
import dev.rocport.render.text.TextTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.core.JsonGenerator;

/** {@code rocport compare}: shows what changed between two reports. */
@Command(
    name = "compare",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Shows what changed between two JSON reports: totals, new and fixed findings, and"
            + " verification results. Findings that only moved count as unchanged.",
    footer = {
      "",
      "Examples:",
      "  rocport audit . --format json > today.json",
      "  rocport compare yesterday.json today.json --fail-on warning"
    })
public final class CompareCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(index = "0", paramLabel = "BEFORE", description = "The earlier report.")
  private Path before;

  @Parameters(index = "1", paramLabel = "AFTER", description = "The later report.")
  private Path after;

  @Option(
      names = "--fail-on",
      paramLabel = "note|warning|error",
      defaultValue = "error",
      description = "Exit with 1 for new findings of this severity or higher (default: error).")
  private Severity failOn;

  @Option(names = "--no-color", description = "Use no colors on a terminal.")
  private boolean noColor;

  @Mixin private PageChoices page;

  public CompareCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    Comparison c = Comparison.of(read(before), read(after));
    if (page.json()) {
      json(c);
    } else {
      console.out().print(text(c, ReportChoices.paper(console, noColor)));
    }
    console.out().flush();
    boolean worse = c.fresh().stream().anyMatch(f -> f.severity().compareTo(failOn) >= 0);
    boolean lost =
        c.cells().values().stream().anyMatch(x -> isGood(x.before()) && !isGood(x.after()));
    return (worse || lost ? ExitCode.FINDINGS : ExitCode.OK).code();
  }

  /** Whether a verification passed; false if it did not run. */
  private static boolean isGood(String cell) {
    return cell.equals("ok") || cell.startsWith("identical") || cell.startsWith("close");
  }

  private static PastReport read(Path file) {
    try {
      return PastReport.read(file);
    } catch (IOException e) {
      throw new UsageException(file + ": " + SourceTree.reason(e));
    }
  }

  private static String text(Comparison c, Paper paper) {
    StringBuilder out = new StringBuilder();
    findings(out, paper.bold("new"), c.fresh(), paper);
    findings(out, paper.bold("gone"), c.gone(), paper);
    TextTable cells = new TextTable("lll", "verified", "before", "after");
    c.cells()
        .forEach((k, v) -> cells.row(TextReport.visible(k), said(v.before()), said(v.after())));
    if (!cells.isEmpty()) {
      out.append(cells.render(paper, "")).append('\n');
    }
    table(out, "rule", c.rules(), paper);
    table(out, "figure", c.totals(), paper);
    return out.toString();
  }

  private static String said(String cell) {
    return cell.isEmpty() ? "-" : TextReport.visible(cell);
  }

  private static void findings(StringBuilder out, String title, List<Entry> findings, Paper paper) {
    for (Entry f : findings) {
      String place = f.line() == 0 ? f.path() : f.path() + ":" + f.line();
      out.append(
          "%s %s: %s: %s [%s]%n"
              .formatted(
                  title,
                  TextReport.visible(place),
                  paper.severity(f.severity()),
                  TextReport.visible(f.message()),
                  TextReport.visible(f.rule())));
    }
  }

  private static void table(
      StringBuilder out, String what, SortedMap<String, Change<Long>> changes, Paper paper) {
    TextTable table = new TextTable("lrrr", what, "before", "after", "");
    changes.forEach(
        (k, v) -> {
          long by = v.after() - v.before();
          String sign = by > 0 ? "+" + by : by == 0 ? "" : String.valueOf(by);
          table.row(TextReport.visible(k), v.before(), v.after(), sign);
        });
    if (!table.isEmpty()) {
      out.append(table.render(paper, "")).append('\n');
    }
  }

  private void json(Comparison c) {
    try (JsonGenerator g = Json.generator(console.out())) {
      g.writeStartObject();
      findings(g, "new", c.fresh());
      findings(g, "gone", c.gone());
      numbers(g, "rules", c.rules());
      numbers(g, "totals", c.totals());
      g.writeObjectPropertyStart("verified");
      c.cells()
          .forEach(
              (k, v) -> {
                g.writeObjectPropertyStart(k);
                g.writeStringProperty("before", v.before());
                g.writeStringProperty("after", v.after());
                g.writeEndObject();
              });
      g.writeEndObject();
      g.writeEndObject();
    }
    console.out().println();
  }

  private static void findings(JsonGenerator g, String name, List<Entry> findings) {
    g.writeArrayPropertyStart(name);
    for (Entry f : findings) {
      g.writeStartObject();
      g.writeStringProperty("rule", f.rule());
      g.writeStringProperty("severity", f.severity().label());
      g.writeStringProperty("path", f.path());
      g.writeNumberProperty("line", f.line());
      g.writeStringProperty("message", f.message());
      g.writeStringProperty("fingerprint", f.fingerprint());
      g.writeEndObject();
    }
    g.writeEndArray();
  }

  private static void numbers(
      JsonGenerator g, String name, SortedMap<String, Change<Long>> changes) {
    g.writeObjectPropertyStart(name);
    changes.forEach(
        (k, v) -> {
          g.writeObjectPropertyStart(k);
          g.writeNumberProperty("before", v.before());
          g.writeNumberProperty("after", v.after());
          g.writeEndObject();
        });
    g.writeEndObject();
  }
}
