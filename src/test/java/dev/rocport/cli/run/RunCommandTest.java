package dev.rocport.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.cli.CommandLines;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code run} refuses before anything is started. */
@Tag("device")
class RunCommandTest {
  @TempDir private Path folder;

  @Test
  void aProgramThatIsNotThereIs122() {
    CommandLines run = CommandLines.run("run", "--np", "2", "--", folder + "/missing");
    assertThat(run.code()).isEqualTo(122);
    assertThat(run.err()).contains("cannot start " + folder + "/missing: no such program");
  }

  @Test
  void aFolderIsNoProgram() {
    assertThat(CommandLines.run("run", "--", folder.toString()).code()).isEqualTo(122);
  }

  @Test
  void aLibraryThatIsNotThereIsNotLeftOutSilently() throws Exception {
    Path program = Files.writeString(folder.resolve("program"), "#!/bin/sh\n");
    assertThat(program.toFile().setExecutable(true)).isTrue();
    CommandLines run =
        CommandLines.run("run", "--preload", folder + "/none.so", "--", program.toString());
    assertThat(run.code()).isEqualTo(122);
    assertThat(run.err()).contains("cannot preload " + folder + "/none.so");
  }

  @Test
  void librariesThatStandInForRocmsAreNamedOnceAtTheEnd() throws Exception {
    Path program =
        Files.writeString(
            folder.resolve("program"),
            """
            #!/bin/sh
            for i in librccl libhipfft librccl; do echo $i >> "$ROCPORT_STAND_INS"; done
            exit 3
            """);
    assertThat(program.toFile().setExecutable(true)).isTrue();
    CommandLines run = CommandLines.run("run", "--", program.toString());
    assertThat(run.code()).isEqualTo(3);
    assertThat(run.err())
        .endsWith(
            "rocport: libhipfft, librccl are rocport stand-ins: "
                + "the run does not test the results of the ROCm libraries\n");
  }

  @Test
  void negativeNumbersAreWrongUsage() {
    assertThat(CommandLines.run("run", "--np", "-1", "--", "true").code()).isEqualTo(2);
    assertThat(CommandLines.run("run", "--timeout", "-1", "--", "true").code()).isEqualTo(2);
  }

  @Test
  void librariesOfAmdAreForGfx90aOnly() {
    CommandLines run =
        CommandLines.run("run", "--libs-runtime", "rocm", "--gpu", "gfx90a,gfx942", "--", "true");
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err())
        .contains("--libs-runtime rocm accepts only gfx90a")
        .contains("hold no code for gfx942");
    assertThat(CommandLines.run("verify", "--libs-runtime", "rocm", ".").code()).isEqualTo(2);
  }

  @Test
  void anExtraThatIsNoneIsWrongUsage() {
    CommandLines run = CommandLines.run("toolchain", "install", "--with", "mpi,tea");
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err())
        .contains("--with accepts mpi, clang-21, autotools, bazel, cmake, meson, python; not tea");
  }
}
