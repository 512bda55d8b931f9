package dev.rocport.toolchain.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.TestClasses;
import dev.rocport.device.DeviceProcess;
import dev.rocport.io.Folders;
import dev.rocport.toolchain.TestCompiler;
import dev.rocport.toolchain.TestToolchain;
import dev.rocport.toolchain.ToolRun;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The HIP runtime compiles, and each program in {@code src/test/hip-runtime} finds its host side in
 * order: they check themselves and end with PASS.
 */
@Tag("device")
final class HipRuntimeTest {
  private static final Path PROGRAMS =
      Path.of(System.getProperty("rocport.home", "."), "src/test/hip-runtime");
  // A program that compiles at run time starts a compiler ten times.
  private static final Duration LIMIT = Duration.ofMinutes(6);

  private static Path folder;
  private static Toolchain toolchain;
  private static HipRuntime runtime;
  private static DeviceProcess device;

  @BeforeAll
  static void start(@TempDir Path scratch) throws Exception {
    folder = scratch;
    toolchain = TestToolchain.since("6.4");
    runtime = TestToolchain.runtime();
    device = DeviceProcess.start("--gpus", "2", "--memory", "1024", "--linger", "600");
  }

  @AfterAll
  static void stop() {
    device.close();
  }

  private static Path home() {
    return folder.resolve("home");
  }

  @AfterEach
  void clearHome() throws IOException {
    Folders.delete(home());
  }

  static List<String> programs() throws IOException {
    try (Stream<Path> files = Files.list(PROGRAMS)) {
      return files
          .map(f -> f.getFileName().toString())
          .filter(f -> f.endsWith(".cpp") || f.endsWith(".hip"))
          .sorted()
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("programs")
  void programChecksItself(String name) throws Exception {
    List<String> arguments =
        new ArrayList<>(
            name.endsWith(".hip")
                ? toolchain.hipCompile(List.of("gfx90a"))
                : toolchain.hostCompile());
    arguments.addAll(List.of("-std=c++17", "-Wall", "-Wextra", "-Werror"));
    arguments.addAll(List.of("-Wno-deprecated-declarations", "-pthread"));
    arguments.addAll(List.of("-fuse-ld=lld", "-L" + runtime.libraries(), "-lamdhip64", "-lhiprtc"));
    arguments.addAll(List.of("-Wl,--as-needed", "-lhsa-runtime64"));
    Path program = TestCompiler.compile(PROGRAMS.resolve(name), arguments).made();

    ToolRun run =
        ToolRun.of(
            List.of(program.toString()),
            folder,
            Map.of(
                "ROCPORT_DEVICE", device.socket().toString(),
                "LD_LIBRARY_PATH", runtime.libraries().toString()),
            LIMIT);

    assertThat(run.output()).endsWith("PASS\n");
    assertThat(run.code()).isZero();
  }

  @Test
  void compilerFrontEndBuildsAProgramThatNeedsNoLibraryPath() throws IOException {
    Path source = folder.resolve("count.cpp");
    Files.writeString(
        source,
        """
        #include <hip/hip_runtime.h>
        #include <cstdio>
        __global__ void nothing() {}
        int main() {
          int count = 0;
          hipError_t result = hipGetDeviceCount(&count);
          std::printf("%s %d\\n", hipGetErrorName(result), count);
        }
        """);
    Path program = folder.resolve("count");
    String hipcc = runtime.programs().resolve("hipcc").toString();
    ToolRun compiled =
        ToolRun.of(
            List.of(hipcc, "--offload-arch=gfx90a", source.toString(), "-o", program.toString()));
    assertThat(compiled).matches(ToolRun::ok);

    ToolRun run =
        ToolRun.of(
            List.of(program.toString()),
            folder,
            Map.of("ROCPORT_DEVICE", device.socket().toString()),
            LIMIT);

    assertThat(run.output()).isEqualTo("hipSuccess 2\n");
  }

  @Test
  void faultNamesTheDeviceAddressOfRegisteredMemory() throws Exception {
    Path source = folder.resolve("registered_fault.hip");
    Files.writeString(
        source,
        """
        #include <hip/hip_runtime.h>
        #include <cstdio>
        #include <cstdlib>
        __global__ void fill(float *out) { out[threadIdx.x + 3] = 1; }
        int main() {
          auto *host = static_cast<float *>(std::malloc(64));
          float *device = nullptr;
          if (hipHostRegister(host, 64, hipHostRegisterDefault) != hipSuccess) return 1;
          if (hipHostGetDevicePointer((void **)&device, host, 0) != hipSuccess) return 2;
          std::printf("its device address is %p:\\n", (void *)(device + 3));
          fill<<<1, 1>>>(host);
          return hipDeviceSynchronize();
        }
        """);
    List<String> arguments = new ArrayList<>(toolchain.hipCompile(List.of("gfx90a")));
    arguments.addAll(List.of("-fuse-ld=lld", "-L" + runtime.libraries(), "-lamdhip64"));
    Path program = TestCompiler.compile(source, arguments).made();

    ToolRun run =
        ToolRun.of(
            List.of(program.toString()),
            folder,
            Map.of(
                "ROCPORT_DEVICE", device.socket().toString(),
                "LD_LIBRARY_PATH", runtime.libraries().toString()),
            LIMIT);

    assertThat(run.code()).isEqualTo(134);
    String address = run.output().lines().filter(l -> l.startsWith("its")).findFirst().orElse("?");
    assertThat(run.output())
        .contains(
            "this address is in host memory that hipHostRegister registered; "
                + address
                + " pass what hipHostGetDevicePointer returns");
  }

  /** The GPUs with image instructions: their textures and surfaces work. */
  @ParameterizedTest
  @ValueSource(strings = {"gfx1100", "gfx1151"})
  void imagesOfRdna(String gpu) throws Exception {
    List<String> arguments = new ArrayList<>(toolchain.hipCompile(List.of(gpu)));
    arguments.addAll(List.of("-std=c++17", "-fuse-ld=lld"));
    arguments.addAll(List.of("-L" + runtime.libraries(), "-lamdhip64"));
    Path source = PROGRAMS.resolve("rdna").resolve("images.hip");
    Path program = TestCompiler.compile(source, arguments).made();
    try (DeviceProcess device =
        DeviceProcess.start("--gpu", gpu, "--memory", "64", "--linger", "60")) {
      ToolRun run = run(program, device);

      assertThat(run.output()).isEqualTo("PASS\n");
      assertThat(run.code()).isZero();
    }
  }

  /** Texture references are refused everywhere; an RDNA GPU has objects in their place. */
  @Test
  void refusedReferencesOfRdnaNameWhatHelps() throws Exception {
    Path source = folder.resolve("refused_references.cpp");
    Files.writeString(
        source,
        """
        #include <hip/hip_runtime_api.h>
        #include <cstdio>
        int main() {
          for (int device : {0, 1, 1}) {
            textureReference reference = {};
            if (hipSetDevice(device) != hipSuccess) return 1;
            if (hipUnbindTexture(&reference) != hipErrorNotSupported) return 2;
            std::fprintf(stderr, "device %d\\n", device);
          }
        }
        """);
    List<String> arguments = new ArrayList<>(toolchain.hostCompile());
    arguments.addAll(List.of("-Wno-deprecated-declarations"));
    arguments.addAll(List.of("-fuse-ld=lld", "-L" + runtime.libraries(), "-lamdhip64"));
    Path program = TestCompiler.compile(source, arguments).made();
    try (DeviceProcess gpus =
        DeviceProcess.start("--gpu", "gfx942,gfx1100", "--memory", "64", "--linger", "60")) {
      ToolRun run = run(program, gpus);

      assertThat(run.output())
          .isEqualTo(
              """
              device 0
              rocport: texture references are not supported; use texture objects
              device 1
              device 1
              """);
      assertThat(run.code()).isZero();
    }
  }

  private static ToolRun run(Path program, DeviceProcess on) throws IOException {
    return ToolRun.of(
        List.of(program.toString()),
        folder,
        Map.of(
            "ROCPORT_DEVICE", on.socket().toString(),
            "LD_LIBRARY_PATH", runtime.libraries().toString()),
        LIMIT);
  }

  @Test
  void programSaysWhatIsWrongWhereNoDeviceListens() throws IOException {
    ToolRun run =
        ToolRun.of(
            List.of(runtime.programs().resolve("rocminfo").toString()),
            folder,
            Map.of("ROCPORT_DEVICE", folder.resolve("none.sock").toString()),
            LIMIT);

    assertThat(run.code()).isEqualTo(1);
    assertThat(run.output()).contains("no device listens at ROCPORT_DEVICE=");
  }

  @Test
  void hipconfigPrintsTheVersionOfTheHeaders() throws IOException {
    ToolRun run =
        ToolRun.of(List.of(runtime.programs().resolve("hipconfig").toString(), "--version"));

    assertThat(run.output()).isEqualTo(toolchain.hip() + "-rocport");
  }

  /** Prints how deep three ranges of rocTX lie, of a library that it looks for while it runs. */
  private static final String RANGES =
      """
      #include <dlfcn.h>
      #include <stdio.h>
      int main(int argc, char **argv) {
        void *library = dlopen(argv[1], RTLD_NOW);
        if (!library) return printf("%s\\n", dlerror()), 1;
        int (*push)(const char *) = (int (*)(const char *))dlsym(library, "roctxRangePushA");
        for (int i = 0; i < 3; i++) printf("%d", push("range"));
        printf("\\n");
        return 0;
      }
      """;

  @Test
  void libraryIsCompiledWhenAProgramLoadsIt() throws Exception {
    HipRuntime fresh = freshRuntime();
    TestClasses.launcher(home().resolve("rocport"));
    Path program = program("ranges", RANGES);

    ToolRun first = load(program, fresh, home());
    ToolRun second = load(program, fresh, Path.of("/nowhere"));

    assertThat(first.output())
        .isEqualTo(
            "rocport: compiling libroctx64 (repeated only if the HIP runtime changes)\n012\n");
    assertThat(second.output()).isEqualTo("012\n");
  }

  @Test
  void programEndsWhereItsLibraryCannotBeCompiled() throws Exception {
    ToolRun run = load(program("ranges", RANGES), freshRuntime(), Path.of("/nowhere"));

    assertThat(run.output())
        .isEqualTo(
            "rocport: cannot start /nowhere/rocport: No such file or directory; set ROCPORT_HOME to"
                + " the rocport folder\n"
                + "rocport: libroctx64 could not be compiled, as reported above\n");
    assertThat(run.code()).isEqualTo(134);
  }

  @Test
  void librariesThatAProgramNamesAreCompiledBeforeItStarts() throws Exception {
    HipRuntime fresh = freshRuntime();
    Path named = program("named", RANGES + "const char *name = \"libroctx64.so\";\n");
    List<String> lines = new ArrayList<>();

    fresh.compileFor(named, lines::add);
    fresh.compileFor(named, lines::add);

    assertThat(lines)
        .containsExactly("compiling libroctx64 (repeated only if the HIP runtime changes)");
    assertThat(load(named, fresh, Path.of("/nowhere")).output()).isEqualTo("012\n");
  }

  private static ToolRun load(Path program, HipRuntime fresh, Path rocport) throws IOException {
    return ToolRun.of(
        List.of(program.toString(), "libroctx64.so"),
        folder,
        Map.of("LD_LIBRARY_PATH", fresh.libraries().toString(), "ROCPORT_HOME", rocport.toString()),
        LIMIT);
  }

  private static Path program(String name, String source) throws IOException {
    Path file = Files.writeString(folder.resolve(name + ".c"), source);
    Path program = folder.resolve(name);
    assertThat(
            ToolRun.of(
                List.of(
                    toolchain.clang().toString(),
                    "-fuse-ld=lld",
                    "-o",
                    program.toString(),
                    file.toString())))
        .matches(ToolRun::ok);
    return program;
  }

  /** A runtime none of whose libraries is compiled, made of the objects of the one in use. */
  private static HipRuntime freshRuntime() throws Exception {
    Path home = Files.createDirectories(home());
    Path own = ToolchainRequest.defaults().home();
    for (String name : List.of("current", "installs")) {
      if (Files.exists(own.resolve(name))) {
        Files.createSymbolicLink(home.resolve(name), own.resolve(name));
      }
    }
    Path objects = Files.createDirectories(home.resolve("runtime").resolve(RuntimeBuild.OBJECTS));
    for (Path object : Folders.list(own.resolve("runtime").resolve(RuntimeBuild.OBJECTS))) {
      if (object.toString().endsWith(".o")) {
        Files.copy(object, objects.resolve(object.getFileName()));
      }
    }
    return HipRuntime.of(toolchain, home, HipRuntime.installation(), System.err::println);
  }
}
