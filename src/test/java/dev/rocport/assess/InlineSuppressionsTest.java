package dev.rocport.assess;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.assess.InlineSuppressions.Outcome;
import dev.rocport.core.result.Finding;
import dev.rocport.rules.RuleFilter;
import java.util.List;
import org.junit.jupiter.api.Test;

class InlineSuppressionsTest {
  private static Outcome apply(String text) {
    return InlineSuppressions.apply(Findings.of(text, "API-UNKNOWN", "cuThing"));
  }

  private static List<String> left(Outcome outcome) {
    return outcome.findings().stream().map(f -> f.line() + " " + f.rule()).toList();
  }

  @Test
  void aCommentAfterCodeAppliesToItsLine() {
    Outcome o = apply("cuThing(); // rocport: ignore API-UNKNOWN our own\ncuThing();\n");
    assertThat(left(o)).containsExactly("2 API-UNKNOWN");
    assertThat(o.suppressed()).hasSize(1);
    assertThat(o.suppressed().getFirst().reason()).isEqualTo("our own");
    assertThat(o.suppressed().getFirst().where()).isEqualTo("a.cu:1");
  }

  @Test
  void aCommentAloneCountsForTheNextLineOfCode() {
    Outcome o =
        apply(
            """
            // rocport: ignore API-UNKNOWN our own
            // and a word about it

            cuThing();
            cuThing();
            """);
    assertThat(left(o)).containsExactly("5 API-UNKNOWN");
  }

  @Test
  void aBlockCommentMayTakeSeveral() {
    Outcome o =
        apply(
            """
            /* rocport: ignore API-UNKNOWN our own
               rocport: ignore API-RUNTIME just so */
            cuThing();
            """);
    assertThat(o.suppressed()).hasSize(1);
    assertThat(left(o)).containsExactly("2 SUPPRESS-UNUSED");
  }

  @Test
  void aFileCanBeSetAside() {
    Outcome o = apply("cuThing();\ncuThing(); /* rocport: ignore-file API-* our own API */\n");
    assertThat(o.findings()).isEmpty();
    assertThat(o.suppressed()).hasSize(2);
    assertThat(o.suppressed().getFirst().reason()).isEqualTo("our own API");
  }

  @Test
  void withoutAReasonItWorksAndIsReported() {
    Outcome o = apply("cuThing(); // rocport: ignore API-UNKNOWN\n");
    assertThat(left(o)).containsExactly("1 SUPPRESS-NO-REASON");
    Finding f = o.findings().getFirst();
    assertThat(f.column()).isEqualTo(15);
    assertThat(o.suppressed()).hasSize(1);
  }

  @Test
  void oneForAnotherRuleIsUnused() {
    Outcome o = apply("cuThing(); // rocport: ignore API-RUNTIME our own\n");
    assertThat(left(o)).containsExactly("1 API-UNKNOWN", "1 SUPPRESS-UNUSED");
  }

  @Test
  void oneForARuleThatIsLeftOutIsNotUnused() {
    Outcome o =
        InlineSuppressions.apply(
            Findings.of(
                "cuThing(); // rocport: ignore API-UNKNOWN our own\n",
                "API-UNKNOWN",
                "cuThing",
                new RuleFilter(List.of(), List.of("API-UNKNOWN"))));
    assertThat(o.findings()).isEmpty();
  }

  @Test
  void stringsAndProseAreNoSuppressions() {
    Outcome o =
        apply(
            """
            const char* s = "rocport: ignore API-UNKNOWN no";
            // what rocport: ignore Foo means
            cuThing();
            """);
    assertThat(left(o)).containsExactly("3 API-UNKNOWN");
  }

  @Test
  void commentsInEightBitFilesHaveTheRightPlace() {
    byte[] text =
        "/* \u00e9\u00e9 rocport: ignore API-RUNTIME x */\n"
            .getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
    var changes =
        new dev.rocport.rules.Changes(
            new dev.rocport.core.source.SourceFile("a.cu", text), Findings.CATALOG, RuleFilter.ALL);
    assertThat(InlineSuppressions.apply(changes).findings().getFirst().column()).isEqualTo(7);
  }
}
