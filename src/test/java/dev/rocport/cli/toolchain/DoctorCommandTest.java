package dev.rocport.cli.toolchain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.cli.CommandLines;
import dev.rocport.doctor.ShellScript;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Tag("slow")
class DoctorCommandTest {
  @TempDir Path folder;

  @Test
  void fixSaysWhere() {
    CommandLines ran = CommandLines.run("doctor", "--fix");
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains("--out");
    assertThat(CommandLines.run("doctor", "--out", folder.resolve("x").toString()).code())
        .isEqualTo(2);
  }

  @Test
  void foreignFilesAreNotOverwritten() throws IOException {
    Path mine = Files.writeString(folder.resolve("mine.sh"), "export A=1\n");
    CommandLines ran = CommandLines.run("doctor", "--fix", "--out", mine.toString());
    assertThat(ran.code()).isEqualTo(2);
    assertThat(mine).hasContent("export A=1\n");
    assertThat(CommandLines.run("doctor", "--fix", "--out", folder.toString()).code()).isEqualTo(2);
  }

  @Test
  void theScriptIsWrittenAndWrittenAgain() throws IOException {
    Path script = folder.resolve("rocm-env.sh");
    for (int i = 0; i < 2; i++) {
      CommandLines ran =
          CommandLines.run("doctor", "--format", "json", "--fix", "--out", script.toString());
      assertThat(ran.code()).isNotEqualTo(2);
      assertThat(Files.readString(script)).startsWith(ShellScript.FIRST_LINE);
      JsonNode all = JsonMapper.shared().readTree(ran.out());
      assertThat(all.isArray()).isTrue();
      assertThat(all).anySatisfy(o -> assertThat(o.get("name").asString()).isEqualTo("JDK"));
      assertThat(all).anySatisfy(o -> assertThat(o.get("section").asString()).isEqualTo("python"));
    }
  }

  @Test
  void aPythonThatIsNoneIsWrongUsage() {
    CommandLines ran = CommandLines.run("doctor", "--python", folder.resolve("no").toString());
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains("--python");
  }
}
