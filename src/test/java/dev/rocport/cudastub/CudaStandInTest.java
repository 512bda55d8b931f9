package dev.rocport.cudastub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.toolchain.TestToolchain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class CudaStandInTest {
  @TempDir private Path folder;
  private CudaStandIn cuda;

  private record Ran(int code, String output) {}

  @BeforeEach
  void create() throws Exception {
    cuda = CudaStandIn.create(folder.resolve("cuda"), TestToolchain.get());
  }

  private Ran run(String... words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(words));
    if (Files.isExecutable(cuda.bin().resolve(words[0]))) {
      command.set(0, cuda.bin().resolve(words[0]).toString());
    }
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
    builder.environment().putAll(cuda.environment(System.getenv("PATH")));
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return new Ran(process.exitValue(), said);
  }

  private void file(String name, String text) throws IOException {
    Files.writeString(folder.resolve(name), text);
  }

  @Test
  void compilesProgramsWithKernelsForTheHostWhileAProjectIsConfigured() throws Exception {
    file(
        "probe.cu",
        """
        #include <cstdio>
        #include <cuda_runtime.h>
        #if !defined(__NVCC__) || !defined(__CUDACC__) || __CUDACC_VER_MAJOR__ < 12
        #error no nvcc
        #endif
        __global__ void kernel(int* p) { *p = 1; }
        int main() {
          kernel<<<1, 32>>>(nullptr);
          int count = -1;
          int none = cudaGetDeviceCount(&count);
          std::printf("error %d, %d GPUs: %d\\n", (int)cudaDeviceSynchronize(), count, none);
        }
        """);
    Ran made =
        run(
            "nvcc",
            "-arch=native",
            "-gencode",
            "arch=compute_90,code=sm_90",
            "--use_fast_math",
            "-Xcompiler=-Wall,-fPIC",
            "-std=c++17",
            "-o",
            "probe",
            "probe.cu");
    assertThat(made.output()).isEmpty();
    assertThat(run(folder.resolve("probe").toString()).output())
        .isEqualTo("error 0, 0 GPUs: 100\n");
    assertThat(cuda.commands()).isEmpty();
  }

  @Test
  void failsAsNvccDoesWhereAFlagIsNone() throws Exception {
    file("probe.cu", "int main() {}\n");
    assertThat(run("nvcc", "--no-such-flag", "-c", "probe.cu").code()).isEqualTo(1);
    assertThat(run("nvcc", "-fno-rtti", "-c", "probe.cu").code()).isEqualTo(1);
    assertThat(
            run("nvcc", "-forward-unknown-to-host-compiler", "-fno-rtti", "-c", "probe.cu").code())
        .isZero();
    file("broken.cu", "int main() { return undeclared; }\n");
    assertThat(run("nvcc", "-c", "broken.cu").code()).isEqualTo(1);
    assertThat(run("nvcc", "-c", "nowhere.cu").code()).isEqualTo(1);
  }

  @Test
  void findsTheToolkitsFunctionsInItsLibrariesAndNoOthers() throws Exception {
    file("there.c", "char cublasCreate_v2(); int main(void) { return cublasCreate_v2(); }\n");
    file("not.c", "char cublasNoSuchThing(); int main(void) { return cublasNoSuchThing(); }\n");
    String libraries = "-L" + cuda.root().resolve("lib64");
    assertThat(run("gcc", "there.c", libraries, "-lcublas", "-o", "there").code()).isZero();
    assertThat(run("gcc", "not.c", libraries, "-lcublas", "-o", "not").code()).isEqualTo(1);
  }

  @Test
  void recordsCommandsAndCreatesOutputs() throws Exception {
    cuda.building();
    assertThat(run("nvcc", "-dc", "a b.cu", "-DX=\"1 2\"", "-MD", "-MF", "a.d", "-o", "a.o").code())
        .isZero();
    assertThat(run("nvcc", "-odir", "out", "--device-c", "one.cu", "two.cu").code()).isZero();
    assertThat(run("g++", "-c", "main.cpp").code()).isZero();
    assertThat(run("ar", "qc", "liba.a", "a.o", "main.o").code()).isZero();
    assertThat(run("g++-12", "main.o", "-o", "program", "-L.", "-la").code()).isNotZero();
    assertThat(run("g++", "main.o", "-o", "program", "-L.", "-la").code()).isZero();
    assertThat(run("nvcc", "--version").output()).contains("release 12.8");
    assertThat(List.of("a.o", "a.d", "out/one.o", "out/two.o", "main.o", "liba.a", "program"))
        .allMatch(f -> Files.isRegularFile(folder.resolve(f)), "is there");
    assertThat(cuda.commands().stream().map(CudaCommand::text).toList())
        .containsExactly(
            "ar qc liba.a a.o main.o",
            "g++ -c main.cpp",
            "g++ main.o -o program -L. -la",
            "nvcc --version",
            "nvcc -dc 'a b.cu' '-DX=\"1 2\"' -MD -MF a.d -o a.o",
            "nvcc -odir out --device-c one.cu two.cu");
    cuda.configuring();
    assertThat(cuda.commands()).isEmpty();
  }

  @Test
  void readsOptionFiles() throws Exception {
    file("options.rsp", "-Iinclude\n-DX\n");
    cuda.building();
    run("nvcc", "--options-file", "options.rsp", "-c", "a.cu");
    run("g++", "@options.rsp", "-c", "a.cpp");
    assertThat(cuda.commands().stream().map(CudaCommand::text).toList())
        .containsExactly(
            "g++ @options.rsp '-Iinclude -DX ' -c a.cpp",
            "nvcc --options-file options.rsp '-Iinclude -DX ' -c a.cu");
  }
}
