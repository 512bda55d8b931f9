package dev.rocport.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.toolchain.HipRuntime;
import dev.rocport.toolchain.Mpi;
import dev.rocport.toolchain.TestToolchain;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ranks that share one device: MPI sends from and into memory of the GPU. */
final class RanksTest {
  private static final int RANKS = 8;
  private static final String PROGRAM =
      """
      #include <hip/hip_runtime.h>
      #include <mpi.h>
      #include <cstdio>
      __global__ void fill(int *p, int value) { p[threadIdx.x] = value + threadIdx.x; }
      __global__ void add(int *p, const int *q) { p[threadIdx.x] += q[threadIdx.x]; }
      int main(int argc, char **argv) {
        int rank, ranks, devices = 0;
        MPI_Init(&argc, &argv);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_size(MPI_COMM_WORLD, &ranks);
        bool ok = hipGetDeviceCount(&devices) == hipSuccess
            && hipSetDevice(rank % devices) == hipSuccess;
        int *mine, *other, *sum, host[256];
        ok = ok && hipMalloc(&mine, 1024) == hipSuccess && hipMalloc(&other, 1024) == hipSuccess
            && hipMalloc(&sum, 1024) == hipSuccess && hipMemset(sum, 0, 1024) == hipSuccess;
        fill<<<1, 256>>>(mine, rank);
        // A ring: each step adds what the left neighbour had.
        for (int step = 0; ok && step < ranks; step++) {
          add<<<1, 256>>>(sum, mine);
          ok = hipDeviceSynchronize() == hipSuccess;
          MPI_Sendrecv(mine, 256, MPI_INT, (rank + 1) % ranks, 0, other, 256, MPI_INT,
                       (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
          int *swap = mine;
          mine = other;
          other = swap;
        }
        ok = ok && hipMemcpy(host, sum, 1024, hipMemcpyDeviceToHost) == hipSuccess;
        for (int i = 0; ok && i < 256; i++) ok = host[i] == ranks * (ranks - 1) / 2 + ranks * i;
        int good = ok, all = 0;
        MPI_Reduce(&good, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
        if (rank == 0) printf("%d of %d ranks right\\n", all, ranks);
        MPI_Finalize();
        return ok ? 0 : 1;
      }
      """;

  @TempDir private Path folder;

  @Test
  void eachRankComputesAndPassesOnMemoryOfItsGpu() throws Exception {
    Toolchain toolchain = TestToolchain.get();
    HipRuntime runtime = HipRuntime.of(toolchain, System.err::println);
    Mpi mpi = Mpi.require(ToolchainRequest.defaults(), System.err::println);
    Map<String, String> variables = new HashMap<>(System.getenv());
    mpi.into(variables);
    variables.merge("PATH", runtime.programs().toString(), (path, bin) -> bin + ":" + path);
    variables.put("OMPI_CXX", runtime.programs().resolve("hipcc").toString());
    Files.writeString(folder.resolve("ring.hip"), PROGRAM);
    List<String> compile =
        List.of(mpi.bin() + "/mpicxx", "--offload-arch=gfx942", "ring.hip", "-o", "ring");
    assertThat(run(variables, compile)).isEqualTo(new TestDevice.Run(0, "", ""));
    List<String> command = mpi.command(RANKS, Map.of(), List.of(folder.resolve("ring") + ""));
    assertThat(run(variables, command))
        .isEqualTo(new TestDevice.Run(0, "8 of 8 ranks right\n", ""));
  }

  /** With the variables that differ from this process's own. */
  private TestDevice.Run run(Map<String, String> variables, List<String> command) throws Exception {
    List<String> words = new ArrayList<>(List.of("env"));
    variables.forEach(
        (k, v) -> {
          boolean loads = k.equals("LD_LIBRARY_PATH");
          if (!loads && !v.equals(System.getenv(k))) {
            words.add(k + "=" + v);
          }
        });
    words.addAll(command);
    return TestDevice.run("gfx942", folder, 120, words);
  }
}
