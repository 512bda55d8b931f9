package dev.rocport.cli.rules;

import dev.rocport.cli.option.PageChoices;
import dev.rocport.cli.option.RuleChoices;
import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.ExitCode;
import dev.rocport.cli.support.UsageException;
import dev.rocport.io.Json;
import dev.rocport.render.text.Paper;
import dev.rocport.render.text.TextTable;
import dev.rocport.rules.ApiName;
import dev.rocport.rules.Rule;
import dev.rocport.rules.RuleCatalog;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.core.JsonGenerator;

/** {@code rocport rules list}. */
@Command(
    name = "list",
    mixinStandardHelpOptions = true,
    description = "Lists the active rules.",
    footer = {"", "Examples:", "  rocport rules list"})
final class RulesListCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(
      arity = "0..1",
      paramLabel = "PATTERN",
      description = "Part of an id, a family or a title; in ids, * matches any characters.")
  private @Nullable String pattern;

  @Mixin private PageChoices page;
  @Mixin private RuleChoices choices;

  RulesListCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    RuleCatalog catalog = choices.catalog();
    Map<String, Integer> names = new TreeMap<>();
    for (ApiName n : catalog.names()) {
      names.merge(n.family(), 1, Integer::sum);
    }
    catalog
        .shmem()
        .names()
        .values()
        .forEach(n -> names.merge(n.getFirst().rule(), 1, Integer::sum));
    List<Rule> chosen = catalog.rules().stream().filter(r -> matches(pattern, r)).toList();
    if (chosen.isEmpty()) {
      throw new UsageException("no rule matches '" + pattern + "'");
    }
    if (page.json()) {
      json(chosen, names);
    } else {
      text(chosen, names);
    }
    return ExitCode.OK.code();
  }

  static boolean matches(@Nullable String pattern, Rule rule) {
    if (pattern == null) {
      return true;
    }
    if (pattern.contains("*")) {
      return new dev.rocport.rules.RuleFilter(List.of(pattern), List.of()).allows(rule.id());
    }
    String p = pattern.toLowerCase(Locale.ROOT);
    return rule.id().toLowerCase(Locale.ROOT).contains(p)
        || rule.family().contains(p)
        || rule.title().toLowerCase(Locale.ROOT).contains(p);
  }

  private void text(List<Rule> chosen, Map<String, Integer> names) {
    Paper paper = choices.paper(console);
    TextTable table = new TextTable("lllrl", "rule", "severity", "confidence", "names", "title");
    int total = 0;
    for (Rule r : chosen) {
      int n = names.getOrDefault(r.id(), 0);
      total += n;
      table.row(r.id(), r.severity().label(), r.confidence().label(), n == 0 ? "" : n, r.title());
    }
    console.out().print(table.render(paper, ""));
    console.err().printf("%d rules, %d API names%n", chosen.size(), total);
  }

  private void json(List<Rule> chosen, Map<String, Integer> names) {
    PrintWriter out = console.out();
    try (JsonGenerator g = Json.generator(out)) {
      g.writeStartArray();
      for (Rule r : chosen) {
        RuleJson.write(g, r, names.getOrDefault(r.id(), 0));
      }
      g.writeEndArray();
    }
    out.println();
  }
}
