package dev.rocport.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rocport.core.result.Topic;
import dev.rocport.io.InvalidFileException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TopicTest {
  private static final RuleCatalog CATALOG = RuleCatalog.builtIn();
  private static final Path SOURCES = Path.of("src/main/java/dev/rocport");

  private static final String RULE =
      """
      id: %s
      title: A rule of a user
      why: Because.
      severity: note
      confidence: review
      %s
      match: f ( )
      examples:
        - before: f();
      """;

  @TempDir private Path folder;

  private static String prefix(String id) {
    return id.substring(0, id.indexOf('-') + 1);
  }

  /** The ids are for people; a rule of a family that was given no topic would be left out. */
  @Test
  void rulesOfAFamilyHaveItsTopic() {
    Map<String, Topic> topics =
        Map.of(
            "W64-",
            Topic.WARP,
            "WMMA-",
            Topic.WARP,
            "PTX-",
            Topic.PTX,
            "BUILD-",
            Topic.BUILD,
            "VERIFY-",
            Topic.VERIFY,
            "CHECK-",
            Topic.VERIFY);
    for (Rule rule : CATALOG.rules()) {
      Topic topic = rule.id().equals("W64-SITE") ? Topic.WARP_PLACE : rule.topic();
      assertThat(rule.topic()).as(rule.id()).isEqualTo(topic);
      assertThat(topic == Topic.WARP_PLACE ? Topic.WARP : topic)
          .as(rule.id())
          .isEqualTo(topics.getOrDefault(prefix(rule.id()), Topic.NONE));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"render", "cli", "assess"})
  void noClassDecidesByTheBeginningOfAnId(String where) throws IOException {
    String prefixes =
        CATALOG.rules().stream()
            .map(r -> prefix(r.id()))
            .distinct()
            .map(Pattern::quote)
            .collect(Collectors.joining("|"));
    Pattern literal = Pattern.compile("\"(?:" + prefixes + ")\\*?\"");
    assertThat(found(where, literal)).isEmpty();
  }

  /** A report knows rules only from the result. */
  @Test
  void noRendererNamesARule() throws IOException {
    String ids =
        CATALOG.rules().stream().map(r -> Pattern.quote(r.id())).collect(Collectors.joining("|"));
    assertThat(found("render", Pattern.compile("\"(?:" + ids + ")\""))).isEmpty();
  }

  private static List<String> found(String where, Pattern literal) throws IOException {
    List<String> found = new ArrayList<>();
    try (Stream<Path> files = Files.walk(SOURCES.resolve(where))) {
      for (Path file : files.filter(f -> f.toString().endsWith(".java")).sorted().toList()) {
        Matcher m = literal.matcher(Files.readString(file));
        while (m.find()) {
          found.add(file.getFileName() + ": " + m.group());
        }
      }
    }
    return found;
  }

  @Test
  void aFilterOfATopicHasItsRulesOnly() {
    RuleFilter filter = CATALOG.only(Topic.VERIFY);
    assertThat(CATALOG.rules().stream().map(Rule::id).filter(filter::allows))
        .isNotEmpty()
        .allMatch(id -> id.startsWith("VERIFY-") || id.startsWith("CHECK-"));
    assertThat(CATALOG.areOnly(filter, Topic.VERIFY)).isTrue();
    assertThat(CATALOG.areOnly(filter, Topic.PTX)).isFalse();
    assertThat(CATALOG.areOnly(RuleFilter.ALL, Topic.VERIFY)).isFalse();
  }

  private RuleCatalog with(String id, String topic) throws IOException {
    Files.writeString(folder.resolve("own.yaml"), RULE.formatted(id, topic));
    return CATALOG.with(folder);
  }

  @Test
  void aRuleOfAUserKeepsTheTopicOfTheOneItReplaces() throws IOException {
    assertThat(with("PTX-BITS", "").topic("PTX-BITS")).isEqualTo(Topic.PTX);
    assertThat(with("PTX-BITS", "topic: warp").topic("PTX-BITS")).isEqualTo(Topic.WARP);
    assertThat(with("MINE-BITS", "topic: ptx").topic("MINE-BITS")).isEqualTo(Topic.PTX);
    assertThat(with("MINE-BITS", "").topic("MINE-BITS")).isEqualTo(Topic.NONE);
  }

  @Test
  void anUnknownTopicIsAnError() {
    assertThatThrownBy(() -> with("MINE-BITS", "topic: tea"))
        .isInstanceOf(InvalidFileException.class)
        .hasMessageContaining("no topic 'tea'");
  }

  @Test
  void labelsAreRead() {
    TreeSet<String> labels = new TreeSet<>();
    for (Topic topic : Topic.values()) {
      assertThat(Topic.of(topic.label())).isEqualTo(topic);
      labels.add(topic.label());
    }
    assertThat(labels).containsExactly("", "build", "ptx", "verify", "warp", "warp-place");
  }
}
