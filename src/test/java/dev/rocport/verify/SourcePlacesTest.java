package dev.rocport.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.cli.CommandLines;
import dev.rocport.core.result.VerifyInfo;
import dev.rocport.rules.RuleCatalog;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SourcePlacesTest {
  @TempDir Path folder;

  private SourcePlace place(String program, int seconds) throws Exception {
    Path source = Files.writeString(folder.resolve("k.hip"), "a;\nb;\n");
    Path built = folder.resolve("program");
    Files.write(built, program.getBytes(StandardCharsets.ISO_8859_1));
    Instant then = Instant.parse("2026-01-01T00:00:00Z");
    Files.setLastModifiedTime(built, FileTime.from(then));
    Files.setLastModifiedTime(source, FileTime.from(then.plusSeconds(seconds)));
    return new SourcePlaces(RuleCatalog.builtIn(), built.toString()).of(source + ":2");
  }

  @Test
  void marksASourceThatHasChangedSinceTheBuild() throws Exception {
    assertThat(place("\177ELF...", 1).notes(", "))
        .isEqualTo(", newer than the program: the line may have moved");
    assertThat(place("\177ELF...", -1).notes(", ")).isEmpty();
  }

  @Test
  void aScriptDoesNotTellWhenTheProgramWasBuilt() throws Exception {
    assertThat(place("#!/bin/sh", 1).notes(", ")).isEmpty();
  }

  @Test
  void showsBothSidesOfThePort() throws Exception {
    Path cuda = Files.createDirectories(folder.resolve("cuda"));
    Files.writeString(
        cuda.resolve("k.cu"),
        """
        __global__ void rotate(unsigned* v) {
          unsigned lanes = __ballot_sync(0xffffffff, v[threadIdx.x] > 3);
          v[threadIdx.x] = v[threadIdx.x + 1] + lanes;
        }
        """);
    Path ported = folder.resolve("ported");
    CommandLines.run("port", cuda.toString(), "--out", ported.toString());
    int line =
        1
            + Files.readAllLines(ported.resolve("k.cu"))
                .indexOf("  v[threadIdx.x] = v[threadIdx.x + 1] + lanes;");
    assertThat(line).isGreaterThan(3);
    String at = "k.cu:" + line;
    SeenFinding race =
        new SeenFinding("race", true, false, "wrong", at, List.of(), at, List.of(at), "");
    VerifyInfo.Found found =
        new SourcePlaces(RuleCatalog.builtIn(), ported.resolve("program").toString(), ported)
            .found("p gfx90a", race);
    assertThat(found.title()).isEqualTo("race at " + at + ": wrong");
    VerifyInfo.Sides sides = found.sides().getFirst();
    assertThat(sides.ported()).isEqualTo(at);
    assertThat(sides.portedLines())
        .hasSize(3)
        .contains(">%6d |   v[threadIdx.x] = v[threadIdx.x + 1] + lanes;".formatted(line));
    assertThat(sides.original()).isEqualTo("k.cu:3");
    assertThat(sides.originalLines())
        .containsExactly(
            "      2 |   unsigned lanes = __ballot_sync(0xffffffff, v[threadIdx.x] > 3);",
            ">     3 |   v[threadIdx.x] = v[threadIdx.x + 1] + lanes;",
            "      4 | }");
  }
}
