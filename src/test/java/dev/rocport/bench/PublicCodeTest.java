package dev.rocport.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.bench.PublicCode.Project;
import dev.rocport.bench.PublicCode.Row;
import dev.rocport.cli.CommandLines;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PublicCodeTest {
  private static final Path HOME = Path.of(System.getProperty("rocport.home", "."));

  @Test
  void theListHasBothDraws() {
    assertThat(PublicCode.read(HOME.resolve("docs/public-code/projects.tsv")))
        .extracting(Project::draw)
        .contains("first", "second");
  }

  @Test
  void countsComeFromTheSummary() {
    String summary =
        "check for gfx942 and the host: 27 units compile; 3 fail as findings say;"
            + " 1 has errors without a finding; 0 could not be checked\n";
    assertThat(PublicCode.row(1.5, "notes: 3\n" + summary))
        .isEqualTo(new Row(27, 3, 1, 0, 1.5, ""));
  }

  @Test
  void aProjectWithoutASummaryIsARow() {
    assertThat(PublicCode.row(2, "a\nrocport: --check: no\n"))
        .isEqualTo(new Row(0, 0, 0, 0, 2, "rocport: --check: no"));
  }

  @Test
  void aMissingCheckoutIsARow() throws Exception {
    Path nowhere = HOME.resolve("target/no-such-folder");
    Row row =
        new PublicCode(HOME.resolve("rocport"), nowhere, Optional.empty(), Duration.ofSeconds(1))
            .port(new Project("first", "a/b", ".", "make"), nowhere);
    assertThat(row.failure()).isEqualTo("no checkout of the repository");
  }

  @Test
  void aListOfWhichNothingIsThereFails(@TempDir Path empty) {
    CommandLines bench =
        CommandLines.run(
            "bench",
            "--public-code",
            HOME.resolve("docs/public-code/projects.tsv").toString(),
            "--checkouts",
            empty.toString(),
            "--only",
            "first/1");
    assertThat(bench.out()).contains("no checkout of the repository");
    assertThat(bench.code()).isEqualTo(2);
  }
}
