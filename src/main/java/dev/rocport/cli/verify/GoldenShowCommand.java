package dev.rocport.cli.verify;

import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.ExitCode;
import dev.rocport.render.text.Paper;
import dev.rocport.render.text.TextTable;
import dev.rocport.verify.compare.Statistics;
import dev.rocport.verify.compare.Summary;
import dev.rocport.verify.tensor.Tensor;
import dev.rocport.verify.tensor.TensorFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code rocport golden show}. */
@Command(
    name = "show",
    mixinStandardHelpOptions = true,
    description = "Shows the contents and the provenance of a safetensors, npy or npz file.",
    footer = {"", "Examples:", "  rocport golden show a.safetensors"})
final class GoldenShowCommand implements Callable<Integer> {
  private static final String SUMMARY = "tensor.";

  private final Console console;

  @Parameters(paramLabel = "FILE", arity = "1..*", description = "Tensor files.")
  private List<Path> files = new ArrayList<>();

  GoldenShowCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    for (Path file : files) {
      show(file, TensorFile.read(file));
    }
    console.out().flush();
    return ExitCode.OK.code();
  }

  private void show(Path file, TensorFile content) {
    console.out().println(file);
    for (Map.Entry<String, String> e : content.metadata().entrySet()) {
      if (!e.getKey().startsWith(SUMMARY)) {
        console.out().println("  " + visible(e.getKey()) + ": " + visible(e.getValue()));
      }
    }
    TextTable table =
        new TextTable(
            "llrrrrrrrr",
            "tensor",
            "type",
            "elements",
            "nan",
            "inf",
            "zero",
            "min",
            "max",
            "mean",
            "rms");
    for (Tensor t : content.tensors().values()) {
      Statistics s = Statistics.of(t);
      table.row(
          visible(t.name()),
          t.type() + " " + t.shapeText(),
          t.count(),
          s.nan(),
          s.infinite(),
          s.zero(),
          number(s.least()),
          number(s.greatest()),
          number(s.mean()),
          number(s.rms()));
    }
    for (String name : Summary.names(content)) {
      Summary.of(content, name)
          .ifPresent(
              s -> {
                Map<String, String> w = s.statistics();
                table.row(
                    visible(name) + " (incomplete)",
                    s.text(),
                    s.elements(),
                    visible(w.getOrDefault("nan", "")),
                    visible(w.getOrDefault("inf", "")),
                    visible(w.getOrDefault("zero", "")),
                    visible(w.getOrDefault("min", "")),
                    visible(w.getOrDefault("max", "")),
                    visible(w.getOrDefault("mean", "")),
                    visible(w.getOrDefault("rms", "")));
              });
    }
    console.out().print(table.render(Paper.PLAIN, "  "));
  }

  private static String number(double x) {
    return Double.isNaN(x) ? "" : "%.6g".formatted(x);
  }

  /** Names in files are not to be trusted. */
  private static String visible(String text) {
    return text.replaceAll("[\\p{Cntrl}\\p{Cf}]", "?");
  }
}
