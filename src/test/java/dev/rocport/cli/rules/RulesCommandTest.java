package dev.rocport.cli.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.rocport.cli.CommandLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

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

  @ParameterizedTest
  @ValueSource(strings = {"ourCopy", "cudaMalloc"})
  void theExamplesOfANewRuleHold(String function) {
    Path own = folder.resolve("own");
    String[] start = {"rules", "new", "MY-CALL", "--rules", own.toString(), "--function", function};
    CommandLines made = CommandLines.run(start);
    assertThat(made.code()).as(made.err()).isZero();
    assertThat(made.out().strip()).isEqualTo(own.resolve("my-call.yaml").toString());
    CommandLines ran = CommandLines.run("rules", "test", "--rules", own.toString(), "MY-CALL");
    assertThat(ran.out()).contains("1 rule with 2 examples: 0 fail");
    assertThat(CommandLines.run(start).err()).contains("rule MY-CALL exists");
  }

  @Test
  void aNewRuleNeedsAFreeIdAndAFolder() throws IOException {
    String own = folder.resolve("own").toString();
    assertThat(CommandLines.run("rules", "new", "my-call", "--rules", own).err())
        .contains("'my-call' is not the id of a rule");
    assertThat(CommandLines.run("rules", "new", "ARG-SYMBOL", "--rules", own).err())
        .contains("rule ARG-SYMBOL exists");
    assertThat(CommandLines.run("rules", "new", "X-Y", "--rules", own, "--function", "a b").code())
        .isEqualTo(2);
    assertThat(CommandLines.run("rules", "new", "X-Y").code()).isEqualTo(2);
    assertThat(
            CommandLines.run(
                    "rules", "new", "X-Y", "--rules", own, "--function", "cudaMemcpyToSymbol")
                .err())
        .contains("other rules apply to calls of cudaMemcpyToSymbol");
    String file = Files.writeString(folder.resolve("file"), "").toString();
    assertThat(CommandLines.run("rules", "new", "X-Y", "--rules", file).err())
        .contains("is a file but must be a folder");
    assertThat(folder.resolve("own")).doesNotExist();
  }

  @Test
  void theSchemaOfTheConfigurationHasTheIdsOfAllRules() throws IOException {
    String own = rules(RULE.formatted("theirThing"));
    JsonNode schema =
        JsonMapper.shared().readTree(CommandLines.run("rules", "schema", "--rules", own).out());
    List<String> ids =
        StreamSupport.stream(schema.at("/$defs/rule/anyOf/0/enum").spliterator(), false)
            .map(JsonNode::asString)
            .toList();
    assertThat(ids).contains("MY-RULE", "W64-LOCK").isSorted();
    assertThat(schema.at("/properties/only/$ref").asString()).isEqualTo("#/$defs/rules");
    Schema compiled =
        SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
            .getSchema(schema.toString(), InputFormat.JSON);
    assertThat(errors(compiled, "only: [PTX-*, MY-RULE]\nskip: W64-LOCK\n")).isEmpty();
    assertThat(errors(compiled, "suppress: [{rule: W64-LOCK, reason: x}]\n")).isEmpty();
    assertThat(errors(compiled, "gate: {thresholds: [{rules: warp/warp, most: 0}]}\n")).isEmpty();
    assertThat(errors(compiled, "only: [W64-LOCKS]\n")).isNotEmpty();
    assertThat(errors(compiled, "suppress: [{rule: W64-LOCKS}]\n")).isNotEmpty();
  }

  private static List<Error> errors(Schema schema, String yaml) {
    return schema.validate(new YAMLMapper().readTree(yaml).toString(), InputFormat.JSON);
  }
}
