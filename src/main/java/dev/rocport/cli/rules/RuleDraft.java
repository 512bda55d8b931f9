package dev.rocport.cli.rules;

import dev.rocport.rules.ApiName;
import dev.rocport.rules.RuleCatalog;
import java.util.Locale;

/**
 * The first version of a rule about calls of a function.
 *
 * @param id of the rule
 * @param function the name that is called
 * @param after what the port makes of the example
 * @param reports whether the rule reports calls; otherwise, it gives them another name
 */
record RuleDraft(String id, String function, String after, boolean reports) {
  /** Calls of a CUDA function are reported: the tables of names rename them. */
  static RuleDraft of(RuleCatalog catalog, String id, String function) {
    boolean isCuda = catalog.names().stream().map(ApiName::cuda).anyMatch(function::equals);
    return new RuleDraft(
        id, function, (isCuda ? function : otherName(function)) + "(a, b);", isCuda);
  }

  /** Makes {@code ourCopy} from {@code OUR-COPY}. */
  static String functionOf(String id) {
    StringBuilder name = new StringBuilder();
    for (String word : id.split("-+")) {
      String lower = word.toLowerCase(Locale.ROOT);
      name.append(
          name.isEmpty() || lower.isEmpty()
              ? lower
              : Character.toUpperCase(lower.charAt(0)) + lower.substring(1));
    }
    return name.toString();
  }

  private static String otherName(String function) {
    return function + "_rocm";
  }

  RuleDraft withAfter(String text) {
    return new RuleDraft(id, function, text, reports);
  }

  /** The file of rules. */
  String text() {
    return reports ? reporting() : editing();
  }

  private String reporting() {
    return """
    # A rule of your own. rules/rule.schema.json of rocport describes the fields.
    - id: %s
      title: %s needs a review        # what the rule reports, in one line
      why: Its behavior on an AMD GPU has not been checked.   # what goes wrong without the rule
      severity: warning               # note, warning (ported, review it) or error (not ported)
      confidence: review              # review: report only. certain: edit. likely: edit and report
      functions: [%s]
      match: $f($first, $rest...)     # calls with at least one argument; add a rewrite for an edit
      advice: Compare the results of the call on both platforms.
      examples:                       # each example is a test
        - before: '%s(a, b);'
          after: '%s'
      unchanged:                      # the port must leave this alone
        - 'object.%s(a, b);'
    """
        .formatted(id, function, function, function, quoted(after), function);
  }

  private String editing() {
    return """
    # A rule of your own. rules/rule.schema.json of rocport describes the fields.
    - id: %s
      title: %s has another name on AMD GPUs    # what the rule does, in one line
      why: The name does not exist there.       # what goes wrong without the rule
      severity: note                  # of its findings: note, warning or error
      confidence: certain             # certain: edit. likely: edit and report. review: report only
      functions: [%s]
      match: $f($first, $rest...)     # calls with at least one argument
      rewrite: %s($first, $rest...)
      examples:                       # each example is a test
        - before: '%s(a, b);'
          after: '%s'
      unchanged:                      # the port must leave this alone
        - 'object.%s(a, b);'
    """
        .formatted(id, function, function, otherName(function), function, quoted(after), function);
  }

  private static String quoted(String text) {
    return text.replace("'", "''");
  }
}
