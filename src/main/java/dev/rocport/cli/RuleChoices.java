package dev.rocport.cli;

import dev.rocport.report.Paper;
import dev.rocport.rules.RuleCatalog;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of the commands that show or test rules. */
final class RuleChoices {
  @Option(names = "--rules", paramLabel = "DIR", description = "Rules that go before the built-in.")
  private @Nullable Path rules;

  @Option(names = "--no-color", description = "No colours on a terminal, either.")
  private boolean noColor;

  RuleCatalog catalog() {
    return PortChoices.catalog(rules);
  }

  Paper paper(Console console) {
    return ReportChoices.paper(console, noColor);
  }
}
