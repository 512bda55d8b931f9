package dev.rocport.core.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class GlobsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "*.cu a.cu true",
        "*.cu x/y/a.cu true",
        "*.cu a.cuh false",
        "src/*.cu src/a.cu true",
        "src/*.cu x/src/a.cu false",
        "src/*.cu src/x/a.cu false",
        "src/**/a.cu src/a.cu true",
        "src/**/a.cu src/x/y/a.cu true",
        "src/** src/x/y true",
        "third_party a/third_party/b/c.cu true",
        "third_party/ third_party/b.cu true",
        "/build build/x true",
        "/build a/build/x false",
        "./data data/x true",
        "*.{cu,cuh} a.cuh true",
        "[!a]*.cu a.cu false",
        "[!a]*.cu b.cu true",
        "?.cu ab.cu false",
        "a+b(c).cu a+b(c).cu true",
        "a\\*.cu ab.cu false"
      })
  void matchAsGitignoreDoes(String glob, String path, boolean expected) {
    assertThat(Globs.of(List.of(glob)).matches(path)).isEqualTo(expected);
  }

  @Test
  void aPatternThatMakesNoSenseIsNamed() {
    assertThatThrownBy(() -> Globs.of(List.of("ok", "a[b")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'a[b'");
    assertThatThrownBy(() -> Globs.of(List.of("a{b"))).hasMessageContaining("'a{b'");
  }
}
