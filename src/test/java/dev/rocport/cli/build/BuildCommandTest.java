package dev.rocport.cli.build;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.cli.CommandLines;
import dev.rocport.render.ReportSchema;
import dev.rocport.toolchain.TestToolchain;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

@Tag("toolchain")
class BuildCommandTest {
  @TempDir private Path folder;

  private CommandLines build(String... more) {
    String[] args = new String[more.length + 3];
    args[0] = "build";
    args[1] = folder.toString();
    args[2] = "--no-cache";
    System.arraycopy(more, 0, args, 3, more.length);
    return CommandLines.run(args);
  }

  @Test
  void writesJsonAndEndsWithZero() throws Exception {
    TestToolchain.get();
    Files.writeString(folder.resolve("a.cpp"), "int main() { return 0; }\n");

    CommandLines r = build("--format", "json");

    assertThat(r.code()).isZero();
    JsonNode json = new ObjectMapper().readTree(r.out());
    assertThat(ReportSchema.errors(r.out())).isEmpty();
    assertThat(json.at("/command").asString()).isEqualTo("build");
    assertThat(json.at("/files/0/status").asString()).isEqualTo("compiled");
    assertThat(json.at("/build/units/0/path").asString()).isEqualTo("a.cpp");
    assertThat(json.at("/build/units/0/sides/host").asString()).isEqualTo("ok");
    assertThat(json.at("/build/links/0/path").asString()).isEqualTo("build-rocport/bin/a");
    assertThat(json.at("/build/links/0/status").asString()).isEqualTo("linked");
  }

  @Test
  void aBaselineLetsKnownErrorsPass() throws Exception {
    TestToolchain.get();
    Files.writeString(folder.resolve("a.cpp"), "int main() { return nowhere; }\n");
    String known = folder.resolve("known.json").toString();

    assertThat(build("--write-baseline", known).code()).isEqualTo(1);
    CommandLines again = build("--baseline", known);

    assertThat(again.code()).isZero();
    assertThat(again.out()).contains("'nowhere' [BUILD-ERROR] (known)");
  }

  @Test
  void theConfigurationSuppressesAndTheReportsSaySo() throws Exception {
    TestToolchain.get();
    Files.writeString(folder.resolve("a.cpp"), "int main() { return nowhere; }\n");
    Files.writeString(
        folder.resolve(".rocport.yaml"),
        """
        suppress:
          - rule: BUILD-ERROR
            path: a.cpp
            reason: the generated header is not here
          - rule: PTX-INLINE
            path: "**"
            reason: for the port
        """);
    Path reports = folder.resolve("reports");

    CommandLines r = build("--report", reports.toString());

    assertThat(r.code()).isZero();
    assertThat(r.out()).contains("failed for host").doesNotContain("BUILD-ERROR");
    String json = Files.readString(reports.resolve("report.json"));
    assertThat(ReportSchema.errors(json)).isEmpty();
    JsonNode report = new ObjectMapper().readTree(json);
    assertThat(report.at("/files/0/status").asString()).isEqualTo("not-compiled");
    assertThat(report.at("/files/0/suppressed/0/rule").asString()).isEqualTo("BUILD-ERROR");
    assertThat(report.at("/totals/findings").asInt()).isZero();
    assertThat(reports.resolve("report.txt")).content().contains("failed for host");
    assertThat(reports.resolve("report.md")).content().contains("rocport build");
  }

  @Test
  void endsWithOneForErrors() throws Exception {
    TestToolchain.get();
    Files.writeString(folder.resolve("a.cpp"), "int main() { return nowhere; }\n");

    CommandLines r = build();

    assertThat(r.code()).isEqualTo(1);
    assertThat(r.out()).contains("a.cpp:1:21: error: use of undeclared identifier 'nowhere'");
  }

  @Test
  void endsWithTwoForWrongUsage() throws Exception {
    TestToolchain.get();
    assertThat(CommandLines.run("build", folder.resolve("none").toString()).code()).isEqualTo(2);
    assertThat(CommandLines.run("build").code()).isEqualTo(2);
    assertThat(build("--target", "sm_80").code()).isEqualTo(2);
    assertThat(build("--jobs", "0").code()).isEqualTo(2);
    assertThat(build("--out", folder.toString()).code()).isEqualTo(2);
    assertThat(build().err()).contains("no source files to compile");
  }

  @Test
  void endsWithOneWhereCMakeFails() throws Exception {
    TestToolchain.get();
    Files.writeString(
        folder.resolve("CMakeLists.txt"), "project(p LANGUAGES NONE)\nno_such_command()\n");
    CommandLines cmake = build();
    assertThat(cmake.code()).isEqualTo(1);
    assertThat(cmake.out()).contains("CMakeLists.txt:2: no_such_command()");
  }

  @Test
  void endsWithThreeForTargetsThatTheCompilerDoesNotKnow() throws Exception {
    TestToolchain.get();
    Files.writeString(folder.resolve("a.cpp"), "int main() { return 0; }\n");

    CommandLines r = build("--target", "gfx90a,gfx99f");

    assertThat(r.code()).isEqualTo(3);
    assertThat(r.err()).contains("does not support gfx99f");
  }
}
