package dev.rocport.cli.port;

import dev.rocport.assess.PastReport;
import dev.rocport.cli.option.PageChoices;
import dev.rocport.cli.option.ReportChoices;
import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.ExitCode;
import dev.rocport.cli.support.UsageException;
import dev.rocport.core.result.PortStatus;
import dev.rocport.core.result.PortStatus.Kernel;
import dev.rocport.core.result.PortStatus.Step;
import dev.rocport.core.source.SourceTree;
import dev.rocport.io.AtomicFile;
import dev.rocport.io.Json;
import dev.rocport.port.PortRecord;
import dev.rocport.port.StateException;
import dev.rocport.port.status.StatusReader;
import dev.rocport.port.status.Steps;
import dev.rocport.render.html.HtmlStatus;
import dev.rocport.render.text.StatusText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.json.JsonMapper;

/** {@code rocport status}: how far a port is, and what is worth doing next. */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Shows what of a port is ported, open, decided, built, run, compared and checked, what has"
            + " changed since the last time, and what is worth doing next.",
    footer = {
      "",
      "Examples:",
      "  rocport status ported",
      "  rocport status ported --verified reports/report.json --html status.html"
    })
public final class StatusCommand implements Callable<Integer> {
  /** The figures of the last time, in the root of the ported tree. */
  private static final String LAST = ".rocport/status.json";

  private final Console console;

  @Parameters(
      arity = "0..1",
      paramLabel = "DIR",
      defaultValue = ".",
      description = "The ported tree (default: the current folder).")
  private Path folder;

  @Option(
      names = "--verified",
      paramLabel = "FILE.json",
      description = "The JSON report of 'rocport verify' for this port.")
  private @Nullable Path verified;

  @Option(names = "--html", paramLabel = "FILE", description = "Also write a page.")
  private @Nullable Path page;

  @Option(names = "--no-color", description = "Use no colors on a terminal.")
  private boolean noColor;

  @Mixin private PageChoices form;

  public StatusCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    if (!Files.isDirectory(folder)) {
      throw new UsageException(folder + ": no such folder");
    }
    Path root = folder.toRealPath();
    PortStatus status;
    try {
      PortRecord record =
          PortRecord.read(root)
              .orElseThrow(
                  () ->
                      new UsageException(
                          "nothing was ported into " + folder + ": run rocport port first"));
      List<Step> steps = steps(root);
      status = new StatusReader(root, record, steps, verified()).read(last(root));
    } catch (StateException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
    if (form.json()) {
      Json.document(console.out(), g -> json(g, status));
    } else {
      console.out().print(StatusText.of(status, ReportChoices.paper(console, noColor)));
    }
    console.out().flush();
    Path file = page;
    if (file != null) {
      AtomicFile.write(file, out -> HtmlStatus.write(status, out));
    }
    AtomicFile.write(
        root.resolve(LAST), out -> Json.document(out, g -> figures(g, status.figures())));
    return ExitCode.OK.code();
  }

  private static List<Step> steps(Path root) throws IOException {
    Optional<Steps> steps = Steps.around(root);
    return steps.isPresent() ? steps.get().read() : List.of();
  }

  /** Returns whether the report is that of a verification in which all succeeded. */
  private Optional<Boolean> verified() {
    Path file = verified;
    if (file == null) {
      return Optional.empty();
    }
    try {
      PastReport report = PastReport.read(file);
      if (!report.command().equals("verify") || report.cells().isEmpty()) {
        throw new UsageException("--verified " + file + ": not a report of 'rocport verify'");
      }
      return Optional.of(
          report.cells().values().stream()
              .allMatch(c -> c.equals("ok") || c.startsWith("identical") || c.startsWith("close")));
    } catch (IOException e) {
      throw new UsageException("--verified " + file + ": " + SourceTree.reason(e));
    }
  }

  private static SortedMap<String, Long> last(Path root) throws IOException {
    SortedMap<String, Long> figures = new TreeMap<>();
    Path file = root.resolve(LAST);
    if (Files.exists(file)) {
      try {
        JsonMapper.shared()
            .readTree(Files.readAllBytes(file))
            .forEachEntry((name, number) -> figures.put(name, number.asLong(0)));
      } catch (JacksonException e) {
        throw new UsageException(file + " is damaged: delete it: " + e.getOriginalMessage());
      }
    }
    return figures;
  }

  private static void figures(JsonGenerator g, SortedMap<String, Long> figures) {
    g.writeStartObject();
    figures.forEach(g::writeNumberProperty);
    g.writeEndObject();
  }

  private static void json(JsonGenerator g, PortStatus status) {
    g.writeStartObject();
    g.writeStringProperty("root", status.root());
    g.writeStringProperty("input", status.input());
    g.writeName("figures");
    figures(g, status.figures());
    g.writeArrayPropertyStart("kernels");
    for (Kernel k : status.kernels()) {
      g.writeStartObject();
      g.writeStringProperty("name", k.name());
      g.writeStringProperty("path", k.path());
      g.writeBooleanProperty("ported", k.ported());
      g.writeBooleanProperty("built", k.built());
      g.writeBooleanProperty("run", k.run());
      g.writeBooleanProperty("compared", k.compared());
      g.writeBooleanProperty("checked", k.checked());
      g.writeEndObject();
    }
    g.writeEndArray();
    g.writeArrayPropertyStart("steps");
    for (Step s : status.steps()) {
      g.writeStartObject();
      g.writeStringProperty("command", s.command());
      g.writeStringProperty("subject", s.subject());
      g.writeBooleanProperty("ok", s.ok());
      g.writeStringProperty("outcome", s.outcome());
      g.writeStringProperty("on", s.on());
      g.writeEndObject();
    }
    g.writeEndArray();
    strings(g, "changes", status.changes());
    strings(g, "next", status.next());
    g.writeEndObject();
  }

  private static void strings(JsonGenerator g, String name, List<String> texts) {
    g.writeArrayPropertyStart(name);
    texts.forEach(g::writeString);
    g.writeEndArray();
  }
}
