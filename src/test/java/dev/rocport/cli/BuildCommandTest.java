package dev.rocport.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.toolchain.TestToolchain;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

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
    assertThat(json.get("units").get(0).get("path").asString()).isEqualTo("a.cpp");
    assertThat(json.get("units").get(0).get("status").asString()).isEqualTo("compiled");
    assertThat(json.get("links").get(0).get("path").asString()).isEqualTo("build-rocport/bin/a");
    assertThat(json.get("totals").get("links").get("linked").asInt()).isEqualTo(1);
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

    Files.writeString(folder.resolve("CMakeLists.txt"), "project(p)\nExternalProject_Add(x)\n");
    CommandLines cmake = build();
    assertThat(cmake.code()).isEqualTo(2);
    assertThat(cmake.err()).contains("CMakeLists.txt:2: externalproject_add()");
  }

  @Test
  void endsWithThreeForTargetsThatTheCompilerDoesNotKnow() throws Exception {
    TestToolchain.get();
    Files.writeString(folder.resolve("a.cpp"), "int main() { return 0; }\n");

    CommandLines r = build("--target", "gfx90a,gfx99f");

    assertThat(r.code()).isEqualTo(3);
    assertThat(r.err()).contains("does not build for gfx99f");
  }
}
