package dev.rocport.cli.build;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.cli.CommandLines;
import dev.rocport.device.DeviceProcess;
import dev.rocport.io.process.Exec;
import dev.rocport.toolchain.TestToolchain;
import dev.rocport.toolchain.ToolchainRequest;
import dev.rocport.toolchain.runtime.HipRuntime;
import dev.rocport.toolchain.runtime.Launch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A CUDA program with OpenMP on the host, ported, built and run; GNU's runtime is named, too. */
@Tag("device")
class OpenMpTest {
  private static final String PROGRAM =
      """
      #include <cstdio>
      #include <omp.h>
      __global__ void square(int* values, int n) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) values[i] *= values[i];
      }
      int main() {
        const int n = 1000;
        static int host[n];
        omp_set_num_threads(4);
        int members = 0;
      #pragma omp parallel reduction(+ : members)
        {
          members += 1 << (8 * omp_get_thread_num());
      #pragma omp for
          for (int i = 0; i < n; i++) host[i] = i;
        }
        int* device = nullptr;
        cudaMalloc(&device, sizeof(host));
        cudaMemcpy(device, host, sizeof(host), cudaMemcpyHostToDevice);
        square<<<(n + 255) / 256, 256>>>(device, n);
        cudaMemcpy(host, device, sizeof(host), cudaMemcpyDeviceToHost);
        cudaFree(device);
        long sum = 0;
      #pragma omp parallel for reduction(+ : sum)
        for (int i = 0; i < n; i++) sum += host[i];
        std::printf("threads %08x, sum %ld\\n", members, sum);
      }
      """;

  private static final String PRINTED = "threads 01010101, sum 332833500\n";

  @TempDir private static Path folder;
  private static DeviceProcess device;
  private static HipRuntime runtime;
  private static Path program;

  @BeforeAll
  static void build() throws Exception {
    Path cuda = Files.createDirectory(folder.resolve("cuda"));
    Files.writeString(cuda.resolve("sum.cu"), PROGRAM);
    Files.writeString(
        cuda.resolve("Makefile"),
        "sum: sum.cu\n\tnvcc -O2 -arch=sm_70 -Xcompiler -fopenmp -o sum sum.cu -lgomp\n");
    Path ported = folder.resolve("ported");
    assertThat(CommandLines.run("port", cuda + "", "--out", ported + "").code()).isZero();
    assertThat(CommandLines.run("build", ported + "", "--target", "gfx90a", "--no-cache"))
        .matches(r -> r.code() == 0, "builds");
    program = ported.resolve("build-rocport/tree/sum");
    runtime = TestToolchain.runtime();
    device = DeviceProcess.start("--gpus", "1", "--memory", "256", "--linger", "600");
  }

  @AfterAll
  static void stop() {
    device.close();
  }

  private static String printed(Exec program) throws IOException, InterruptedException {
    program.environment().put("ROCPORT_DEVICE", device.socket().toString());
    return program.merged().run().stdout();
  }

  @Test
  void runsUnderRocportRun() throws Exception {
    Exec run =
        Launch.single("gfx90a")
            .program(
                List.of(program + ""), Map.of(), ToolchainRequest.defaults(), System.err::println);

    assertThat(printed(run)).isEqualTo(PRINTED);
  }

  @Test
  void runsWithNothingButTheHipRuntimeInItsLibraryPath() throws Exception {
    Path only = Files.createDirectory(folder.resolve("only"));
    Path hip = runtime.libraries().resolve("libamdhip64.so.6");
    Files.createSymbolicLink(only.resolve(hip.getFileName()), hip);
    Exec run = Exec.of(List.of(program + ""));
    run.environment().put("LD_LIBRARY_PATH", only + "");

    assertThat(printed(run)).isEqualTo(PRINTED);
  }

  @Test
  void aProgramWithoutARunPathFindsItUnderRocportRun() {
    assertThat(runtime.libraries().resolve("libomp.so.5")).exists();
  }

  @Test
  void hipccBuildsWhatIsStartedDirectly() throws Exception {
    Path made = folder.resolve("direct");
    List<String> command = new ArrayList<>();
    command.add(runtime.programs().resolve("hipcc") + "");
    command.addAll(List.of("--offload-arch=gfx90a", "-O2", "-w", "-fopenmp", "-o", made + ""));
    command.addAll(List.of(folder.resolve("ported/sum.cu") + "", "-lgomp"));
    assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    Exec run = Exec.of(List.of(made + ""));
    run.environment().remove("LD_LIBRARY_PATH");

    assertThat(printed(run)).isEqualTo(PRINTED);
  }
}
