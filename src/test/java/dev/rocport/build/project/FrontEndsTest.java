package dev.rocport.build.project;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.io.process.Exec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class FrontEndsTest {
  @TempDir private Path folder;

  /** As libtool asks g++ whether it works. */
  @Test
  void aProbeForTheVersionHasNoFlagsOfTheLinker() throws Exception {
    try (FrontEnds programs =
        new FrontEnds(folder, List.of(), _ -> new FrontEnds.Answer(0, "answered\n", ""))) {
      programs.probe(Map.of("g++", List.of("/bin/echo", "-Wl,-rpath,/nowhere")));
      assertThat(output(programs, "-v")).isEqualTo("-v\n");
      assertThat(output(programs, "-v", "a.cpp")).isEqualTo("-Wl,-rpath,/nowhere -v a.cpp\n");

      programs.probed();
      assertThat(output(programs, "-v")).isEqualTo("answered\n");
    }
  }

  private String output(FrontEnds programs, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(programs.bin().resolve("g++") + ""));
    command.addAll(List.of(arguments));
    return Exec.run(command, folder, Map.of(), Duration.ofSeconds(20)).stdout();
  }
}
