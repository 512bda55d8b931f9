package dev.rocport.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rocport.io.InvalidFileException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RuleLoaderTest {
  private static final String RULE =
      """
      - id: OWN-RULE
        title: A rule
        why: It shows.
        severity: note
        confidence: review
        functions: [own]
        match: $f()
        examples:
          - before: own();
      """;

  @TempDir Path folder;

  private void load(String yaml) throws IOException {
    Files.writeString(folder.resolve("own.yaml"), yaml);
    RuleLoader.load(folder);
  }

  @Test
  void aGoodRuleIsRead() throws IOException {
    load(RULE);
    assertThat(RuleLoader.load(folder).rules()).extracting(Rule::id).containsExactly("OWN-RULE");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "functions: [own]|functions: [own|own.yaml:7:8: while parsing a flow sequence",
        "title: A rule|title: A rule\\n"
            + "  title: B|own.yaml:3:8: Duplicate Object property \"title\"",
        "why: It shows.|why: &x [*x]|own.yaml:3:12: aliases are not supported",
        "title: A rule|title: &t A rule\\n  advice: *t|own.yaml:3:11: aliases are not supported",
        "before: own();|before: own();\\n---\\n- id: B|own.yaml:11:1: a second document",
        "match: $f()|analysis: gards|unknown analysis 'gards'; use one of asm, attribute-order,"
            + " autotools, barriers, bazel, build-files, build-other, builtin-variables",
        "match: $f()|match: {a: b}|own.yaml: expected text",
        "title: A rule|titel: A rule|unknown field 'titel'",
      })
  void aBadOneIsRefusedWithItsPlace(String good, String bad, String message) {
    assertThat(RULE).contains(good);
    assertThatThrownBy(() -> load(RULE.replace(good, bad.replace("\\n", "\n"))))
        .isInstanceOf(InvalidFileException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource({"'',is empty", "just text,contains neither", "'a: \"open',own.yaml:1"})
  void aFileWithoutRulesIsRefused(String text, String message) {
    assertThatThrownBy(() -> load(text))
        .isInstanceOf(InvalidFileException.class)
        .hasMessageContaining(message);
  }

  @Test
  void nestingWithoutEndIsRefused() {
    assertThatThrownBy(() -> load("[".repeat(100_000))).isInstanceOf(InvalidFileException.class);
  }
}
