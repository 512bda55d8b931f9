package dev.rocport.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TestTableTest {
  private static final String HEAD = "rocTEST\0<->ROCtest\0";

  @TempDir private Path folder;

  private Path file(String text) throws Exception {
    return Files.writeString(folder.resolve("table"), text, StandardCharsets.ISO_8859_1);
  }

  @ParameterizedTest
  @CsvSource({
    "10,1,a01a02a03a04a05a06a07",
    "7,1,a01a02a03a04a05a06a07",
    "4,2,a01a03a05a07",
    "3,3,a01a04a07",
    "2,4,a01a05",
    "1,7,a01"
  })
  void aSampleHasEveryNthEntry(int most, long step, String entries) throws Exception {
    TestTable table = TestTable.of(file(HEAD + "a01a02a03a04a05a06a07")).orElseThrow();
    Path sample = folder.resolve("sample");
    assertThat(table.entries()).isEqualTo(7);
    assertThat(table.sample(most, sample)).isEqualTo(step);
    assertThat(sample).hasContent(HEAD + entries);
    assertThat(TestTable.of(sample)).isPresent();
  }

  @Test
  void aTableMayBeEmpty() throws Exception {
    TestTable table = TestTable.of(file(HEAD)).orElseThrow();
    assertThat(table.entries()).isZero();
    table.sample(5, folder.resolve("sample"));
    assertThat(folder.resolve("sample")).hasContent(HEAD);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "some text",
        "rocTEST\0<->rocTEST\0a01",
        "rocTEST\0<->ROCtest\0a01a0",
        "rocTEST\0ROCtest\0a01",
        "rocTEST",
      })
  void otherFilesAreNoTables(String text) throws Exception {
    assertThat(TestTable.of(file(text))).isEmpty();
  }
}
