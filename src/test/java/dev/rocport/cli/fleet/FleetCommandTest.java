package dev.rocport.cli.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.cli.CommandLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Wrong usage; the tests in the folder fleet run audits. */
class FleetCommandTest {
  @TempDir private Path folder;

  private CommandLines audit(String... options) {
    String[] args = new String[options.length + 5];
    String[] first = {"fleet", "audit", folder.toString(), "--out", folder + "/out"};
    System.arraycopy(first, 0, args, 0, first.length);
    System.arraycopy(options, 0, args, first.length, options.length);
    return CommandLines.run(args);
  }

  @Test
  void wrongOptionsStartNothing() throws IOException {
    assertThat(audit("--time-limit", "0").err()).contains("--time-limit must be 1 or more, not 0");
    assertThat(audit("--memory-limit=-1").code()).isEqualTo(2);
    assertThat(audit("--split-above=-1").err()).contains("--split-above must be 0 or more");
    assertThat(audit("--only", "NO-SUCH").err()).contains("--only 'NO-SUCH': no such rule");
    assertThat(audit("--hip", "six").code()).isEqualTo(2);
    assertThat(CommandLines.run("fleet", "report", "x", "--top", "0").code()).isEqualTo(2);
    assertThat(CommandLines.run("fleet", "cost", "x", "--repositories", "9").err())
        .contains("--size must be 1 or more, not 0");
    CommandLines bill = CommandLines.run("fleet", "bill", "x", "--rules", "none", "--out", "out");
    assertThat(bill.err()).contains("--rules none: no such folder");
    CommandLines port = CommandLines.run("fleet", "port", "x", "--only", "NO-SUCH", "--out", "out");
    assertThat(port.err()).contains("--only 'NO-SUCH': no such rule");
    String out = folder.resolve("out").toString();
    port =
        CommandLines.run(
            "fleet", "port", "x", "--style", "single-source", "--annotate", "--out", out);
    assertThat(port.err()).contains("--annotate requires --style hip");
    assertThat(port.code()).isEqualTo(2);
    Path none = folder.resolve("matrix.json");
    CommandLines verify = CommandLines.run("fleet", "verify", none.toString(), "--out", out);
    assertThat(verify.err()).contains("matrix.json: no such file");
    assertThat(verify.code()).isEqualTo(2);
    Files.writeString(none, "{\"schema\": 7}");
    verify = CommandLines.run("fleet", "verify", none.toString(), "--out", out);
    assertThat(verify.err()).contains("has version 7; this rocport reads version 1");
    assertThat(verify.code()).isEqualTo(2);
    assertThat(folder.resolve("out")).doesNotExist();
  }

  /** Before, such a URL made a folder of that name. */
  @Test
  void anOutputIsAFolder() {
    String url = "s3a://key:s3cret@bucket/out";
    for (String command : new String[] {"audit", "bill", "port"}) {
      CommandLines run = CommandLines.run("fleet", command, "x", "--out", url);
      assertThat(run.code()).isEqualTo(2);
      assertThat(run.err())
          .contains("--out s3a://...: an output is a folder that all machines share")
          .contains("copy the complete output to an object store")
          .doesNotContain("s3cret");
    }
    assertThat(CommandLines.run("fleet", "report", "hdfs://host/out").err()).contains("hdfs://...");
    assertThat(CommandLines.run("fleet", "report", "x", "--since", url).err())
        .contains("s3a://...");
    assertThat(CommandLines.run("fleet", "cost", url).err()).contains("fleet cost s3a://...");
    assertThat(Path.of("s3a:")).doesNotExist();
  }

  @Test
  void aCommandIsNeeded() {
    assertThat(CommandLines.run("fleet").err())
        .contains("specify audit, bill, port, report, cost or verify");
    for (String command : new String[] {"audit", "bill", "port"}) {
      assertThat(CommandLines.run("fleet", command, "x").err()).contains("--out");
    }
  }
}
