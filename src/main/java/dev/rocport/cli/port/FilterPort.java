package dev.rocport.cli.port;

import dev.rocport.cli.option.ReportChoices;
import dev.rocport.cli.report.Reporter;
import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.UsageException;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.Result;
import dev.rocport.core.source.SourceTree;
import dev.rocport.core.source.TreeSelection;
import dev.rocport.io.PathText;
import dev.rocport.io.TemporaryFolder;
import dev.rocport.port.PortedFile;
import dev.rocport.port.Porter;
import dev.rocport.port.ProgressListener;
import dev.rocport.port.RenamedSources;
import dev.rocport.port.Target;
import dev.rocport.render.ReportForm;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * {@code port -}: ports standard input to standard output, as one file without a project around it.
 * Text that cannot be ported comes out as it is.
 */
final class FilterPort {
  private final Console console;
  private final ReportChoices report;
  private final RuleCatalog catalog;
  private final PortOptions options;
  private final UnaryOperator<Target> changed;

  /**
   * @param changed what other options make of a target
   */
  FilterPort(
      Console console,
      ReportChoices report,
      RuleCatalog catalog,
      PortOptions options,
      UnaryOperator<Target> changed) {
    this.console = console;
    this.report = report;
    this.catalog = catalog;
    this.options = options;
    this.changed = changed;
    if (report.format() != ReportForm.TEXT) {
      throw new UsageException("with PATH -, standard output is the port: use --report DIR");
    }
    if (options.style() == PortOptions.Style.SINGLE_SOURCE || options.renameSources()) {
      throw new UsageException(
          "PATH - requires --style hip without --rename-sources, because other files of the tree"
              + " would change, too");
    }
  }

  /**
   * Reads, ports and writes.
   *
   * @param name path of the text in the project, which tells what it is
   * @param largest bytes that are read
   */
  int run(Path name, long largest) throws IOException {
    long start = System.nanoTime();
    if (!PathText.isWithin(name.toString())) {
      throw new UsageException("--as must be a path in the current folder, such as src/kernel.cu");
    }
    Reporter reporter = Reporter.of(console, report, catalog, options, Path.of(""));
    Port port;
    List<FileResult> results;
    try (TemporaryFolder folder = TemporaryFolder.create("rocport-filter-")) {
      Path file = folder.path().resolve(name.normalize());
      Files.createDirectories(file.getParent());
      byte[] text = read(largest);
      Files.write(file, text);
      port = new Port(text);
      SourceTree tree = SourceTree.walk(TreeSelection.of(List.of(folder.path())));
      Porter porter = new Porter(catalog, options, RenamedSources.NONE, 1, largest);
      results = porter.run(tree, changed.apply(port), ProgressListener.NONE);
    }
    Result result = reporter.assess("port", List.of(name), results);
    write(port.output);
    PortReport.print(console, report, result, false, System.nanoTime() - start);
    if (!port.needs.isEmpty() && !report.quiet()) {
      console
          .err()
          .println(
              "needs files that a port of the tree writes: rocport/"
                  + String.join(", rocport/", port.needs));
    }
    return reporter.finish(result);
  }

  private static byte[] read(long largest) throws IOException {
    try (InputStream in = new FileInputStream(FileDescriptor.in)) {
      byte[] text = in.readNBytes((int) Math.min(largest + 1, Integer.MAX_VALUE - 8));
      if (text.length > largest) {
        throw new UsageException(
            "standard input is larger than --max-file (%d MiB)".formatted(largest >> 20));
      }
      return text;
    }
  }

  private static void write(byte[] output) throws IOException {
    // Not closed: the program owns it.
    OutputStream out = new FileOutputStream(FileDescriptor.out);
    out.write(output);
    out.flush();
  }

  /** Keeps the port of the one file. */
  private static final class Port implements Target {
    private byte[] output;
    private final List<String> needs = new ArrayList<>();

    Port(byte[] text) {
      this.output = text;
    }

    @Override
    public FileResult ported(PortedFile file) {
      output = file.output();
      needs.addAll(file.shims());
      return file.result();
    }

    @Override
    public boolean readsDisk() {
      return false;
    }
  }
}
