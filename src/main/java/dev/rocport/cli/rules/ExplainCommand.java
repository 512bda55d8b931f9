package dev.rocport.cli.rules;

import dev.rocport.cli.option.PageChoices;
import dev.rocport.cli.option.RuleChoices;
import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.EditDistance;
import dev.rocport.cli.support.ExitCode;
import dev.rocport.cli.support.UsageException;
import dev.rocport.commandline.NvccFlags;
import dev.rocport.explain.Explanation;
import dev.rocport.io.Json;
import dev.rocport.lang.ptx.PtxTable;
import dev.rocport.render.text.Paper;
import dev.rocport.rules.ApiName;
import dev.rocport.rules.PtxRow;
import dev.rocport.rules.Rule;
import dev.rocport.rules.RuleCatalog;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.core.JsonGenerator;

/** {@code rocport explain}: the page of one rule or one CUDA name. */
@Command(
    name = "explain",
    mixinStandardHelpOptions = true,
    description = "Shows what a rule does and why, or how a CUDA name is ported.",
    footer = {"", "Examples:", "  rocport explain W64-LOCK", "  rocport explain cudaMallocManaged"})
public final class ExplainCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(
      paramLabel = "ID|CUDA_NAME",
      description =
          "A rule id; a CUDA function, type, macro or header; a PTX instruction; or an nvcc flag.")
  private String what;

  @Mixin private PageChoices page;
  @Mixin private RuleChoices choices;

  public ExplainCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    if (what.isBlank()) {
      throw new UsageException("explain needs a rule id or a CUDA name");
    }
    RuleCatalog catalog = choices.catalog();
    Explanation found = Explanation.of(catalog, what);
    if (found.flag().isPresent()) {
      flag(found.flag().get());
      return ExitCode.OK.code();
    }
    Rule rule = found.rule().orElse(null);
    List<ApiName> names = found.names();
    List<Rule> about = rule != null ? List.of(rule) : found.about();
    List<PtxRow> ptx = found.ptx();
    if (found.isEmpty()) {
      throw new UsageException(
          "no rule and no CUDA name '" + what + "'; similar: " + suggestions(catalog, what));
    }
    if (page.json()) {
      json(names, about, ptx, catalog);
    } else if (!ptx.isEmpty()) {
      forms(ptx, choices.paper(console));
    } else {
      text(new RulePage(choices.paper(console)), rule, names, about, catalog);
    }
    return ExitCode.OK.code();
  }

  private void text(
      RulePage text,
      @Nullable Rule rule,
      List<ApiName> names,
      List<Rule> about,
      RuleCatalog catalog) {
    names.forEach(n -> console.out().print(text.name(n, catalog)));
    if (rule != null) {
      console.out().print(text.rule(rule, catalog));
      return;
    }
    if (names.isEmpty()) {
      console.out().println(what + ": not a name in the API tables; these rules match it");
    }
    about.forEach(r -> console.out().print(text.reference(r)));
  }

  private void flag(NvccFlags.Fate flag) {
    if (page.json()) {
      try (JsonGenerator g = Json.generator(console.out())) {
        g.writeStartObject();
        g.writeObjectPropertyStart("flag");
        g.writeStringProperty("name", flag.name());
        g.writeStringProperty("short", flag.shortName());
        g.writeStringProperty("hip", flag.hip());
        g.writeStringProperty("outcome", flag.outcome());
        g.writeStringProperty("reason", flag.reason());
        g.writeEndObject();
        g.writeEndObject();
      }
      console.out().println();
      return;
    }
    Paper paper = choices.paper(console);
    boolean same = flag.name().equals("-" + flag.shortName());
    StringBuilder out = new StringBuilder();
    out.append(paper.bold(flag.name() + (same ? "" : " (" + flag.shortName() + ")")));
    out.append("  an nvcc flag\n");
    if (!flag.hip().isEmpty()) {
      out.append("  hipcc  ").append(flag.hip()).append("\n");
    }
    for (String said : List.of(flag.outcome(), flag.reason())) {
      if (!said.isEmpty()) {
        out.append("  ").append(said).append("\n");
      }
    }
    console.out().print(out);
  }

  private void forms(List<PtxRow> rows, Paper paper) {
    StringBuilder out = new StringBuilder();
    for (PtxRow row : rows) {
      out.append(paper.bold(row.form())).append("\n");
      if (row.isTranslated()) {
        out.append("  HIP         ").append(row.hip()).append("\n");
      } else {
        out.append("  HIP         ").append(paper.red("not translated")).append("\n");
      }
      PtxCommand.row(out, paper, row);
    }
    console.out().print(out);
  }

  private void json(List<ApiName> names, List<Rule> about, List<PtxRow> ptx, RuleCatalog catalog) {
    try (JsonGenerator g = Json.generator(console.out())) {
      g.writeStartObject();
      g.writeArrayPropertyStart("names");
      names.forEach(n -> RuleJson.write(g, n));
      g.writeEndArray();
      if (!ptx.isEmpty()) {
        g.writeArrayPropertyStart("ptx");
        for (PtxRow row : ptx) {
          g.writeStartObject();
          RuleJson.write(g, row);
          g.writeEndObject();
        }
        g.writeEndArray();
      }
      g.writeArrayPropertyStart("rules");
      for (Rule r : about) {
        RuleJson.write(g, r, RulePage.count(r, catalog));
      }
      g.writeEndArray();
      g.writeEndObject();
    }
    console.out().println();
  }

  private static String suggestions(RuleCatalog catalog, String what) {
    List<String> known = new ArrayList<>();
    catalog.rules().forEach(r -> known.add(r.id()));
    catalog.names().forEach(n -> known.add(n.cuda()));
    known.addAll(new PtxTable(catalog.ptx()).opcodes());
    known.addAll(NvccFlags.names());
    return String.join(", ", EditDistance.nearest(what, known));
  }
}
