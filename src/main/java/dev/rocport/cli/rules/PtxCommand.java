package dev.rocport.cli.rules;

import dev.rocport.cli.option.PageChoices;
import dev.rocport.cli.option.RuleChoices;
import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.ExitCode;
import dev.rocport.cli.support.UsageException;
import dev.rocport.io.Json;
import dev.rocport.lang.ptx.PtxException;
import dev.rocport.lang.ptx.PtxExplainer;
import dev.rocport.lang.ptx.PtxTable;
import dev.rocport.lang.ptx.Translation;
import dev.rocport.render.text.Paper;
import dev.rocport.rules.PtxRow;
import dev.rocport.rules.RuleCatalog;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.core.JsonGenerator;

/** {@code rocport ptx}: shows what PTX instructions do and how they are ported. */
@Command(
    name = "ptx",
    mixinStandardHelpOptions = true,
    description = "Shows what PTX does, instruction by instruction, and its HIP equivalent.",
    footer = {"", "Examples:", "  rocport ptx 'bar.sync 0;'", "  rocport ptx --table > ptx.md"})
public final class PtxCommand implements Callable<Integer> {
  private static final String INDENT = "  ";
  private final Console console;

  @Parameters(
      arity = "0..1",
      paramLabel = "TEXT",
      description = "Instructions such as 'ld.acquire.sys.global.u32 %%r, [%%rd];'.")
  private @Nullable String text;

  @Option(names = "--table", description = "Print a Markdown table of all known instructions.")
  private boolean table;

  @Option(
      names = "--forms",
      description = "With --table: print a row for each form of an instruction.")
  private boolean forms;

  @Mixin private PageChoices page;
  @Mixin private RuleChoices choices;

  public PtxCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    RuleCatalog catalog = choices.catalog();
    if (table) {
      console.out().print(forms ? PtxTableText.forms(catalog) : PtxTableText.opcodes(catalog));
      return ExitCode.OK.code();
    }
    if (text == null || text.isBlank()) {
      throw new UsageException("ptx needs instructions, or --table");
    }
    PtxExplainer.Answer answer;
    try {
      answer = new PtxExplainer(new PtxTable(catalog.ptx())).explain(text);
    } catch (PtxException e) {
      throw new UsageException("not PTX, at character " + (e.offset() + 1) + ": " + e.getMessage());
    }
    if (page.json()) {
      json(answer);
    } else {
      print(answer, choices.paper(console));
    }
    return ExitCode.OK.code();
  }

  private void print(PtxExplainer.Answer answer, Paper paper) {
    StringBuilder out = new StringBuilder();
    for (PtxExplainer.Explained e : answer.instructions()) {
      out.append(paper.bold(e.text())).append("\n");
      PtxRow row = e.row();
      if (row == null) {
        out.append(INDENT).append(paper.red("no known instruction")).append("\n");
        continue;
      }
      row(out, paper, row);
    }
    if (answer.translation() instanceof Translation.Refused no) {
      out.append("\n").append(paper.red("not translated")).append(": ").append(no.instruction());
      out.append("\n").append(paper.wrap(no.why(), INDENT));
    } else {
      out.append("\n").append(paper.bold("HIP")).append("\n");
      out.append(Paper.indent(answer.hip() + "\n", INDENT));
    }
    console.out().print(out);
  }

  static void row(StringBuilder out, Paper paper, PtxRow row) {
    out.append(paper.wrap(row.meaning(), INDENT));
    if (row.isTranslated()) {
      out.append(INDENT).append("exactness   ").append(row.exact()).append("\n");
    } else {
      out.append(INDENT).append("effort      ").append(row.effort()).append("\n");
    }
    out.append(INDENT).append("rule        ").append(row.rule()).append("\n");
    if (!row.note().isBlank()) {
      out.append(paper.wrap(row.note(), INDENT));
    }
  }

  private void json(PtxExplainer.Answer answer) {
    try (JsonGenerator g = Json.generator(console.out())) {
      g.writeStartObject();
      g.writeArrayPropertyStart("instructions");
      for (PtxExplainer.Explained e : answer.instructions()) {
        g.writeStartObject();
        g.writeStringProperty("text", e.text());
        PtxRow row = e.row();
        g.writeBooleanProperty("known", row != null);
        if (row != null) {
          RuleJson.write(g, row);
        }
        g.writeEndObject();
      }
      g.writeEndArray();
      if (answer.translation() instanceof Translation.Refused no) {
        g.writeBooleanProperty("translated", false);
        g.writeStringProperty("instruction", no.instruction());
        g.writeStringProperty("why", no.why());
      } else {
        g.writeBooleanProperty("translated", true);
        g.writeStringProperty("hip", answer.hip());
      }
      g.writeEndObject();
    }
    console.out().println();
  }
}
