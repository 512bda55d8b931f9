package dev.rocport.cli.rules;

import com.github.difflib.DiffUtils;
import com.github.difflib.UnifiedDiffUtils;
import dev.rocport.cli.option.PortChoices;
import dev.rocport.cli.option.RuleChoices;
import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.ExitCode;
import dev.rocport.cli.support.UsageException;
import dev.rocport.examples.ExampleFailure;
import dev.rocport.examples.RuleExamples;
import dev.rocport.render.text.Paper;
import dev.rocport.render.text.TextReport;
import dev.rocport.rules.Rule;
import dev.rocport.rules.RuleCatalog;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code rocport rules test}. */
@Command(
    name = "test",
    mixinStandardHelpOptions = true,
    description =
        "Ports the examples of the rules and compares the results; exits with 1 if one fails.",
    footer = {"", "Examples:", "  rocport rules test --rules my-rules"})
final class RulesTestCommand implements Callable<Integer> {
  private static final int CONTEXT = 3;

  private final Console console;

  @Parameters(
      arity = "0..1",
      paramLabel = "PATTERN",
      description = "Test only the rules that 'rules list PATTERN' lists.")
  private @Nullable String pattern;

  @Mixin private RuleChoices choices;

  RulesTestCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    RuleCatalog catalog = choices.catalog();
    RuleExamples examples = new RuleExamples(catalog, PortChoices::parse);
    List<Rule> chosen =
        catalog.rules().stream().filter(r -> RulesListCommand.matches(pattern, r)).toList();
    if (chosen.isEmpty()) {
      throw new UsageException("no rule matches '" + pattern + "'");
    }
    Paper paper = choices.paper(console);
    int failed = 0;
    int ran = 0;
    for (Rule rule : chosen) {
      List<ExampleFailure> failures = examples.run(rule);
      failures.forEach(f -> console.out().print(text(f, paper)));
      failed += failures.isEmpty() ? 0 : 1;
      ran += rule.examples().size() + rule.unchanged().size();
    }
    console
        .out()
        .printf(
            "%s with %s: %d fail\n",
            TextReport.count(chosen.size(), "rule"), TextReport.count(ran, "example"), failed);
    return (failed == 0 ? ExitCode.OK : ExitCode.FINDINGS).code();
  }

  /** A failure with a diff between the expected and the actual text. */
  static String text(ExampleFailure f, Paper paper) {
    StringBuilder out = new StringBuilder();
    out.append(paper.red("FAIL"))
        .append(" %s, %s: %s\n".formatted(f.rule(), f.example(), f.problem()));
    if (!f.expected().equals(f.actual())) {
      List<String> expected = visible(f.expected(), f.actual());
      List<String> actual = visible(f.actual(), f.expected());
      UnifiedDiffUtils.generateUnifiedDiff(
              "expected", "actual", expected, DiffUtils.diff(expected, actual), CONTEXT)
          .forEach(
              l ->
                  out.append("  ")
                      .append(
                          l.startsWith("+") ? paper.green(l) : l.startsWith("-") ? paper.red(l) : l)
                      .append("\n"));
    }
    return out.toString();
  }

  /** Lines; where the texts differ in carriage returns only, these are shown. */
  private static List<String> visible(String text, String other) {
    boolean same = text.replace("\r", "").equals(other.replace("\r", ""));
    return List.of((same ? text.replace("\r", "\\r") : text.replace("\r", "")).split("\n", -1));
  }
}
