package dev.rocport.core.result;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.render.text.Paper;
import dev.rocport.render.text.ShmemTables;
import java.util.List;
import org.junit.jupiter.api.Test;

class VersionsTest {
  @Test
  void minorVersionsAreNumbersOfTheirOwn() {
    assertThat(List.of("3.10", "3.9", "3.1", "10.0", "3.9.1").stream().sorted(Versions::compare))
        .containsExactly("3.1", "3.9", "3.9.1", "3.10", "10.0");
  }

  @Test
  void missingPartsAreZero() {
    assertThat(Versions.compare("3", "3.0.0")).isZero();
    assertThat(Versions.compare("", "3.0")).isNegative();
  }

  @Test
  void theTableOfRocshmemGoesByVersion() {
    List<ShmemInfo> used = List.of(needs("c", ""), needs("b", "3.10"), needs("a", "3.9"));
    assertThat(ShmemTables.summary(used).render(Paper.PLAIN, ""))
        .containsSubsequence("from 3.9", "from 3.10", "none");
  }

  private static ShmemInfo needs(String name, String since) {
    return new ShmemInfo(name, "direct", name, since, "", 1, 1, List.of());
  }
}
