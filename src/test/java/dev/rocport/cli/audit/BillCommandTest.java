package dev.rocport.cli.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.cli.CommandLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bill on the command line. */
class BillCommandTest {
  @TempDir private Path folder;

  private CommandLines bill(String... more) {
    String[] args = new String[more.length + 2];
    args[0] = "bill";
    args[1] = folder.toString();
    System.arraycopy(more, 0, args, 2, more.length);
    return CommandLines.run(args);
  }

  @Test
  void failOnCountsFromItsStateOn() throws IOException {
    Files.writeString(folder.resolve("a.cpp"), "#include <cudnn.h>\n");
    assertThat(bill().code()).isZero();
    assertThat(bill("--fail-on", "partly").code()).isEqualTo(1);
    assertThat(bill("--fail-on", "manual").code()).isZero();
    Files.writeString(folder.resolve("b.cpp"), "#include <cutensor.h>\n");
    assertThat(bill("--fail-on", "manual").code()).isEqualTo(1);
    assertThat(bill("--fail-on", "no").code()).isZero();
    Files.writeString(folder.resolve("c.cpp"), "#include <cudss.h>\n");
    assertThat(bill("--fail-on", "no").code()).isEqualTo(1);
  }

  @Test
  void formsGoToStandardOutputOrAFile() throws IOException {
    Files.writeString(folder.resolve("a.cpp"), "#include <nccl.h>\n");
    assertThat(bill("--format", "json").out()).contains("\"id\" : \"nccl\"");
    assertThat(bill("--format", "md").out()).contains("| NCCL |");
    assertThat(bill("--format", "csv").out()).contains("nccl,NCCL,yes,RCCL,include,a.cpp,1");
    Path out = folder.resolveSibling(folder.getFileName() + ".cdx.json");
    CommandLines ran = bill("--format", "cyclonedx", "--out", out.toString());
    assertThat(ran.out()).isEmpty();
    assertThat(Files.readString(out)).contains("\"specVersion\" : \"1.6\"");
    Files.delete(out);
  }

  @Test
  void allThatIsKnownNeedsNoPath() {
    CommandLines ran = CommandLines.run("bill", "--known");
    assertThat(ran.code()).isZero();
    assertThat(ran.out()).contains("| cuSPARSELt | manual | hipSPARSELt |");
    assertThat(CommandLines.run("bill").code()).isEqualTo(2);
  }
}
