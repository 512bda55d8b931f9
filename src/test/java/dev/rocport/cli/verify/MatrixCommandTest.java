package dev.rocport.cli.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.cli.CommandLines;
import dev.rocport.cli.support.ExitCode;
import dev.rocport.io.Folders;
import dev.rocport.toolchain.TestToolchain;
import dev.rocport.toolchain.runtime.HipRuntime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A verification in cells gives the report of a verification in one process. */
@Tag("device")
class MatrixCommandTest {
  private static final Path HOME = Path.of(System.getProperty("rocport.home", "."));

  @TempDir Path folder;

  @BeforeAll
  static void toolchain() throws Exception {
    TestToolchain.get();
  }

  private static String[] verify(String... more) {
    String[] all = new String[more.length + 6];
    all[0] = "verify";
    all[1] = HOME.resolve("fixtures/wmma").toString();
    all[2] = "--target=gfx942";
    all[3] = "--device=emulated";
    all[4] = "--runs=2";
    all[5] = "--quiet";
    System.arraycopy(more, 0, all, 6, more.length);
    return all;
  }

  private static JsonNode json(String... command) {
    CommandLines r = CommandLines.run(command);
    assertThat(r.code()).as(r.err()).isZero();
    return JsonMapper.shared().readTree(r.out());
  }

  @Test
  void mergedCellsAreTheWholeVerification() throws Exception {
    Path cells = folder.resolve("cells");
    JsonNode matrix = json(verify("--matrix"));
    assertThat(matrix.path("cells").findValuesAsString("id"))
        .isNotEmpty()
        .allMatch(id -> id.matches("wmma\\.([a-z0-9_.]+\\.)?gfx942\\.s[01]"));
    CommandLines script =
        CommandLines.run(
            verify("--slurm", folder.resolve("job.sh").toString(), "--cells", cells.toString()));
    assertThat(script.code()).as(script.err()).isZero();
    CommandLines before = CommandLines.run("verify", "--merge", cells.toString());
    assertThat(before.code()).isEqualTo(1);
    assertThat(before.out()).contains("no result of this cell: it has not ended");
    for (String id : matrix.path("cells").findValuesAsString("id")) {
      Path work = folder.resolve(id);
      CommandLines one =
          CommandLines.run(
              verify("--cells", cells.toString(), "--cell", id, "--work", work.toString()));
      assertThat(one.out()).as(one.err()).isEqualTo(id + " ok" + System.lineSeparator());
      assertThat(Folders.list(work.resolve("runs"))).as("the program ran once").hasSize(1);
    }
    JsonNode merged = json("verify", "--merge", cells.toString(), "--format", "json");
    JsonNode whole = json(verify("--format", "json")).path("verify");
    assertThat(merged.at("/verify/places")).hasSize(matrix.path("cells").size());
    ObjectNode rest = ((ObjectNode) merged.path("verify")).without("places");
    assertThat(rest).isEqualTo(whole);

    // A second time, nothing runs.
    String id = matrix.at("/cells/0/id").asString();
    Path result = cells.resolve("results/" + id + ".json");
    Files.setLastModifiedTime(result, FileTime.fromMillis(1000));
    assertThat(CommandLines.run(verify("--cells", cells.toString(), "--cell", id)).code()).isZero();
    assertThat(Files.getLastModifiedTime(result)).isEqualTo(FileTime.fromMillis(1000));
  }

  @Test
  void aCellThatCannotRunStopsNoOther() throws Exception {
    Assumptions.assumeTrue(HipRuntime.gpus().isEmpty());
    Path cells = folder.resolve("cells");
    Path fixture = HOME.resolve("fixtures/saxpy");
    String[] command = {
      "verify",
      fixture.toString(),
      "--device=hardware",
      "--target=gfx942",
      "--cells=" + cells,
      "--cell=saxpy.gfx942.s0",
      "--cell=saxpy.gfx942.s1"
    };
    CommandLines r = CommandLines.run(command);
    assertThat(r.code()).as(r.err()).isEqualTo(ExitCode.TOOLCHAIN.code());
    for (String id : List.of("saxpy.gfx942.s0", "saxpy.gfx942.s1")) {
      assertThat(cells.resolve("failures/" + id + ".txt"))
          .content()
          .contains("this machine has no AMD GPU");
    }
    command[6] = "--cell=saxpy.gfx942.s9";
    Folders.delete(cells);
    CommandLines wrong = CommandLines.run(command);
    assertThat(wrong.code()).isEqualTo(ExitCode.USAGE.code());
    assertThat(cells).as("a wrong name is refused before anything runs").doesNotExist();
  }

  @Test
  void wrongUseIsCode2() {
    String cells = folder.resolve("cells").toString();
    for (String[] wrong :
        new String[][] {
          verify("--cell", "wmma.gfx942.s0"),
          verify("--cells", cells),
          verify("--matrix", "--merge"),
          verify("--cells", cells, "--cell", "wmma.gfx942.s9"),
          verify("--matrix", "--mutate"),
          {"verify", "--merge"},
          {"verify", "--merge", folder.toString()},
          {"verify", "--matrix", folder.toString()}
        }) {
      CommandLines r = CommandLines.run(wrong);
      assertThat(r.code()).as(String.join(" ", wrong) + r.err()).isEqualTo(2);
      assertThat(r.err()).startsWith("rocport: ");
    }
  }
}
