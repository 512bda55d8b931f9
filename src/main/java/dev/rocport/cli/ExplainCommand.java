package dev.rocport.cli;

import dev.rocport.report.Json;
import dev.rocport.rules.ApiName;
import dev.rocport.rules.Rule;
import dev.rocport.rules.RuleCatalog;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.core.JsonGenerator;

/** {@code rocport explain}: the page of one rule or one CUDA name. */
@Command(
    name = "explain",
    mixinStandardHelpOptions = true,
    description = "Tells what a rule does and why, or what becomes of a CUDA name.")
final class ExplainCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(
      paramLabel = "ID|CUDA_NAME",
      description = "A rule's id, or a function, type, macro or header of CUDA.")
  private String what;

  @Mixin private PageChoices page;
  @Mixin private RuleChoices choices;

  ExplainCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    if (what.isBlank()) {
      throw new UsageException("explain needs a rule's id or a name of CUDA");
    }
    RuleCatalog catalog = choices.catalog();
    Rule rule = catalog.find(what.toUpperCase(Locale.ROOT));
    List<ApiName> names = rule == null ? rows(catalog, what) : List.of();
    List<Rule> about = rule != null ? List.of(rule) : rulesAbout(catalog, what);
    if (names.isEmpty() && about.isEmpty()) {
      throw new UsageException(
          "no rule and no CUDA name '" + what + "'; near to it: " + suggestions(catalog, what));
    }
    if (page.json()) {
      json(names, about, catalog);
    } else {
      text(new RulePage(choices.paper(console)), rule, names, about, catalog);
    }
    return ExitCode.OK.code();
  }

  private void text(
      RulePage text,
      @Nullable Rule rule,
      List<ApiName> names,
      List<Rule> about,
      RuleCatalog catalog) {
    names.forEach(n -> console.out().print(text.name(n, catalog)));
    if (rule != null) {
      console.out().print(text.rule(rule, catalog));
      return;
    }
    if (names.isEmpty()) {
      console.out().println(what + ": no name of the API tables; these rules match on it");
    }
    about.forEach(r -> console.out().print(text.reference(r)));
  }

  private void json(List<ApiName> names, List<Rule> about, RuleCatalog catalog) {
    try (JsonGenerator g = Json.generator(console.out())) {
      g.writeStartObject();
      g.writeArrayPropertyStart("names");
      names.forEach(n -> RuleJson.write(g, n));
      g.writeEndArray();
      g.writeArrayPropertyStart("rules");
      for (Rule r : about) {
        RuleJson.write(g, r, RulePage.count(r, catalog));
      }
      g.writeEndArray();
      g.writeEndObject();
    }
    console.out().println();
  }

  /** The rows of a name; of the longest prefix row where the name has none of its own. */
  private static List<ApiName> rows(RuleCatalog catalog, String name) {
    List<ApiName> exact = catalog.names().stream().filter(n -> n.cuda().equals(name)).toList();
    if (!exact.isEmpty()) {
      return exact;
    }
    return catalog.names().stream()
        .filter(n -> n.kind() == ApiName.Kind.PREFIX && name.startsWith(n.cuda().replace("*", "")))
        .max(Comparator.comparingInt(n -> n.cuda().length()))
        .map(List::of)
        .orElse(List.of());
  }

  /** Rules that rewrite or report this name beyond its row in a table. */
  private static List<Rule> rulesAbout(RuleCatalog catalog, String name) {
    Pattern word = Pattern.compile("(?<![A-Za-z0-9_])" + Pattern.quote(name) + "(?![A-Za-z0-9_])");
    List<Rule> found = new ArrayList<>();
    for (Rule r : catalog.rules()) {
      if (r.functions().contains(name) || word.matcher(r.match()).find()) {
        found.add(r);
      }
    }
    return found;
  }

  private static String suggestions(RuleCatalog catalog, String what) {
    List<String> known = new ArrayList<>();
    catalog.rules().forEach(r -> known.add(r.id()));
    catalog.names().forEach(n -> known.add(n.cuda()));
    return String.join(", ", EditDistance.nearest(what, known));
  }
}
