package dev.rocport.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SelectionTest {
  private static final List<TestCase> ALL =
      IntStream.range(0, 103)
          .mapToObj(i -> new TestCase("program" + i % 3, "test%03d".formatted(i * 7 % 103)))
          .toList();

  @ParameterizedTest
  @CsvSource({"false,1", "false,2", "false,5", "false,103", "false,200", "true,1", "true,4"})
  void shardsAreDisjointAndCoverTheSelection(boolean quick, int shards) {
    List<TestCase> whole = Selection.whole(quick).of(ALL, 20);
    List<TestCase> together = new ArrayList<>();
    for (int shard = 1; shard <= shards; shard++) {
      List<TestCase> part = Selection.shard(quick, shard + "/" + shards).orElseThrow().of(ALL, 20);
      assertThat(part).hasSizeBetween(whole.size() / shards, whole.size() / shards + 1);
      together.addAll(part);
    }
    assertThat(together).containsExactlyInAnyOrderElementsOf(whole);
    assertThat(whole).hasSize(quick ? 21 : 103);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1", "0/3", "4/3", "1/0", "-1/3", "1/3/5", "a/b", "12345678901/3"})
  void textThatIsNoShard(String text) {
    assertThat(Selection.shard(false, text)).isEmpty();
  }

  @Test
  void noShardOutsideOfItsRange() {
    assertThatThrownBy(() -> new Selection(false, 3, 2, Optional.empty()))
        .hasMessageContaining("3 of 2");
  }

  @Test
  void theReportNamesTheShard() {
    assertThat(new Selection(true, 2, 5, Optional.empty()).about())
        .isEqualTo("shard 2 of 5 of a sample");
    assertThat(Selection.whole(false).about()).isEqualTo("all tests");
  }

  @Test
  void namesAreFoundAnywhereAndReported() {
    Selection selection = Selection.shard(false, "1/2").orElseThrow().named(Pattern.compile("t04"));
    List<TestCase> named = selection.named(ALL);
    assertThat(named).hasSize(10).allMatch(t -> t.name().startsWith("test04"));
    assertThat(selection.of(named, 20)).hasSize(5);
    assertThat(selection.about())
        .isEqualTo("shard 1 of 2 of all tests with names that match 't04'");
    assertThat(Selection.whole(true).named(ALL)).isEqualTo(ALL);
  }
}
