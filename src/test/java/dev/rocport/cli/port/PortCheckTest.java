package dev.rocport.cli.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.TestClasses;
import dev.rocport.cli.CommandLines;
import dev.rocport.io.process.Exec;
import dev.rocport.toolchain.TestToolchain;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code rocport port --check} with the real compiler. */
@Tag("toolchain")
class PortCheckTest {
  @TempDir private Path folder;

  private void file(String name, String text) throws Exception {
    Path file = folder.resolve("tree").resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private CommandLines check(String... more) {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("port", folder.resolve("tree").toString()));
    command.addAll(List.of("--out", folder.resolve("out").toString(), "--check"));
    command.addAll(List.of(more));
    return CommandLines.run(command.toArray(String[]::new));
  }

  @Test
  void findsErrorsWithoutFindingWithTheFlagsOfTheBuild() throws Exception {
    TestToolchain.get();
    file(
        "Makefile",
        """
        all: prog small wide
        small: d.cu
        \tnvcc -c d.cu -o small.o
        wide: d.cu
        \tnvcc -DWIDE -c d.cu -o wide.o
        prog: a.cu b.cu table.h
        \tnvcc -DWIDTH=64 -o $@ a.cu && nvcc -c b.cu
        table.h: gen
        \t./gen > $@
        gen: gen.cpp
        \tg++ -o $@ $<
        """);
    file(
        "gen.cpp",
        "#include <cstdio>\nint main() { std::puts(\"constexpr int generated = 1;\"); }\n");
    file(
        "a.cu",
        """
        #include <cuda_runtime.h>
        #include "table.h"
        __global__ void fill(int* p) { p[threadIdx.x] = WIDTH + generated; }
        int main() { fill<<<1, WIDTH>>>(nullptr); }
        """);
    file(
        "b.cu",
        """
        #include <cuda_runtime.h>
        __device__ int wrong(int x) { return x.y; }
        """);
    // Commands compile it twice, and one of them fails.
    file(
        "d.cu",
        """
        #include <cuda_runtime.h>
        __global__ void once() {}
        #ifdef WIDE
        wider value;
        #endif
        """);
    // No command compiles it, and its error has a finding.
    file(
        "other/c.cu",
        """
        #include <cuda_runtime.h>
        cudaGraphConditionalHandle handle;
        """);

    CommandLines r = check();

    assertThat(r.err())
        .contains("b.cu:2:39: error: member reference base type 'int'")
        .contains("d.cu:4:1: error: unknown type name 'wider'")
        .contains("[PORT-CHECK]")
        .contains(
            "2 units compile; 1 fails with errors that findings explain; 2 have errors without a"
                + " finding")
        .doesNotContain("'WIDTH'");
    assertThat(r.code()).isEqualTo(1);
    assertThat(folder.resolve("out/build-rocport")).doesNotExist();
  }

  @Test
  void doesNotDefineTheGuardsOfHipHeaders() throws Exception {
    TestToolchain.get();
    file(
        "check.h",
        """
        #ifdef __DRIVER_TYPES_H__
        template <typename T> void check(T error, int line) {}
        #endif
        """);
    file(
        "a.cu",
        """
        #include "check.h"
        __global__ void fill(int* p) {
          check(cudaGetLastError(), 3);
        }
        """);

    CommandLines r = check();

    assertThat(r.err())
        .contains("1 fails with errors that findings explain; 0 have errors without")
        .doesNotContain("with macros of the project");
  }

  @Test
  void compilesWithTheMacrosOfCMakeFilesThatCannotBeConfigured() throws Exception {
    TestToolchain.get();
    file(
        "CMakeLists.txt",
        """
        cmake_minimum_required(VERSION 3.21)
        project(app LANGUAGES CXX CUDA)
        find_package(NoSuchLibrary REQUIRED)
        option(WIDE "" OFF)
        add_library(app a.cu b.cu)
        if(WIDE)
          target_compile_definitions(app PRIVATE WIDTH=64)
        else()
          target_compile_definitions(app PRIVATE WIDTH=32 KIND=${NoSuchLibrary_KIND})
        endif()
        """);
    file(
        "a.cu",
        """
        #include <cuda_runtime.h>
        #define NAME2(w) width##w
        #define NAME(w) NAME2(w)
        static const int width32 = 1;
        __global__ void fill(int* p) { p[threadIdx.x] = NAME(WIDTH); }
        """);
    file(
        "b.cu",
        """
        #include <cuda_runtime.h>
        #define NAME2(w) kind_##w
        #define NAME(w) NAME2(w)
        static const int kind_a = 1;
        __global__ void fill(int* p) { p[threadIdx.x] = NAME(KIND); }
        """);

    CommandLines r = check();

    assertThat(r.err())
        .contains("1 unit compiles; 0 fail")
        .contains("0 have errors without a finding; 1 could not be checked")
        .contains(
            "not checked: b.cu: it uses the macro KIND, whose value depends on the configuration of"
                + " CMake; see CMakeLists.txt:");
  }

  @Test
  void findsHeadersThatMacrosName() throws Exception {
    TestToolchain.get();
    file("backend.h", "#ifdef USE_CPU\n#define BACKEND cpu\n#else\n#define BACKEND gpu\n#endif\n");
    file("include/lib/gpu/types.h", "typedef int value;\n");
    file("include/lib/cpu/types.h", "typedef double value;\n");
    file(
        "src/a.cu",
        """
        #include <cuda_runtime.h>
        #include "../backend.h"
        #define TYPES <lib/BACKEND/types.h>
        #include TYPES
        __global__ void fill(value* p) { p[threadIdx.x] = warpSize; }
        """);

    CommandLines r = check();

    assertThat(r.err()).contains("1 unit compiles; 0 fail").contains("0 could not be checked");
  }

  @Test
  void checksUnitsOfAnotherConfigurationWithItsMacro() throws Exception {
    TestToolchain.get();
    file("Makefile", "prog: main.c\n\tgcc -o $@ main.c\n");
    file("main.c", "int main(void) { return 0; }\n");
    file(
        "gpu.h",
        """
        #ifndef GPU_H
        #define GPU_H
        #ifdef WITH_GPU
        dim3 blocks(int n);
        namespace gpu {
        template <class T> T *make(int n);
        }
        #endif
        #endif
        """);
    file(
        "make.cu",
        """
        #include <cuda_runtime.h>
        #include "gpu.h"
        template <class T> T *gpu::make(int n) { return new T[n]; }
        template float *gpu::make<float>(int n);
        """);
    file(
        "fill.cu",
        """
        #include <cuda_runtime.h>
        #include "gpu.h"
        __global__ void fill(int* p) { p[threadIdx.x] = 1; }
        void all(int* p, int n) { fill<<<blocks(n), 64>>>(p); }
        """);
    file(
        "wrong.cu",
        """
        #include <cuda_runtime.h>
        #include "gpu.h"
        dim3 wrong(int n) { return blocks(n).none; }
        """);

    assertThat(check().err())
        .contains("wrong.cu:3:38: error: no member named 'none'")
        .contains(
            "3 units compile; 0 fail with errors that findings explain; 1 has errors without a"
                + " finding")
        .doesNotContain("undeclared identifier 'blocks'");
  }

  @Test
  void leavesOutMacrosOfOtherUnitsThatOnlyAddErrors() throws Exception {
    TestToolchain.get();
    file("Makefile", "prog: main.c\n\tgcc -o $@ main.c\n");
    file("main.c", "int main(void) { return 0; }\n");
    file(
        "modes.h",
        """
        #ifdef WITH_GPU
        dim3 blocks(int n);
        #endif
        #ifdef STRICT
        int limit();
        #endif
        """);
    file(
        "fill.cu",
        """
        #include <cuda_runtime.h>
        #include "modes.h"
        #ifdef STRICT
        static_assert(sizeof(int) > 4, "not for this unit");
        #endif
        __global__ void fill(int* p) { p[threadIdx.x] = 1; }
        void all(int* p, int n) { fill<<<blocks(n), 64>>>(p); }
        """);
    file(
        "bound.cu",
        """
        #include <cuda_runtime.h>
        #include "modes.h"
        int bound() { return limit(); }
        """);
    file(
        "third_party/text/text.h",
        """
        #ifdef FAST_TEXT
        int size(const char* text);
        #endif
        """);
    file(
        "text.cu",
        """
        #include <cuda_runtime.h>
        #include "third_party/text/text.h"
        int of(const char* text) { return size(text); }
        """);

    assertThat(check().err())
        .contains("again, with macros of the project: STRICT, WITH_GPU")
        .contains("not checked: text.cu: the compiler reports the same errors for the original")
        .contains("3 units compile; 0 fail with errors that findings explain; 0 have errors")
        .doesNotContain("FAST_TEXT")
        .doesNotContain("not for this unit");
  }

  @Test
  void saysThatACallOfAMemberTemplateLacksAWord() throws Exception {
    TestToolchain.get();
    file(
        "cells.cuh",
        """
        struct Cells {
          template <int Axis> __device__ int at(int x) const { return x + Axis; }
        };
        """);
    file(
        "walk.cu",
        """
        #include <cuda_runtime.h>
        #include "cells.cuh"
        template <class G> struct Base { G grid; };
        template <class G> struct Walk : Base<G> {
          __device__ int step(int x) { return this->grid.at<0>(x); }
        };
        __global__ void fill(Walk<Cells> w, int* p) { p[0] = w.step(1); }
        """);

    assertThat(check().err())
        .contains("walk.cu:5:50: error: nvcc reads this call of a member template")
        .contains("[PORT-REFUSED]")
        .contains("0 units compile; 1 fails with errors that findings explain");
  }

  @Test
  void readsTheHeadersThatCMakeGeneratedBeforeItStopped() throws Exception {
    TestToolchain.get();
    file(
        "CMakeLists.txt",
        """
        cmake_minimum_required(VERSION 3.21)
        project(waves LANGUAGES CXX CUDA)
        set(WAVES_WIDTH 64)
        configure_file(config.h.in generated/waves/config.h)
        find_package(NoSuchPackageOfWaves REQUIRED)
        add_library(waves a.cu)
        """);
    file("config.h.in", "#define WIDTH @WAVES_WIDTH@\n");
    file(
        "a.cu",
        """
        #include <waves/config.h>
        __global__ void fill(int* p) { p[threadIdx.x] = WIDTH; }
        void all(int* p) { fill<<<1, WIDTH>>>(p); }
        """);
    CommandLines run = check();
    assertThat(run.err()).contains("1 unit compiles; 0 fail", "NoSuchPackageOfWaves");
  }

  @Test
  void acceptsHostCodeThatTheGnuCompilerOfTheBuildAccepts() throws Exception {
    TestToolchain.get();
    file("Makefile", "all:\n\tgcc -ftree-vectorizer-verbose=0 -c twice.c\n\t-gcc -w -c wrong.c\n");
    file(
        "twice.c",
        """
        #include <cuda_runtime.h>
        int twice(int n) { int half(void) { return n; } cudaDeviceSynchronize(); return half() + half(); }
        """);
    file(
        "wrong.c",
        """
        #include <cuda_runtime.h>
        int wrong(int n) { int half(void) { return n; } return cudaNoSuchCall() + half(); }
        """);

    assertThat(check().err())
        .contains(
            "1 unit compiles; 1 fails with errors that findings explain; 0 have errors without a"
                + " finding");
  }

  @Test
  void theReportOfThePortIsThereBeforeTheCheck() throws Exception {
    TestToolchain.get();
    Path report = folder.resolve("report");
    file("Makefile", "all:\n\ttest -e %s\n\tgcc -c a.c\n".formatted(report.resolve("report.json")));
    file("a.c", "#include <cuda_runtime.h>\nint stop(void) { return cudaDeviceSynchronize(); }\n");

    CommandLines run =
        CommandLines.run(
            "port",
            folder.resolve("tree").toString(),
            "--out",
            folder.resolve("out").toString(),
            "--report",
            report.toString(),
            "--check");

    assertThat(run.err()).contains("1 unit compiles").doesNotContain("make failed");
  }

  @Test
  void errorsOfTheOriginalAreNotThoseOfThePort() throws Exception {
    TestToolchain.get();
    file("gpu.h", "#ifdef __CUDACC__\n#include <cuda_runtime.h>\n#endif\n");
    file("same.cpp", "#include \"gpu.h\"\nint width = OF_THE_USER;\n");
    file(
        "other.cpp",
        """
        #include "gpu.h"
        int width = OF_THE_USER;
        cudaError_t status = 1;
        """);

    // The CUDA header is found in neither, and its names are not those of the project.
    file("old.cpp", "#include <cuda_runtime.h>\nstd::none width;\ncudaError_t status;\n");
    file("kernel.cu", "__global__ void fill(int* p) { p[threadIdx.x] = none; }\n");
    file("unknown.cpp", "#include <cuda_runtime.h>\ncudaNoSuchType_t none;\n");

    assertThat(check().err())
        .contains("other.cpp:3:1: error: cannot initialize a variable of type 'hipError_t'")
        .contains("unknown.cpp:2:1: ")
        .contains(
            "1 fails with errors that findings explain; 1 has errors without a finding; 3 could not"
                + " be checked")
        .doesNotContainPattern("(?:same|old)\\.cpp:2:\\d|kernel\\.cu:1:\\d");
  }

  @Test
  void seesTheFilesBesideAFolderOfACheckout() throws Exception {
    TestToolchain.get();
    Path checkout = Files.createDirectories(folder.resolve("checkout"));
    Files.createDirectory(checkout.resolve(".git"));
    write(checkout, "flags.mk", "FLAGS = -I../../include -DBLOCK=64\n");
    write(checkout, "include/block.h", "#include <cuda_runtime.h>\n#define THREADS BLOCK\n");
    write(checkout, "lib/deep/width.h", "#include \"deep/lanes.h\"\n");
    write(checkout, "lib/deep/lanes.h", "__device__ inline int lanes() { return warpSize; }\n");
    write(checkout, "app/common.h", "cudaGraphConditionalHandle handle;\n");
    write(checkout, "app/stop.h", "#ifndef PRECISION\n#error \"no precision\"\n#endif\n");
    write(checkout, "app/wrong.h", "int wrong() { return none; }\n");
    write(checkout, "app/src/d.cu", "#include <cuda_runtime.h>\n#include \"../stop.h\"\n");
    write(checkout, "app/src/e.cu", "#include <cuda_runtime.h>\n#include \"../wrong.h\"\n");
    write(
        checkout,
        "app/src/Makefile",
        "include ../../flags.mk\nprog: a.cu\n\tnvcc $(FLAGS) -o $@ a.cu\n");
    write(
        checkout,
        "app/src/a.cu",
        """
        #include "block.h"
        __global__ void fill(int* p) { p[threadIdx.x] = THREADS; }
        int main() { cudaDeviceSynchronize(); }
        """);
    // The build of the checkout has -Ilib, which is not known here.
    write(
        checkout,
        "app/src/b.cu",
        """
        #include <deep/width.h>
        #include <cuda_runtime.h>
        __global__ void fill(int* p) { p[threadIdx.x] = lanes(); }
        """);
    write(
        checkout,
        "app/src/c.cu",
        """
        #include <cuda_runtime.h>
        #include "../common.h"
        """);
    List<Path> before = files(checkout);

    CommandLines r =
        CommandLines.run(
            "port",
            checkout.resolve("app/src").toString(),
            "--out",
            folder.resolve("out").toString(),
            "--check");

    assertThat(r.err())
        .contains("c.cu:2:1: error: ../common.h:1: ")
        .contains("e.cu:2:1: error: use of undeclared identifier 'none' (in ../wrong.h:1)")
        .doesNotContain("error: \"no precision")
        .contains(
            "not checked: d.cu: the source stops the compilation with #error \"no precision\"")
        .contains(
            "2 units compile; 1 fails with errors that findings explain; 1 has errors without a"
                + " finding; 1 could not be checked");
    assertThat(files(checkout)).isEqualTo(before);
    assertThat(files(folder.resolve("out")))
        .extracting(f -> f.getFileName().toString())
        .contains("a.cu")
        .doesNotContain("block.h", "width.h");
  }

  @Test
  void sourcesThatAProgramCompilesWhenItRunsAreNotChecked() throws Exception {
    TestToolchain.get();
    file(
        "Makefile",
        """
        main: main.cpp shift.h
        \tg++ -o $@ main.cpp -lnvrtc -lcuda
        shift.h: kernels/shift.cu
        \tod -An $< > /dev/null; echo 'int shift;' > $@
        more:
        \tnvcc -c kernels/wrong.cu
        """);
    file(
        "main.cpp",
        """
        #include <nvrtc.h>
        #include "shift.h"
        int main() {
          nvrtcProgram program;
          const char* file = "kernels/scale.cu";
          nvrtcCompileProgram(program, 0, nullptr);
        }
        """);
    file(
        "kernels/scale.cu",
        "extern \"C\" __global__ void scale(REAL* p) { p[threadIdx.x] *= __ldg(p); }\n");
    file("kernels/shift.cu", "__global__ void shift(int* p) { p[0] = p[OFFSET]; __syncwarp(); }\n");
    file(
        "kernels/wrong.cu",
        "#include <cuda_runtime.h>\n__device__ cudaError_t wrong() { return 1; }\n");

    assertThat(check().err())
        .contains("kernels/wrong.cu:2:")
        .contains("not checked: kernels/scale.cu: ", "hipRTC; main.cpp:5 names it")
        .contains("not checked: kernels/shift.cu: ", "see Makefile:3")
        .contains("1 has errors without a finding; 2 could not be checked")
        .contains("] checked kernels/scale.cu")
        .doesNotContain("FAILED");
  }

  /** A makefile whose first target only says which targets there are. */
  private void benchmarks() throws Exception {
    file(
        "Makefile",
        """
        default:
        \t@echo "To make a benchmark type: make <name> CLASS=<class>"
        CG:
        \t$(if $(CLASS),,$(error CLASS is not set))
        \tnvcc -DWIDTH_$(CLASS)=64 -c cg.cu
        """);
    file(
        "cg.cu",
        """
        #include <cuda_runtime.h>
        __global__ void cg(int* p) { p[threadIdx.x] = WIDTH_S; }
        __device__ cudaError_t wrong() { return 1; }
        """);
  }

  @Test
  void passesTargetsAndVariablesToMake() throws Exception {
    TestToolchain.get();
    benchmarks();

    CommandLines run = check("--make-arg", "CG", "--make-arg", "CLASS=S");

    assertThat(run.err())
        .contains("cg.cu:3:1: error: cannot initialize return object")
        .contains("0 could not be checked")
        .doesNotContain("WIDTH_S'");
    assertThat(run.code()).isEqualTo(1);
  }

  @Test
  void saysHowToGiveMakeATarget() throws Exception {
    TestToolchain.get();
    benchmarks();

    assertThat(check().err())
        .contains(
            "Makefile: make compiled nothing; pass targets and variables for make with --make-arg,"
                + " as in --make-arg TARGET --make-arg NAME=VALUE; it printed: To make a benchmark"
                + " type: make <name> CLASS=<class>");
    assertThat(check("--make-arg", "CG").err())
        .contains("CLASS is not set", "pass other targets and variables for make with --make-arg");
  }

  @Test
  void argumentsAreForTheBuildOfACheck() throws Exception {
    file("cg.cu", "#include <cuda_runtime.h>\ncudaError_t status;\n");

    CommandLines unchecked = CommandLines.run("port", ".", "--diff", "--make-arg", "CG");
    assertThat(unchecked.code()).isEqualTo(2);
    assertThat(unchecked.err()).contains("--make-arg and --configure-arg require --check");

    TestToolchain.get();
    CommandLines none = check("--configure-arg=-DX=ON");
    assertThat(none.code()).isEqualTo(2);
    assertThat(none.err()).contains("for the build of the tree, and it has none");
  }

  private static void write(Path root, String name, String text) throws Exception {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private static List<Path> files(Path root) throws Exception {
    try (Stream<Path> files = Files.walk(root)) {
      return files.sorted().toList();
    }
  }

  @Test
  void writesNothingThroughLinksOfTheTree() throws Exception {
    TestToolchain.get();
    Path precious = Files.writeString(folder.resolve("precious"), "outside");
    file("Makefile", "prog: a.cu\n\tnvcc -o $@ a.cu\n");
    file("a.cu", "#include <cuda_runtime.h>\nint main() { cudaDeviceSynchronize(); }\n");
    Files.createSymbolicLink(folder.resolve("tree/prog"), precious);

    CommandLines r =
        CommandLines.run("port", folder.resolve("tree").toString(), "--in-place", "--check");

    assertThat(r.err()).contains("1 unit compiles");
    assertThat(precious).hasContent("outside");
  }

  @Test
  void portsEvenIfItCannotCheck() throws Exception {
    TestToolchain.get();
    file("a.cu", "#include <cuda_runtime.h>\ncudaGraphConditionalHandle handle;\n");
    file("compile_commands.json", "[{");

    CommandLines r = check();

    assertThat(r.err())
        .contains("a.cu:2:1: error:")
        .contains("the files are ported, but --check could not check them:");
    assertThat(r.code()).isEqualTo(2);
    assertThat(folder.resolve("out/a.cu")).exists();
  }

  @Test
  void addressesOfSharedMemoryInPtxMayBePointers() throws Exception {
    TestToolchain.get();
    file(
        "a.cu",
        """
        #include <cuda_runtime.h>
        __device__ void set(int* p, int v) {
          asm volatile("st.shared.s32 [%0], %1;" : : "l"(p), "r"(v) : "memory");
        }
        __device__ int get(unsigned p) {
          int v;
          asm volatile("ld.shared.s32 %0, [%1];" : "=r"(v) : "r"(p) : "memory");
          return v;
        }
        """);

    assertThat(check().err()).contains("1 unit compiles");
  }

  /** A program that reports an error in line 2 of units with a macro, as nvcc would. */
  private Path nvcc() throws Exception {
    Path nvcc = folder.resolve("nvcc");
    Files.writeString(
        nvcc,
        """
        #!/bin/sh
        for a; do case $a in */tree/*.cu) source=$a;; esac; done
        case "$*" in
          *-DHALF*)
            printf '%s(2): error: first\n%s(9): error: last\n' "$source" "$source"; exit 2;;
          *-DLOST*) printf '%s:1:10: fatal error: x.h: No such file or directory\n' "$source"
            printf '%s(2): error: first\n' "$source"; exit 2;;
        esac
        """);
    assertThat(nvcc.toFile().setExecutable(true)).isTrue();
    return nvcc;
  }

  @Test
  void leavesOutErrorsThatNvccReportsForTheOriginal() throws Exception {
    TestToolchain.get();
    file(
        "Makefile",
        """
        all:
        \tnvcc -DHALF -c both.cu; nvcc -DHALF -c one.cu
        \tnvcc -DLOST -c lost.cu; nvcc -c port.cu
        """);
    String wrong = "#include <cuda_runtime.h>\n__device__ int a(int x) { return x.y; }\n";
    file("both.cu", wrong);
    file("one.cu", wrong + "__device__ int b(int x) { return x.z; }\n");
    file("lost.cu", wrong);
    file("port.cu", wrong);

    CommandLines r = check("--nvcc", nvcc().toString());

    assertThat(r.err())
        .contains("2 could not be checked", "2 have errors without a finding")
        .contains("not checked: both.cu: nvcc also rejects the original: both.cu:2: first")
        .contains("not checked: one.cu: nvcc also rejects the original: one.cu:2: first")
        .contains("one.cu:3:", "lost.cu:2:", "port.cu:2:")
        .doesNotContain("both.cu:2:34", "one.cu:2:3");
  }

  @Test
  void nvccIsForTheCheckOnly() {
    CommandLines r = CommandLines.run("port", folder.toString(), "--diff", "--nvcc", "/bin/sh");

    assertThat(r.code()).isEqualTo(2);
    assertThat(r.err()).contains("--nvcc requires --check");
  }

  @Test
  void endsWithThreeWithoutAToolchain() throws Exception {
    file("a.cu", "#include <cuda_runtime.h>\ncudaGraphConditionalHandle handle;\n");
    TestClasses.launcher(folder.resolve("rocport"));
    Exec.Outcome r =
        Exec.run(
            List.of(
                folder.resolve("rocport").toString(),
                "port",
                folder.resolve("tree").toString(),
                "--out",
                folder.resolve("out").toString(),
                "--check"),
            folder,
            Map.of(
                "ROCPORT_TOOLCHAIN", folder.resolve("none").toString(),
                "ROCPORT_PACKAGES", Files.createDirectory(folder.resolve("packages")).toString()),
            Duration.ofMinutes(2));

    assertThat(r.stderr())
        .contains("a.cu:2:1: error:")
        .contains("the files are ported, but --check could not check them:");
    assertThat(r.code()).isEqualTo(3);
    assertThat(folder.resolve("out/a.cu")).exists();
  }

  @Test
  void isForFoldersOnly() throws Exception {
    file("a.cu", "cudaError_t e;\n");
    String in = folder.resolve("tree/a.cu").toString();

    CommandLines r =
        CommandLines.run("port", in, "--out", folder.resolve("a.hip").toString(), "--check");

    assertThat(r.code()).isEqualTo(2);
    assertThat(r.err()).contains("--check requires a folder");
    assertThat(folder.resolve("a.hip")).doesNotExist();
  }

  @Test
  void isNotForPreviews() {
    CommandLines r = CommandLines.run("port", folder.toString(), "--diff", "--check");

    assertThat(r.code()).isEqualTo(2);
    assertThat(r.err()).contains("--check requires --out or --in-place");
  }
}
