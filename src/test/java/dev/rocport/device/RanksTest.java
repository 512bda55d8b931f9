package dev.rocport.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.toolchain.TestToolchain;
import dev.rocport.toolchain.ToolchainRequest;
import dev.rocport.toolchain.provision.Mpi;
import dev.rocport.toolchain.runtime.HipRuntime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ranks that share one device: MPI sends from and into memory of the GPU. */
@Tag("mpi")
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
        // A ring: each step adds the value of the left neighbor.
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

  /** Ranks of RCCL that find each other through MPI. */
  private static final String COLLECTIVES =
      """
      #include <hip/hip_runtime.h>
      #include <mpi.h>
      #include <rccl/rccl.h>
      #include <cstdio>
      __global__ void fill(float *p, int rank) { p[threadIdx.x] = rank + threadIdx.x; }
      int main(int argc, char **argv) {
        int rank, ranks;
        MPI_Init(&argc, &argv);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_size(MPI_COMM_WORLD, &ranks);
        ncclUniqueId id;
        if (rank == 0) ncclGetUniqueId(&id);
        MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, MPI_COMM_WORLD);
        float *mine, *all, host[256 * 16];
        ncclComm_t comm;
        bool ok = hipSetDevice(rank) == hipSuccess
            && hipMalloc(&mine, 1024) == hipSuccess && hipMalloc(&all, 1024 * ranks) == hipSuccess
            && ncclCommInitRank(&comm, ranks, id, rank) == ncclSuccess;
        fill<<<1, 256>>>(mine, rank);
        ok = ok && ncclAllReduce(mine, mine, 256, ncclFloat, ncclSum, comm, 0) == ncclSuccess
            && ncclAllGather(mine, all, 256, ncclFloat, comm, 0) == ncclSuccess
            && hipMemcpy(host, all, 1024 * ranks, hipMemcpyDeviceToHost) == hipSuccess;
        for (int i = 0; ok && i < 256 * ranks; i++) {
          ok = host[i] == ranks * (ranks - 1) / 2 + ranks * (i % 256);
        }
        ok = ncclCommDestroy(comm) == ncclSuccess && ok;
        int good = ok, count = 0;
        MPI_Reduce(&good, &count, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
        if (rank == 0) printf("%d of %d ranks right\\n", count, ranks);
        MPI_Finalize();
        return ok ? 0 : 1;
      }
      """;

  @TempDir private Path folder;

  @Test
  void eachRankComputesAndPassesOnMemoryOfItsGpu() throws Exception {
    assertThat(ranks(PROGRAM, 1, RANKS)).isEqualTo(right(RANKS));
  }

  @Test
  void ranksStartedByMpiReduceOverTheirGpus() throws Exception {
    assertThat(ranks(COLLECTIVES, 4, 4, "-lrccl")).isEqualTo(right(4));
  }

  private static TestDevice.Run right(int ranks) {
    return new TestDevice.Run(0, "%d of %d ranks right\n".formatted(ranks, ranks), "");
  }

  private TestDevice.Run ranks(String source, int gpus, int ranks, String... libraries)
      throws Exception {
    HipRuntime runtime = TestToolchain.runtime();
    Mpi mpi = Mpi.require(ToolchainRequest.defaults(), System.err::println);
    Map<String, String> variables = new HashMap<>(System.getenv());
    mpi.into(variables);
    variables.merge("PATH", runtime.programs().toString(), (path, bin) -> bin + ":" + path);
    variables.put("OMPI_CXX", runtime.programs().resolve("hipcc").toString());
    Files.writeString(folder.resolve("program.hip"), source);
    List<String> compile = new ArrayList<>(List.of(mpi.bin() + "/mpicxx"));
    compile.addAll(List.of("--offload-arch=gfx942", "program.hip", "-o", "program"));
    compile.addAll(List.of(libraries));
    assertThat(run(gpus, variables, compile)).isEqualTo(new TestDevice.Run(0, "", ""));
    List<String> program = List.of(folder.resolve("program") + "");
    return run(gpus, variables, mpi.command(ranks, Map.of(), program));
  }

  /** With the variables that differ from this process's own. */
  private TestDevice.Run run(int gpus, Map<String, String> variables, List<String> command)
      throws Exception {
    List<String> words = new ArrayList<>(List.of("env"));
    variables.forEach(
        (k, v) -> {
          boolean loads = k.equals("LD_LIBRARY_PATH");
          if (!loads && !v.equals(System.getenv(k))) {
            words.add(k + "=" + v);
          }
        });
    words.addAll(command);
    return TestDevice.run("gfx942", gpus, folder, 120, words);
  }
}
