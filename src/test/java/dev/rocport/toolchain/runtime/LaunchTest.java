package dev.rocport.toolchain.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.io.process.Exec;
import dev.rocport.toolchain.TestToolchain;
import dev.rocport.toolchain.ToolRun;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainRequest;
import dev.rocport.toolchain.provision.Mpi;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ranks of real programs under the real mpirun. */
@Tag("device")
class LaunchTest {
  private static final String PROGRAM =
      """
      #include <mpi.h>
      #include <signal.h>
      #include <stdio.h>
      #include <stdlib.h>
      #include <string.h>
      #include <unistd.h>
      int main(int argc, char **argv) {
        int rank, ranks, sum;
        MPI_Init(&argc, &argv);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_size(MPI_COMM_WORLD, &ranks);
        if (rank == 1) {
          if (!strcmp(argv[1], "exit")) exit(7);
          if (!strcmp(argv[1], "signal")) raise(SIGKILL);
          if (!strcmp(argv[1], "hang")) sleep(300);
        }
        int mine = 1;
        MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        if (rank == 0) printf("%d ranks, %s GPUs, sum %d\\n", ranks, getenv("ROCPORT_GPUS"), sum);
        MPI_Finalize();
        return atoi(argv[1]);
      }
      """;

  @TempDir private Path folder;
  private Toolchain toolchain;
  private Path program;

  @BeforeEach
  void build() throws Exception {
    toolchain = TestToolchain.get();
    program = compile("ranks", PROGRAM);
  }

  private Path compile(String name, String source, String... flags) throws Exception {
    Map<String, String> environment = new HashMap<>(System.getenv());
    Mpi mpi = Mpi.require(ToolchainRequest.defaults(), System.err::println);
    mpi.into(environment);
    Mpi.compilers(toolchain, environment);
    Files.writeString(folder.resolve(name + ".c"), source);
    Path out = folder.resolve(name);
    List<String> command =
        new ArrayList<>(List.of(mpi.bin() + "/mpicc", name + ".c", "-o", out + ""));
    command.addAll(List.of(flags));
    ToolRun run = ToolRun.of(command, folder, environment, Duration.ofMinutes(1));
    assertThat(run.code()).as(run.output()).isZero();
    return out;
  }

  private record Said(Exec.Ended ended, String out, String err) {}

  private Said run(Launch launch, String argument) throws Exception {
    Exec exec =
        launch.program(
            List.of(program.toString(), argument),
            Map.of(),
            ToolchainRequest.defaults(),
            System.err::println);
    Path out = folder.resolve("out.txt");
    Path err = folder.resolve("err.txt");
    Exec.Ended ended = exec.output(out).errors(err).await();
    return new Said(ended, Files.readString(out), Files.readString(err));
  }

  private static Launch ranks(int ranks, int seconds) {
    return Launch.ranks("gfx90a", ranks, Duration.ofSeconds(seconds));
  }

  @Test
  void moreRanksThanCoresEachWithAGpu() throws Exception {
    Said said = run(ranks(8, 60), "0");
    assertThat(said.out()).isEqualTo("8 ranks, 8 GPUs, sum 8\n");
    assertThat(said.err()).isEmpty();
    assertThat(said.ended()).isEqualTo(new Exec.Ended(0, false));
  }

  @Test
  void passesTheExitCodeOn() throws Exception {
    assertThat(run(ranks(2, 60), "5").ended()).isEqualTo(new Exec.Ended(5, false));
  }

  @Test
  void aRankThatEndsEndsThoseThatWaitForIt() throws Exception {
    long start = System.nanoTime();
    Said said = run(ranks(3, 60), "exit");
    assertThat(said.ended()).isEqualTo(new Exec.Ended(7, false));
    assertThat(said.err()).contains("Exit code:    7");
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
  }

  @Test
  void aRankThatIsKilledGivesTheSignal() throws Exception {
    Said said = run(ranks(2, 60), "signal");
    assertThat(said.ended()).isEqualTo(new Exec.Ended(137, false));
    assertThat(said.err()).contains("rank 1").contains("signal 9");
  }

  @Test
  void ranksThatHangAreEndedAtTheLimit() throws Exception {
    Said said = run(ranks(3, 2), "hang");
    assertThat(said.ended().timedOut()).isTrue();
    assertThat(left()).isEmpty();
  }

  /** Processes of the program that still run. */
  private List<String> left() throws IOException {
    return ProcessHandle.allProcesses()
        .map(p -> p.info().command().orElse(""))
        .filter(c -> c.equals(program.toString()))
        .toList();
  }

  @Test
  void preloadsIntoTheRanksButNotIntoTheStarter() throws Exception {
    Path library =
        compile(
            "libtimesten.so",
            """
            #include <mpi.h>
            #include <stdio.h>
            #include <stdlib.h>
            __attribute__((constructor)) static void loaded(void) {
              if (!getenv("OMPI_COMM_WORLD_RANK")) fprintf(stderr, "loaded elsewhere\\n");
            }
            int MPI_Allreduce(const void *in, void *out, int n, MPI_Datatype t, MPI_Op op,
                              MPI_Comm comm) {
              int code = PMPI_Allreduce(in, out, n, t, op, comm);
              *(int *)out *= 10;
              return code;
            }
            """,
            "-shared",
            "-fPIC");
    Launch launch =
        new Launch(
            "gfx90a",
            LibsRuntime.STANDIN,
            4,
            3,
            0,
            0,
            Optional.of(library),
            Optional.of(Duration.ofMinutes(1)));
    Said said = run(launch, "0");
    assertThat(said.out()).isEqualTo("3 ranks, 4 GPUs, sum 30\n");
    assertThat(said.err()).isEmpty();
  }
}
