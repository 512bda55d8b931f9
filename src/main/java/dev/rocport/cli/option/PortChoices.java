package dev.rocport.cli.option;

import dev.rocport.cli.support.EditDistance;
import dev.rocport.cli.support.EnumLabels;
import dev.rocport.cli.support.UsageException;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.Rule;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.rules.RuleFilter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options that control a port, shared by every command that ports. */
public final class PortChoices {
  @Option(
      names = "--launch",
      paramLabel = "chevrons|ggl",
      defaultValue = "chevrons",
      description = "Keep kernel launches as <<<...>>> or rewrite them to hipLaunchKernelGGL.")
  private PortOptions.Launch launch;

  @Option(
      names = "--libs",
      paramLabel = "hip|roc",
      defaultValue = "hip",
      description = "Port cuBLAS and similar libraries to hipBLAS (hip) or rocBLAS (roc).")
  private PortOptions.Libs libs;

  @Option(
      names = "--style",
      paramLabel = "hip|single-source",
      defaultValue = "hip",
      description = "A separate HIP tree, or one tree with gates for both platforms.")
  private PortOptions.Style style;

  @Option(
      names = "--warp",
      paramLabel = "auto|wide|groups32",
      defaultValue = "auto",
      description = {
        "How to port code for 32-lane warps. auto: use waves of the target if they provably change"
            + " no result, otherwise groups of 32 lanes inside the wave. groups32: always use"
            + " groups of 32. wide: use waves wherever they can be expressed; you ensure that this"
            + " is correct."
      })
  private PortOptions.Warp warp;

  @Option(names = "--rename-sources", description = "Rename .cu files to .hip.")
  private boolean renameSources;

  @Option(
      names = {"--hip", "--rocm"},
      paramLabel = "VERSION",
      description = "HIP version that the result must compile with (default: 6.4).")
  private @Nullable String hip;

  @Option(
      names = "--rules",
      paramLabel = "DIR",
      description = "Rules that override the built-in ones.")
  private @Nullable Path rules;

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "RULE",
      description = "Apply only these rules; * matches any characters.")
  private List<String> only = new ArrayList<>();

  @Option(names = "--skip", split = ",", paramLabel = "RULE", description = "Skip these rules.")
  private List<String> skip = new ArrayList<>();

  /**
   * Returns the choices as given on the command line, defaults elsewhere.
   *
   * @param catalog the active rules
   * @throws UsageException if the choices contradict each other, or name an unknown rule
   */
  public PortOptions options(RuleCatalog catalog) {
    PortOptions options = options();
    requireRules("--only", only, catalog);
    requireRules("--skip", skip, catalog);
    return options;
  }

  private static void requireRules(String option, List<String> names, RuleCatalog catalog) {
    for (String name : names) {
      RuleFilter one = new RuleFilter(List.of(name), List.of());
      if (catalog.rules().stream().noneMatch(r -> one.allows(r.id()))) {
        List<String> ids = catalog.rules().stream().map(Rule::id).toList();
        throw new UsageException(
            "%s '%s': no such rule; similar: %s"
                .formatted(option, name, String.join(", ", EditDistance.nearest(name, ids))));
      }
    }
  }

  private PortOptions options() {
    if (renameSources && style == PortOptions.Style.SINGLE_SOURCE) {
      throw new UsageException(
          "--rename-sources and --style single-source are mutually exclusive: a tree for both"
              + " platforms keeps its file names");
    }
    if (hip != null && !hip.matches("[0-9]{1,3}(\\.[0-9]{1,5}){0,2}")) {
      throw new UsageException("--hip '" + hip + "': not a version such as 6.4");
    }
    return new PortOptions(
        launch,
        libs,
        style,
        warp,
        renameSources,
        hip == null ? PortOptions.DEFAULT.hip() : hip,
        new RuleFilter(List.copyOf(only), List.copyOf(skip)));
  }

  /** Returns whether all rules are built in. */
  public boolean isBuiltIn() {
    return rules == null;
  }

  /** The built-in rules with the user's over them. */
  public RuleCatalog catalog() {
    return catalog(rules);
  }

  public static RuleCatalog catalog(@Nullable Path over) {
    RuleCatalog catalog = RuleCatalog.builtIn();
    if (over == null) {
      return catalog;
    }
    if (!Files.isDirectory(over)) {
      throw new UsageException("--rules " + over + ": no such folder");
    }
    return catalog.with(over);
  }

  /**
   * Parses options as {@code rocport port} does.
   *
   * @throws UsageException if an option or value is unknown
   */
  public static PortOptions parse(List<String> args) {
    PortChoices choices = new PortChoices();
    try {
      EnumLabels.on(new CommandLine(CommandLine.Model.CommandSpec.forAnnotatedObject(choices)))
          .parseArgs(args.toArray(String[]::new));
    } catch (ParameterException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
    return choices.options();
  }
}
