package dev.rocport.cli.audit;

import dev.rocport.cli.option.ReportChoices;
import dev.rocport.cli.option.TreeChoices;
import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.ExitCode;
import dev.rocport.cli.support.Version;
import dev.rocport.core.source.SourceTree;
import dev.rocport.inventory.Bill;
import dev.rocport.inventory.BillCsv;
import dev.rocport.inventory.BillJson;
import dev.rocport.inventory.BillMarkdown;
import dev.rocport.inventory.BillScan;
import dev.rocport.inventory.BillText;
import dev.rocport.inventory.ComponentTable;
import dev.rocport.inventory.CycloneDx;
import dev.rocport.inventory.Support;
import dev.rocport.io.AtomicFile;
import dev.rocport.render.text.Paper;
import dev.rocport.rules.RuleCatalog;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code rocport bill}: lists the CUDA components that a tree depends on and their ROCm
 * counterparts.
 */
@Command(
    name = "bill",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Lists the CUDA components that a tree depends on (libraries, versions, headers, packages,"
            + " images, binaries), where it references them, and their ROCm counterparts. Changes"
            + " nothing, executes nothing.",
    footer = {
      "",
      "Examples:",
      "  rocport bill .                                     what this tree depends on",
      "  rocport bill . --format cyclonedx --out bill.json  for tools that read bills of materials",
      "  rocport bill . --fail-on no                        fails if ROCm has no counterpart"
    })
public final class BillCommand implements Callable<Integer> {
  private enum Form {
    TEXT,
    JSON,
    CYCLONEDX,
    MD,
    CSV
  }

  private final Console console;

  @Mixin private TreeChoices tree;

  @Option(
      names = "--format",
      paramLabel = "text|json|cyclonedx|md|csv",
      defaultValue = "text",
      description = "Format of standard output.")
  private Form form;

  @Option(
      names = {"-o", "--out"},
      paramLabel = "FILE",
      description = "Write to this file instead.")
  private @Nullable Path out;

  @Option(
      names = "--fail-on",
      paramLabel = "no|manual|partly",
      description =
          "Exit with 1 if a component in use has this support or less: partly (ported in part),"
              + " manual (to be ported by hand), or no (no counterpart).")
  private @Nullable Support failOn;

  @Option(
      names = "--rules",
      paramLabel = "DIR",
      description = "Entries in this folder override the built-in ones.")
  private @Nullable Path rules;

  @Option(
      names = "--hip",
      paramLabel = "VERSION",
      defaultValue = "6.4",
      description = "ROCm version to look up packages for (default: ${DEFAULT-VALUE}).")
  private String hip;

  // Marked as help, it needs no path.
  @Option(
      names = "--known",
      help = true,
      description = "Print all known components as Markdown tables instead.")
  private boolean known;

  @Option(names = "--no-color", description = "Use no colors on a terminal.")
  private boolean noColor;

  public BillCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    RuleCatalog builtIn = RuleCatalog.builtIn();
    RuleCatalog catalog = rules == null ? builtIn : builtIn.with(rules);
    ComponentTable table = new ComponentTable(catalog, hip);
    if (known) {
      console.out().print(BillMarkdown.known(table.components()));
      return ExitCode.OK.code();
    }
    List<String> roots = tree.paths().stream().map(Path::toString).toList();
    SourceTree sources = SourceTree.walk(tree.selection());
    Bill bill = BillScan.of(table, sources, roots, tree.maxFile(), tree.jobs());
    String text = render(bill);
    if (out == null) {
      console.out().print(text);
    } else {
      AtomicFile.write(out, w -> w.write(text));
    }
    boolean fails = failOn != null && bill.has(failOn);
    return (fails ? ExitCode.FINDINGS : ExitCode.OK).code();
  }

  private String render(Bill bill) {
    String version = Version.current();
    return switch (form) {
      case TEXT ->
          BillText.of(bill, out == null ? ReportChoices.paper(console, noColor) : Paper.PLAIN);
      case MD -> BillMarkdown.of(bill);
      case CSV -> BillCsv.of(bill);
      case JSON -> written(w -> BillJson.write(bill, version, w));
      case CYCLONEDX -> written(w -> CycloneDx.write(bill, version, w));
    };
  }

  private static String written(Consumer<PrintWriter> form) {
    StringWriter text = new StringWriter();
    PrintWriter out = new PrintWriter(text);
    form.accept(out);
    out.flush();
    return text.toString();
  }
}
