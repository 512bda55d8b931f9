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

  /** A program that writes findings as the device does. */
  private Path finding(Path source) throws Exception {
    Path program =
        Files.writeString(
            folder.resolve("program"),
            """
            #!/bin/sh
            echo '{"check": "race", "certain": true, "title": "it is wrong", "site": {"source": "%s:3", "pc": 4, "kernel": "k"}, "others": [{"source": "%s:1", "pc": 8, "kernel": "k"}], "why": "", "do": "mend it"}' >> "$ROCPORT_FINDINGS"
            exit 1
            """
                .formatted(source, source));
    assertThat(program.toFile().setExecutable(true)).isTrue();
    return program;
  }

  @Test
  void showsThreeLinesOfEachPlace() throws Exception {
    Path source = Files.writeString(folder.resolve("k.hip"), "one;\n  two;\n  three;\nfour;\n");
    CommandLines run = CommandLines.run("run", "--check", "race", "--", finding(source).toString());
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err())
        .contains(
            "rocport: lines of the findings\n",
            "/k.hip:3\n        2 |   two;\n  >     3 |   three;\n        4 | four;\n",
            "/k.hip:1\n  >     1 | one;\n        2 |   two;\n");
  }

  private CommandLines ending(int code, String checks) throws Exception {
    Path program = Files.writeString(folder.resolve("program"), "#!/bin/sh\nexit " + code + "\n");
    assertThat(program.toFile().setExecutable(true)).isTrue();
    return CommandLines.run(
        "run", "--gpu", "gfx90a", "--gpus", "2", "--check", checks, "--", program.toString(), "-x");
  }

  @Test
  void namesTheCommandThatFindsTheDelay() throws Exception {
    CommandLines run = ending(3, "order=7");
    assertThat(run.code()).isEqualTo(3);
    assertThat(run.err())
        .contains("the program exits with 3, and no finding explains this")
        .contains("  rocport check --gpu gfx90a --gpus 2 --seed 7 -- " + folder + "/program -x\n");
  }

  @Test
  void namesItOnlyWhereDelaysMayDecide() throws Exception {
    assertThat(ending(0, "order=7").err()).doesNotContain("rocport check");
    assertThat(ending(3, "race").err()).doesNotContain("rocport check");
    assertThat(ending(3, "order=7@none").err()).doesNotContain("rocport check");
    Path source = Files.writeString(folder.resolve("k.hip"), "one;\n  two;\n  three;\n");
    assertThat(CommandLines.run("run", "--check", "order", "--", finding(source).toString()).err())
        .doesNotContain("rocport check");
  }

  @Test
  void writesFindingsAsSarif() throws Exception {
    Path source = Files.writeString(folder.resolve("k.hip"), "one;\n  two;\n  three;\n");
    Path sarif = folder.resolve("found.sarif");
    CommandLines run =
        CommandLines.run(
            "run",
            "--check",
            "race",
            "--findings",
            sarif.toString(),
            "--",
            finding(source).toString());
    assertThat(run.code()).isEqualTo(1);
    assertThat(Files.readString(sarif))
        .contains("\"ruleId\" : \"CHECK-RACE\"", "\"startLine\" : 3", "it is wrong");
  }

  @Test
  void aFileThatCannotBeWrittenIsRefusedBeforeTheProgramStarts() throws Exception {
    Path program = finding(folder.resolve("k.hip"));
    CommandLines run =
        CommandLines.run(
            "run", "--check", "race", "--findings", folder + "/no/file", "--", program.toString());
    assertThat(run.code()).isEqualTo(122);
    assertThat(run.err()).contains("cannot write " + folder + "/no/file");
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
