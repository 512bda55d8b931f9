package dev.rocport.verify.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rocport.io.process.Exec;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script, run by a shell as Slurm's tasks would run it. */
@Tag("slow")
final class SlurmScriptTest {
  @TempDir Path folder;

  @Test
  void eachCellIsInOneTask() throws Exception {
    List<MatrixCell> cells = new ArrayList<>();
    for (int i = 0; i < 2500; i++) {
      cells.add(new MatrixCell("it's", "", "gfx90a", i, 0));
    }
    Matrix matrix = new Matrix(folder.toString(), List.of("my fixtures", "--runs=2500"), cells);
    Path launcher = folder.resolve("a launcher");
    Files.writeString(launcher, "#!/bin/bash\nprintf '%s\\n' \"$PWD\" \"$@\"\n");
    assertThat(launcher.toFile().setExecutable(true)).isTrue();
    StringWriter text = new StringWriter();
    SlurmScript.write(matrix, launcher, new MatrixFolder(folder.resolve("the cells")), text);
    Path script = Files.writeString(folder.resolve("job.sh"), text.toString());
    assertThat(text.toString()).contains("#SBATCH --array=0-999\n");
    List<String> ids = new ArrayList<>();
    for (int task : new int[] {0, 499, 500, 999}) {
      List<String> said = run(script, task);
      assertThat(said.subList(0, 8))
          .containsExactly(
              folder.toRealPath().toString(),
              "verify",
              "my fixtures",
              "--runs=2500",
              "--quiet",
              "--jobs",
              "3",
              "--cells");
      assertThat(said.get(8)).isEqualTo(folder.resolve("the cells").toString());
      for (int i = 9; i < said.size(); i += 2) {
        assertThat(said.get(i)).isEqualTo("--cell");
        ids.add(said.get(i + 1));
      }
    }
    assertThat(ids).hasSize(3 + 3 + 2 + 2).doesNotHaveDuplicates();
    assertThat(new TreeSet<>(ids)).contains("it's.gfx90a.s0", "it's.gfx90a.s2499");
  }

  @Test
  void theFolderIsAPatternOfSlurm() throws Exception {
    Matrix matrix =
        new Matrix("/", List.of("saxpy"), List.of(new MatrixCell("saxpy", "", "gfx90a", 0, 0)));
    StringWriter text = new StringWriter();
    SlurmScript.write(matrix, Path.of("/rocport"), new MatrixFolder(Path.of("/a b/100%j")), text);
    assertThat(text.toString()).contains("#SBATCH --output=\"/a b/100%%j/logs/%a.txt\"\n");
    for (String wrong : List.of("/a\"b", "/a\\b", "/a\nb")) {
      MatrixFolder bad = new MatrixFolder(Path.of(wrong));
      assertThatThrownBy(
              () -> SlurmScript.write(matrix, Path.of("/rocport"), bad, new StringWriter()))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("cannot contain a path with quotes");
    }
  }

  private static List<String> run(Path script, int task) throws Exception {
    Map<String, String> variables =
        Map.of("SLURM_ARRAY_TASK_ID", "" + task, "SLURM_CPUS_PER_TASK", "3");
    Exec.Outcome outcome = Exec.of(List.of("bash", script.toString())).with(variables).run();
    assertThat(outcome.code()).as(outcome.stderr()).isZero();
    return outcome.stdout().lines().toList();
  }
}
