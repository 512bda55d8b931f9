package dev.rocport.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.rules.RuleCatalog;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
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
}
