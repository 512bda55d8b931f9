package dev.rocport.cli.option;

import dev.rocport.cli.support.Console;
import dev.rocport.render.text.Paper;
import dev.rocport.rules.RuleCatalog;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of the commands that show or test rules. */
public final class RuleChoices {
  @Option(
      names = "--rules",
      paramLabel = "DIR",
      description = "Rules that override the built-in ones.")
  private @Nullable Path rules;

  @Option(names = "--no-color", description = "Use no colors on a terminal.")
  private boolean noColor;

  public RuleCatalog catalog() {
    return PortChoices.catalog(rules);
  }

  public Paper paper(Console console) {
    return ReportChoices.paper(console, noColor);
  }
}
