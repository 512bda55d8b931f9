package dev.rocport.rules;

import dev.rocport.core.result.Severity;
import dev.rocport.core.result.Topic;
import java.util.List;

/**
 * One rule: an entry of a YAML file below {@code rules/}.
 *
 * @param id stable name, upper case with dashes
 * @param topic what it is about
 * @param family the file that contains it, as a path below {@code rules/} without {@code .yaml}
 * @param title one line that describes what the rule does
 * @param why what goes wrong without it
 * @param severity of its findings
 * @param confidence whether it edits
 * @param needs lowest HIP version that supports the rewrite; empty for all
 * @param libs {@code hip} or {@code roc} if the rule applies to one choice of libraries only;
 *     otherwise empty
 * @param functions names that {@code $f} in the pattern matches
 * @param match token pattern; empty for an analysis and for a family of names
 * @param rewrite the replacement of the pattern; empty for findings
 * @param analysis name of the built-in analysis that applies it; empty for patterns
 * @param advice what to do about its findings
 * @param evidence captures of compiled graphs that show its effect, or {@code documents}; empty if
 *     it is not about one
 * @param headers HIP headers that declare the names of this family
 * @param rocHeaders the same for {@code --libs roc}
 * @param where if not empty, the rule applies only to files that mention one of these names
 * @param examples before and after; at least one
 * @param unchanged snippets that must not change
 */
public record Rule(
    String id,
    Topic topic,
    String family,
    String title,
    String why,
    Severity severity,
    Confidence confidence,
    String needs,
    String libs,
    List<String> functions,
    String match,
    String rewrite,
    String analysis,
    String advice,
    List<String> evidence,
    List<String> headers,
    List<String> rocHeaders,
    List<String> where,
    List<Example> examples,
    List<String> unchanged) {
  /** This rule, about another topic if it names none. */
  Rule orTopic(Topic other) {
    return topic != Topic.NONE
        ? this
        : new Rule(
            id,
            other,
            family,
            title,
            why,
            severity,
            confidence,
            needs,
            libs,
            functions,
            match,
            rewrite,
            analysis,
            advice,
            evidence,
            headers,
            rocHeaders,
            where,
            examples,
            unchanged);
  }

  /**
   * Source before and after the port.
   *
   * @param before CUDA source
   * @param after what it becomes; the same text where the rule only reports
   * @param options command-line options of {@code rocport port} that the example is run with
   * @param file the file name of the snippet, which determines its language
   */
  public record Example(String before, String after, List<String> options, String file) {}
}
