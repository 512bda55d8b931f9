package dev.rocport.cli.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.cli.CommandLines;
import dev.rocport.io.Folders;
import dev.rocport.toolchain.TestToolchain;
import dev.rocport.toolchain.ToolchainRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Suites whose packages cannot be had, without a network. */
@Tag("toolchain")
class ConformanceCommandTest {
  @TempDir private Path folder;

  @Test
  void eachSuiteThatCannotBeFetchedIsReportedAndNothingStays() throws Exception {
    TestToolchain.get();
    Path home = ToolchainRequest.defaults().home().resolve(ConformanceCommand.FOLDER);
    List<Path> before = Files.isDirectory(home) ? Folders.list(home) : List.of();
    Path packages = Files.createDirectories(folder.resolve("packages"));
    Path report = folder.resolve("report");
    CommandLines ran =
        CommandLines.run(
            "conformance",
            "hiprand",
            "rocsolver",
            "--quick",
            "--packages",
            packages.toString(),
            "--report",
            report.toString());
    assertThat(ran.code()).isEqualTo(3);
    assertThat(ran.out())
        .contains("hipRAND with rocRAND", "rocSOLVER")
        .containsPattern("hiprand needs lib\\S+ \\S+ with the SHA-256 [0-9a-f]{64} in \\S+: it is")
        .containsPattern("rocsolver needs lib\\S+ \\S+ with the SHA-256");
    assertThat(report.resolve("conformance.md")).hasContent(ran.out());
    assertThat(report.resolve("conformance.tsv")).isNotEmptyFile();
    assertThat(Folders.list(home)).isEqualTo(before);
  }
}
