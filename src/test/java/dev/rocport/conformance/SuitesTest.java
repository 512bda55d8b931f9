package dev.rocport.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rocport.io.InvalidFileException;
import dev.rocport.io.TsvTable;
import dev.rocport.rules.BuiltInText;
import dev.rocport.toolchain.packages.PackageLock;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SuitesTest {
  private static Suite suite(String... entries) {
    String rows = String.join("\n", entries).replace(' ', '\t');
    return Suites.of(TsvTable.parse("suites.tsv", Suites.HEADER + "\n" + rows, Suites.HEADER))
        .getFirst();
  }

  @Test
  void everyPackageIsLockedAndEveryLockedOneIsUsed() {
    Set<String> used = new TreeSet<>();
    Suites.builtIn().forEach(s -> used.addAll(s.packages()));
    used.addAll(Llama.packages().packages());
    TsvTable libraries = BuiltInText.table("conformance/libraries.tsv", "library\tentry\tvalue");
    libraries.rows().stream()
        .filter(r -> r.cell(1).equals("package"))
        .forEach(r -> used.add(r.cell(2)));
    assertThat(PackageLock.builtIn().packages().keySet()).containsExactlyInAnyOrderElementsOf(used);
    assertThat(PackageLock.builtIn().packages().values())
        .allSatisfy(p -> assertThat(p.sha256()).matches("[0-9a-f]{64}"));
  }

  @Test
  void knownFailuresAreOfSuitesAndDated() {
    List<String> names =
        Stream.concat(Suites.builtIn().stream(), Stream.of(HipTests.suite()))
            .map(Suite::name)
            .toList();
    assertThat(KnownFailures.builtIn().entries())
        .allSatisfy(
            e -> {
              assertThat(names).contains(e.suite());
              assertThat(e.date()).matches("\\d{4}-\\d\\d-\\d\\d");
              assertThat(e.reason()).isNotBlank();
            });
  }

  @Test
  void suitesHaveWhatAllSuitesHave() {
    Suite suite = suite("a package liba", "all package libc6", "a variable X=@/y=z");
    assertThat(suite.packages()).containsExactly("liba", "libc6");
    assertThat(suite.variables()).containsEntry("X", "@/y=z");
  }

  @Test
  void theEntriesOfASampleMayHaveAnyOrder() {
    for (Suite suite :
        List.of(suite("a sample 7", "a sampled b.*"), suite("a sampled b.*", "a sample 7"))) {
      assertThat(suite.sample().tests()).isEqualTo(7);
      assertThat(suite.sample().names().pattern()).isEqualTo("b.*");
    }
  }

  @Test
  void aTableWithAWrongEntryIsRefused() {
    for (String entry :
        List.of("a colour red", "a form junit", "a sample many", "a sampled (", "a variable X")) {
      assertThatThrownBy(() -> suite(entry))
          .isInstanceOf(InvalidFileException.class)
          .hasMessageContaining("suites.tsv:2");
    }
    assertThatCode(() -> suite("a form gtest")).doesNotThrowAnyException();
  }
}
