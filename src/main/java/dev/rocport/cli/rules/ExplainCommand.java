package dev.rocport.cli.rules;

import dev.rocport.cli.option.PageChoices;
import dev.rocport.cli.option.RuleChoices;
import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.EditDistance;
import dev.rocport.cli.support.ExitCode;
import dev.rocport.cli.support.UsageException;
import dev.rocport.commandline.NvccFlags;
import dev.rocport.io.Json;
import dev.rocport.lang.ptx.PtxTable;
import dev.rocport.render.text.Paper;
import dev.rocport.rules.ApiName;
import dev.rocport.rules.PtxRow;
import dev.rocport.rules.Rule;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.rules.ShmemName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
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
    Optional<NvccFlags.Fate> flag = NvccFlags.fate(what);
    if (flag.isPresent()) {
      flag(flag.get());
      return ExitCode.OK.code();
    }
    RuleCatalog catalog = choices.catalog();
    Rule rule = catalog.find(what.toUpperCase(Locale.ROOT));
    List<ApiName> names = rule == null ? rows(catalog, what) : List.of();
    List<Rule> about = rule != null ? List.of(rule) : rulesAbout(catalog, what);
    List<PtxRow> ptx = rule == null && names.isEmpty() ? ptx(catalog, what) : List.of();
    if (names.isEmpty() && about.isEmpty() && ptx.isEmpty()) {
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

  /** The forms of an instruction of PTX, or a special register. */
  private static List<PtxRow> ptx(RuleCatalog catalog, String name) {
    PtxTable table = new PtxTable(catalog.ptx());
    PtxRow register = table.register(name.startsWith("%") ? name : "%" + name);
    return register != null ? List.of(register) : table.rows(name);
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

  /** The rows of a name; those of the longest prefix row if the name has none of its own. */
  private static List<ApiName> rows(RuleCatalog catalog, String name) {
    List<ApiName> exact = catalog.names().stream().filter(n -> n.cuda().equals(name)).toList();
    if (!exact.isEmpty()) {
      return exact;
    }
    List<ShmemName> shmem = catalog.shmem().names().get(name);
    if (shmem != null) {
      return shmem.stream().map(ExplainCommand::row).toList();
    }
    return catalog.names().stream()
        .filter(n -> n.kind() == ApiName.Kind.PREFIX && name.startsWith(n.cuda().replace("*", "")))
        .max(Comparator.comparingInt(n -> n.cuda().length()))
        .map(List::of)
        .orElse(List.of());
  }

  private static ApiName row(ShmemName n) {
    String host = n.row().host().isEmpty() ? "" : " on the host from " + n.row().host();
    String device = n.row().device().isEmpty() ? "" : " on the device from " + n.row().device();
    String since =
        (host + device).isEmpty()
            ? ""
            : "rocSHMEM" + host + (host.isEmpty() || device.isEmpty() ? "" : ",") + device + ". ";
    String target = n.target().replace("$", "");
    String note = (since + n.row().note()).strip();
    return new ApiName(n.name(), target, "", n.kind(), "", note, n.rule());
  }

  /** Rules that rewrite or report this name beyond its row in a table. */
  private static List<Rule> rulesAbout(RuleCatalog catalog, String name) {
    Pattern word = Pattern.compile("(?<![A-Za-z0-9_])" + Pattern.quote(name) + "(?![A-Za-z0-9_])");
    List<Rule> found = new ArrayList<>();
    for (Rule r : catalog.rules()) {
      if (r.functions().contains(name) || word.matcher(r.match()).find()) {
        found.add(r);
      }
    }
    return found;
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
