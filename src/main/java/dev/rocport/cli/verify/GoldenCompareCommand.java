package dev.rocport.cli.verify;

import dev.rocport.cli.option.ReportChoices;
import dev.rocport.cli.report.Reporter;
import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.UsageException;
import dev.rocport.core.result.Topic;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.verify.FolderComparison;
import dev.rocport.verify.Verification;
import dev.rocport.verify.compare.Profile;
import dev.rocport.verify.compare.Profiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rocport golden compare}. */
@Command(
    name = "compare",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Compares tensors by a tolerance profile: two files (safetensors, also with xz, npy, npz), or"
          + " the files with the same names in two folders."
    },
    footer = {"", "Examples:", "  rocport golden compare a.safetensors b.safetensors"})
final class GoldenCompareCommand implements Callable<Integer> {

  private final Console console;

  @Parameters(index = "0", paramLabel = "EXPECTED", description = "The expected values.")
  private Path expected;

  @Parameters(index = "1", paramLabel = "ACTUAL", description = "The values to check.")
  private Path actual;

  @Option(
      names = "--profile",
      paramLabel = "NAME|FILE.yaml",
      defaultValue = "exact",
      description = "Tolerance profile (default: ${DEFAULT-VALUE}); see rules/tolerances.")
  private String profile;

  @Option(
      names = "--terms",
      paramLabel = "N",
      defaultValue = "1",
      description = "Number of terms summed for an element, for the profiles that depend on it.")
  private long terms;

  @Mixin private ReportChoices report;

  GoldenCompareCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    if (terms < 1) {
      throw new UsageException("--terms requires a positive number");
    }
    for (Path path : List.of(expected, actual)) {
      if (!Files.exists(path)) {
        throw new UsageException(path + ": no such file or folder");
      }
    }
    if (Files.isDirectory(expected) != Files.isDirectory(actual)) {
      throw new UsageException("specify two files or two folders, not one of each");
    }
    RuleCatalog catalog = RuleCatalog.builtIn();
    Profile chosen = Profiles.ofHome().get(profile);
    SortedMap<String, String> options = new TreeMap<>();
    options.put("profile", profile);
    options.put("terms", String.valueOf(terms));
    Verification v = FolderComparison.compare(expected, actual, chosen, terms, catalog);
    Path root = Files.isDirectory(actual) ? actual : actual.toAbsolutePath().resolveSibling("");
    Reporter reporter =
        new Reporter(console, report, catalog, catalog.only(Topic.VERIFY), options, root);
    return reporter.report("golden compare", List.of(expected, actual), v);
  }
}
