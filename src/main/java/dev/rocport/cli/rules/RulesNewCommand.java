package dev.rocport.cli.rules;

import dev.rocport.cli.option.PortChoices;
import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.ExitCode;
import dev.rocport.cli.support.UsageException;
import dev.rocport.examples.ExampleFailure;
import dev.rocport.examples.RuleExamples;
import dev.rocport.io.AtomicFile;
import dev.rocport.io.TemporaryFolder;
import dev.rocport.rules.RuleCatalog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rocport rules new}: the file of a new rule, with examples that hold. */
@Command(
    name = "new",
    mixinStandardHelpOptions = true,
    description = "Writes a file with a new rule and its examples, which are its tests.",
    footer = {
      "",
      "Examples:",
      "  rocport rules new OUR-COPY --function ourCopy --rules my-rules",
      "  rocport rules test --rules my-rules OUR-COPY"
    })
final class RulesNewCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(paramLabel = "ID", description = "Id of the rule, such as OUR-COPY.")
  private String id;

  @Option(
      names = "--rules",
      required = true,
      paramLabel = "DIR",
      description = "Folder of your own rules; created if it does not exist.")
  private Path folder;

  @Option(
      names = "--function",
      paramLabel = "NAME",
      description = {
        "The function that the rule is about (default: made from the id). Calls of a CUDA function"
            + " are reported; calls of another function get another name."
      })
  private @Nullable String function;

  RulesNewCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    if (!id.matches("[A-Z][A-Z0-9-]{0,79}")) {
      throw new UsageException(
          "'" + id + "' is not the id of a rule: use capital letters, digits and -");
    }
    if (Files.exists(folder) && !Files.isDirectory(folder)) {
      throw new UsageException("--rules " + folder + " is a file but must be a folder");
    }
    RuleCatalog known = Files.exists(folder) ? PortChoices.catalog(folder) : RuleCatalog.builtIn();
    if (known.find(id) != null) {
      throw new UsageException("rule " + id + " exists: 'rocport explain " + id + "' shows it");
    }
    Path file = folder.resolve(id.toLowerCase(Locale.ROOT) + ".yaml");
    if (Files.exists(file)) {
      throw new UsageException(file + " exists: choose another id, or add the rule to that file");
    }
    String name = function == null ? RuleDraft.functionOf(id) : function;
    if (!name.matches("[A-Za-z_][A-Za-z0-9_]*")) {
      throw new UsageException("--function '" + name + "' is not the name of a function");
    }
    String text = tested(RuleDraft.of(known, id, name));
    AtomicFile.write(file, out -> out.write(text));
    console.out().println(file);
    console
        .err()
        .printf(
            "Edit the file, then run 'rocport rules test --rules %s %s' and 'rocport port TREE"
                + " --diff --rules %s'.%n",
            folder, id, folder);
    return ExitCode.OK.code();
  }

  /**
   * The draft with the result of its example, which other rules may change, too.
   *
   * @throws UsageException if they change all of it, so that the draft has no effect
   */
  private static String tested(RuleDraft draft) throws IOException {
    List<ExampleFailure> failures = failures(draft);
    if (failures.isEmpty()) {
      return draft.text();
    }
    RuleDraft adapted = draft.withAfter(failures.getFirst().actual().strip());
    if (adapted.after().isEmpty() || !failures(adapted).isEmpty()) {
      throw new UsageException(
          "other rules apply to calls of %1$s ('rocport explain %1$s'), so a new rule would have no effect"
              .formatted(draft.function()));
    }
    return adapted.text();
  }

  private static List<ExampleFailure> failures(RuleDraft draft) throws IOException {
    try (TemporaryFolder trial = TemporaryFolder.create("rocport-rule")) {
      Files.writeString(trial.path().resolve("draft.yaml"), draft.text());
      RuleCatalog catalog = RuleCatalog.builtIn().with(trial.path());
      return new RuleExamples(catalog, PortChoices::parse).run(catalog.require(draft.id()));
    }
  }
}
