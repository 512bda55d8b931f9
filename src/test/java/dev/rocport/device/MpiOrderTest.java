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

/** A rank that sends from a staging buffer before the copy into it is done. */
@Tag("mpi")
final class MpiOrderTest {
  private static final Path SOURCE =
      HipRuntime.installation().resolve("fixtures/checks/order/mpi_send_before_copy_done.hip");

  @TempDir private Path folder;

  @Test
  void namesTheSendAndTheCopy() throws Exception {
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
            "--gpu", "gfx90a", "--gpus", "2", "--check", "order=4", "--linger", "300")) {
      variables.put("ROCPORT_DEVICE", device.socket().toString());
      assertThat(ranks(mpi, runtime, variables, "-UMENDED"))
          .contains("rocport: order: MPI_Send reads memory that an asynchronous copy")
          .contains(line("// finding: order"))
          .contains(line("// other: order"));
      assertThat(ranks(mpi, runtime, variables, "-DMENDED"))
          .contains("PASS")
          .contains(": no findings")
          .doesNotContain("rocport: order: ");
    }
  }

  /** Where a mark is in the source. */
  private static String line(String mark) throws Exception {
    List<String> lines = Files.readAllLines(SOURCE);
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).endsWith(mark)) {
        return SOURCE.getFileName() + ":" + (i + 1) + " ";
      }
    }
    throw new AssertionError(mark);
  }

  /** What both ranks of the program print. */
  private String ranks(Mpi mpi, HipRuntime runtime, Map<String, String> variables, String define)
      throws Exception {
    List<String> compile = new ArrayList<>(List.of(mpi.bin() + "/mpicxx", "--offload-arch=gfx90a"));
    compile.addAll(List.of("-g", "-O1", "-std=c++17", define, SOURCE.toString(), "-o", "sends"));
    run(variables, compile);
    Path guard = runtime.root().resolve("libexec/rocport/libguard.so");
    assertThat(guard).exists();
    return run(
        variables,
        mpi.command(2, Map.of("LD_PRELOAD", guard.toString()), List.of(folder + "/sends")));
  }

  private String run(Map<String, String> variables, List<String> command) throws Exception {
    Exec program = Exec.of(command).in(folder).merged().limit(Duration.ofSeconds(120));
    program.environment().clear();
    Exec.Outcome run = program.with(variables).run();
    assertThat(run.timedOut()).as(run.stdout()).isFalse();
    return run.stdout();
  }
}
