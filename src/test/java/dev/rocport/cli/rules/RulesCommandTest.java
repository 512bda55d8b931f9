package dev.rocport.cli.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.cli.CommandLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class RulesCommandTest {
  private static final String RULE =
      """
      - id: MY-RULE
        title: Our own function is renamed
        why: It has another name on AMD.
        severity: note
        confidence: certain
        functions: [ourThing]
        match: $f($a)
        rewrite: theirThing($a)
        examples:
          - before: "int x = ourThing(3);"
            after: "int x = %s(3);"
      """;

  @TempDir Path folder;

  private String rules(String yaml) throws IOException {
    Files.writeString(folder.resolve("mine.yaml"), yaml);
    return folder.toString();
  }

  @Test
  void listShowsRulesByPattern() {
    CommandLines ran = CommandLines.run("rules", "list", "SUPPRESS-*");
    assertThat(ran.code()).isZero();
    assertThat(ran.out().lines().map(l -> l.split(" ", 2)[0]))
        .containsExactly("rule", "SUPPRESS-NO-REASON", "SUPPRESS-UNUSED");
  }

  @Test
  void listInJsonHoldsWholeRules() {
    CommandLines ran = CommandLines.run("rules", "list", "--format", "json", "suppress-unused");
    JsonNode root = JsonMapper.shared().readTree(ran.out());
    assertThat(root.size()).isOne();
    assertThat(root.at("/0/examples/0/before").asString()).contains("NO-SUCH-RULE");
  }

  @Test
  void listOfNothingIsWrongUsage() {
    assertThat(CommandLines.run("rules", "list", "QQQ").code()).isEqualTo(2);
    assertThat(CommandLines.run("rules").code()).isEqualTo(2);
  }

  @Test
  void anExampleThatHoldsPasses() throws IOException {
    CommandLines ran =
        CommandLines.run(
            "rules", "test", "--rules", rules(RULE.formatted("theirThing")), "MY-RULE");
    assertThat(ran.out()).contains("1 rule with 1 example: 0 fail");
    assertThat(ran.code()).isZero();
  }

  @Test
  void anExampleThatDoesNotHoldIsShownAsADiff() throws IOException {
    CommandLines ran =
        CommandLines.run("rules", "test", "--rules", rules(RULE.formatted("noThing")), "MY-RULE");
    assertThat(ran.code()).isOne();
    assertThat(ran.out())
        .contains("FAIL MY-RULE, example 1 with CRLF")
        .contains("-int x = noThing(3);")
        .contains("+int x = theirThing(3);");
  }

  @Test
  void argumentsDoNotMoveInACallThatKeepsItsName() throws IOException {
    String yaml =
        """
        - id: MY-RULE
          title: Our call takes its arguments in the other order
          why: It shows.
          severity: note
          confidence: certain
          functions: [ourThing]
          match: $f($a, $b)
          rewrite: $f($b, $a)
          examples:
            - before: ourThing(1, 2);
              after: ourThing(2, 1);
        """;
    CommandLines ran = CommandLines.run("rules", "test", "--rules", rules(yaml), "MY-RULE");
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains("MY-RULE: '$f' stands for the HIP name of ourThing");
  }

  @Test
  void aReportThatFindsNothingFails() throws IOException {
    String yaml =
        RULE.formatted("ourThing")
            .replace("int x = ourThing(3);", "int x;")
            .replace("        rewrite: theirThing($a)\n", "");
    CommandLines ran = CommandLines.run("rules", "test", "--rules", rules(yaml), "MY-RULE");
    assertThat(ran.code()).isOne();
    assertThat(ran.out()).contains("the rule reports no finding in it");
  }

  @Test
  void unchangedSnippetsMustNotChange() throws IOException {
    String yaml = RULE.formatted("theirThing") + "  unchanged: [\"int y = ourThing(4);\"]\n";
    CommandLines ran = CommandLines.run("rules", "test", "--rules", rules(yaml), "MY-RULE");
    assertThat(ran.code()).isOne();
    assertThat(ran.out()).contains("unchanged 1 with LF: must not change");
  }

  @Test
  void anInvalidRuleFileIsWrongUsage() throws IOException {
    CommandLines ran =
        CommandLines.run("rules", "test", "--rules", rules("- id: MY-RULE\n  title: x\n"));
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains("mine.yaml").contains("'why' is empty");
  }

  @Test
  void anEffortTableThatMakesNoSenseIsWrongUsage() throws IOException {
    Files.writeString(folder.resolve("effort.yaml"), "weights: [{rule: X, disposition: soon}]");
    assertThat(CommandLines.run("rules", "list", "--rules", folder.toString()).code()).isEqualTo(2);
  }

  @Test
  void thePageOfWhatIsPortedIsCurrent() throws IOException {
    assertThat(Files.readString(Path.of(System.getProperty("rocport.home"), "docs/support.md")))
        .as("docs/support.md is what 'rocport rules docs' prints")
        .isEqualTo(CommandLines.run("rules", "docs").out());
  }
}
