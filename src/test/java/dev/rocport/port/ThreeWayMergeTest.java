package dev.rocport.port;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

final class ThreeWayMergeTest {
  @Test
  void takesChangesOfDifferentPlaces() {
    assertThat(merge("a\nb\nc\nd\n", "A\nb\nc\nd\n", "a\nb\nc\nD\ne\n"))
        .contains("A\nb\nc\nD\ne\n");
    assertThat(merge("a\nb\nc\n", "b\nc\n", "a\nb\nx\nc\n")).contains("b\nx\nc\n");
  }

  @Test
  void takesEqualChangesOnce() {
    assertThat(merge("a\nb\n", "a\nB\n", "a\nB\n")).contains("a\nB\n");
  }

  @Test
  void contradictionsAndNeighboursAreAConflict() {
    assertThat(merge("a\n", "b\n", "c\n")).isEmpty();
    assertThat(merge("a\nb\n", "A\nb\n", "a\nB\n")).isEmpty();
    assertThat(merge("a\n", "a\nx\n", "a\ny\n")).isEmpty();
    assertThat(merge("a\nb\nc\n", "a\nc\n", "a\nB\nc\n")).isEmpty();
  }

  @Test
  void linesKeepTheirEnds() {
    assertThat(merge("a\r\nb\nc\r\nd", "A\r\nb\nc\r\nd", "a\r\nb\nc\r\nD"))
        .contains("A\r\nb\nc\r\nD");
  }

  @Property(seed = "202601")
  void oneSidedChangesComeThrough(@ForAll("texts") String base, @ForAll("texts") String changed) {
    assertThat(merge(base, changed, base)).contains(changed);
    assertThat(merge(base, base, changed)).contains(changed);
    assertThat(merge(base, changed, changed)).contains(changed);
  }

  @Property(seed = "202602")
  void theSidesAreEqual(
      @ForAll("texts") String base, @ForAll("texts") String one, @ForAll("texts") String two) {
    assertThat(merge(base, one, two)).isEqualTo(merge(base, two, one));
  }

  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.of("a\n", "b\n", "c\r\n", "d\n", "\n")
        .list()
        .ofMaxSize(9)
        .map(lines -> String.join("", lines));
  }

  private static Optional<String> merge(String base, String mine, String theirs) {
    List<byte[]> bytes =
        List.of(base, mine, theirs).stream()
            .map(s -> s.getBytes(StandardCharsets.ISO_8859_1))
            .toList();
    return ThreeWayMerge.merge(bytes.get(0), bytes.get(1), bytes.get(2))
        .map(b -> new String(b, StandardCharsets.ISO_8859_1));
  }
}
