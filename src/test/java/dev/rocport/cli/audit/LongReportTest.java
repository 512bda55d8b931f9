package dev.rocport.cli.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.cli.CommandLines;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reports with more findings than a person reads. */
class LongReportTest {
  @TempDir private Path folder;

  private Path tree() throws Exception {
    Path tree = Files.createDirectory(folder.resolve("tree"));
    Files.writeString(tree.resolve("many.cu"), "cudaGraphConditionalHandle h;\n".repeat(1001));
    Files.writeString(tree.resolve("one.cu"), "cublasLtMatmulAlgoInit(a);\n");
    return tree;
  }

  @Test
  void decisionsTakeThePlaceOfTheList() throws Exception {
    Path reports = folder.resolve("reports");

    CommandLines r = CommandLines.run("audit", tree().toString(), "--report", reports.toString());

    assertThat(r.out())
        .contains(" 1. API-RUNTIME: ")
        .contains("1001 places in 1 file, the first at many.cu:1;")
        .contains("\"cudaGraphConditionalHandle has no")
        .contains(" 2. API-CUBLASLT: ")
        .contains("The 1002 findings are not listed here")
        .doesNotContain("  999:1 ");
    assertThat(Files.readString(reports.resolve("report.txt"))).contains("  999:1 ");
  }

  @Test
  void aPortListsThemNeither() throws Exception {
    CommandLines r =
        CommandLines.run("port", tree().toString(), "--out", folder.resolve("out").toString());

    assertThat(r.err())
        .contains("The 1002 findings are not listed here")
        .doesNotContain("many.cu:999:1");
  }
}
