package dev.rocport.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.rocport.io.YamlFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The schema that editors check rule files against agrees with the files and with the loader. */
final class RuleSchemaTest {
  private static final Path RULES = Path.of(System.getProperty("rocport.home", "."), "rules");
  private static final Path SCHEMA = RULES.resolve("rule.schema.json");

  /** YAML files below {@code rules/} that hold no rules. */
  private static final Set<String> OTHER = Set.of("advice.yaml", "effort.yaml", "phases.yaml");

  private static final String RULE =
      """
      - id: OWN-RULE
        title: A rule
        why: It shows.
        severity: note
        confidence: review
        functions: [own]
        match: $f()
        when: {libs: roc}
        examples:
          - before: own();
      """;

  @TempDir private Path folder;

  static List<Path> ruleFiles() throws IOException {
    try (Stream<Path> all = Files.walk(RULES)) {
      return all.filter(p -> p.toString().endsWith(".yaml"))
          .filter(p -> !OTHER.contains(p.getFileName().toString()))
          .filter(p -> !RULES.relativize(p).startsWith("tolerances"))
          .sorted()
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("ruleFiles")
  void everyRuleFileIsValidAndNamesTheSchema(Path file) throws IOException {
    assertThat(errors(file)).isEmpty();
    String hint = Files.readAllLines(file).getFirst();
    assertThat(hint).startsWith("# yaml-language-server: $schema=");
    Path named = file.resolveSibling(hint.substring(hint.indexOf('=') + 1)).normalize();
    assertThat(named).isEqualTo(SCHEMA.normalize());
  }

  @Test
  void aRuleWithAllThatIsRequiredIsValid() throws IOException {
    assertThat(errors(RULE)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "title: A rule|titel: A rule",
        "title: A rule|title: A rule\\n  colour: red",
        "before: own();|before: own();\\n      afterwards: mine();",
        "when: {libs: roc}|when: {lib: roc}",
        "id: OWN-RULE|id: own_rule",
        "why: It shows.|why: ' '",
        "severity: note|severity: fatal",
        "confidence: review|confidence: sure",
        "match: $f()|analysis: gards",
        "match: $f()|match: {a: b}",
        "- before: own();|[]",
      })
  void aFaultyRuleIsInvalid(String good, String bad) throws IOException {
    assertThat(RULE).contains(good);
    assertThat(errors(RULE.replace(good, bad.replace("\\n", "\n")))).isNotEmpty();
  }

  @Test
  void theSchemaHasTheFieldsAndAnalysesOfTheLoader() throws IOException {
    JsonNode fields = JsonMapper.shared().readTree(Files.readString(SCHEMA)).at("/$defs/rule");
    assertThat(fields.get("properties").propertyNames())
        .containsExactlyInAnyOrderElementsOf(RuleLoader.FIELDS);
    JsonNode analyses = fields.at("/properties/analysis/enum");
    assertThat(StreamSupport.stream(analyses.spliterator(), false).map(JsonNode::asString))
        .containsExactlyElementsOf(RuleLoader.ANALYSES);
  }

  private List<Error> errors(String yaml) throws IOException {
    return errors(Files.writeString(folder.resolve("own.yaml"), yaml));
  }

  private static List<Error> errors(Path file) throws IOException {
    Schema schema =
        SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
            .getSchema(Files.readString(SCHEMA), InputFormat.JSON);
    return schema.validate(YamlFile.read(file).toString(), InputFormat.JSON);
  }
}
