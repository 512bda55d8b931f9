package dev.rocport.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.io.process.Exec;
import dev.rocport.toolchain.TestToolchain;
import dev.rocport.toolchain.ToolchainRequest;
import dev.rocport.toolchain.provision.Mpi;
import dev.rocport.toolchain.runtime.HipRuntime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ranks of MPI that do not wait for their GPU. */
@Tag("mpi")
final class MpiChecksTest {
  private static final Path SOURCES = HipRuntime.installation().resolve("fixtures/checks");

  @TempDir private Path folder;

  /** A rank sends from a staging buffer before the copy into it is done. */
  @Test
  void namesTheSendAndTheCopy() throws Exception {
    finds(
        SOURCES.resolve("order/mpi_send_before_copy_done.hip"),
        "order=4",
        "order",
        "MPI_Send reads memory that an asynchronous copy");
  }

  /** A kernel of one rank reads what one of another rank has put there, with no wait between. */
  @Test
  void namesTheKernelsOfTwoProcesses() throws Exception {
    finds(
        SOURCES.resolve("race/put_not_waited_for.hip"),
        "race",
        "race",
        "two processes access the same memory");
  }

  /**
   * Runs a program with a mistake, and without.
   *
   * @param check the name of the check, for marks in the source
   * @param title how its finding begins
   */
  private void finds(Path source, String checks, String check, String title) throws Exception {
    HipRuntime runtime = TestToolchain.runtime();
    Mpi mpi = Mpi.require(ToolchainRequest.defaults(), System.err::println);
    Map<String, String> variables = new HashMap<>(System.getenv());
    mpi.into(variables);
    variables.keySet().removeIf(v -> v.startsWith("ROCPORT_"));
    variables.merge("PATH", runtime.programs().toString(), (path, bin) -> bin + ":" + path);
    variables.merge("LD_LIBRARY_PATH", runtime.libraries() + "", (all, own) -> own + ":" + all);
    variables.put("OMPI_CXX", runtime.programs().resolve("hipcc").toString());
    try (DeviceProcess device =
        // It has to outlast the compile between the two programs.
        DeviceProcess.start(
            "--gpu", "gfx90a", "--gpus", "2", "--check", checks, "--linger", "300")) {
      variables.put("ROCPORT_DEVICE", device.socket().toString());
      assertThat(ranks(mpi, runtime, variables, source, "-UMENDED"))
          .contains("rocport: " + check + ": " + title)
          .contains(line(source, "// finding: " + check))
          .contains(line(source, "// other: " + check));
      assertThat(ranks(mpi, runtime, variables, source, "-DMENDED"))
          .contains("PASS")
          .contains(": no findings")
          .doesNotContain("rocport: " + check + ": ");
    }
  }

  /** Where a mark is in the source. */
  private static String line(Path source, String mark) throws Exception {
    List<String> lines = Files.readAllLines(source);
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).endsWith(mark)) {
        return source.getFileName() + ":" + (i + 1) + " ";
      }
    }
    throw new AssertionError(mark);
  }

  /** What both ranks of the program print. */
  private String ranks(
      Mpi mpi, HipRuntime runtime, Map<String, String> variables, Path source, String define)
      throws Exception {
    List<String> compile = new ArrayList<>(List.of(mpi.bin() + "/mpicxx", "--offload-arch=gfx90a"));
    compile.addAll(List.of("-g", "-O1", "-std=c++17", define, source.toString(), "-o", "ranks"));
    run(variables, compile);
    Path guard = runtime.root().resolve("libexec/rocport/libguard.so");
    assertThat(guard).exists();
    return run(
        variables,
        mpi.command(2, Map.of("LD_PRELOAD", guard.toString()), List.of(folder + "/ranks")));
  }

  private String run(Map<String, String> variables, List<String> command) throws Exception {
    Exec program = Exec.of(command).in(folder).merged().limit(Duration.ofSeconds(120));
    program.environment().clear();
    Exec.Outcome run = program.with(variables).run();
    assertThat(run.timedOut()).as(run.stdout()).isFalse();
    return run.stdout();
  }
}
