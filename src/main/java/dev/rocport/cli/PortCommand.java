package dev.rocport.cli;

import dev.rocport.port.Porter;
import dev.rocport.port.ProgressListener;
import dev.rocport.port.ShimHeaders;
import dev.rocport.port.TreeTarget;
import dev.rocport.report.FileResult;
import dev.rocport.source.SourceTree;
import dev.rocport.source.TreeSelection;
import dev.rocport.source.TreeWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code rocport port}. */
@Command(
    name = "port",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Ports CUDA sources to HIP.")
final class PortCommand implements Callable<Integer> {
  private final Console console;
  @Mixin private TreeChoices tree;
  @Mixin private PortChoices choices;

  @Option(names = "--out", paramLabel = "DIR", description = "Folder for the ported tree.")
  private @Nullable Path out;

  PortCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    if (out == null) {
      throw new UsageException("say where the ported files go: --out DIR");
    }
    TreeSelection selection = tree.selection();
    TreeWriter writer = new TreeWriter(out);
    SourceTree files = SourceTree.walk(selection.withOutputs(Set.of(writer.root())));
    Porter porter = new Porter(choices.catalog(), choices.options(), tree.jobs());
    List<FileResult> results =
        porter.run(files, new TreeTarget(writer, ShimHeaders.ofHome()), ProgressListener.NONE);
    for (FileResult r : results) {
      console.err().println(r.status() + " " + r.path() + " " + r.message());
    }
    return 0;
  }
}
