package dev.rocport.build.project;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rocport.build.BuildResult;
import dev.rocport.build.Builder;
import dev.rocport.build.link.LinkResult;
import dev.rocport.build.plan.BuildOptions;
import dev.rocport.build.plan.PlanException;
import dev.rocport.build.run.BuildListener;
import dev.rocport.build.run.UnitResult;
import dev.rocport.build.unit.Artifact;
import dev.rocport.build.unit.CodeObject;
import dev.rocport.core.result.Finding;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.toolchain.TestToolchain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Projects with build files of their own, with the real compiler and make. */
@Tag("toolchain")
class ProjectBuildTest {
  private static final String KERNEL =
      """
      #include <hip/hip_runtime.h>
      #include "k.h"
      __global__ void kernel(float* p) { p[threadIdx.x] = VALUE; }
      void run(float* p) { kernel<<<1, 64>>>(p); }
      """;

  private static final String MAIN = "#include \"k.h\"\nint main() { run(nullptr); }\n";

  @TempDir private Path folder;
  private List<String> configureArguments = List.of();
  private Duration limit = Duration.ofMinutes(30);
  private Path root;

  @BeforeEach
  void root() throws IOException {
    root = Files.createDirectory(folder.toRealPath().resolve("tree"));
    file("include/k.h", "#define VALUE 1.0f\nvoid run(float*);\n");
    file("src/k.cu", KERNEL);
    file("src/main.cpp", MAIN);
  }

  private void file(String name, String text) throws IOException {
    Files.createDirectories(root.resolve(name).getParent());
    Files.writeString(root.resolve(name), text);
  }

  private BuildResult build(String... makeArguments) throws Exception {
    BuildOptions options =
        new BuildOptions(
            root,
            root.resolve("build-rocport"),
            List.of("gfx90a", "gfx942"),
            2,
            false,
            Optional.empty(),
            List.of(),
            List.of(),
            List.of(),
            false,
            false,
            List.of(makeArguments),
            configureArguments,
            limit,
            Optional.of(folder.resolve("cache")),
            Map.of(),
            false);
    return Builder.of(
            options,
            TestToolchain.get(),
            RuleCatalog.builtIn(),
            Optional.empty(),
            BuildListener.SILENT)
        .build();
  }

  private static void linksFor(BuildResult r, String program) {
    assertThat(r.allFindings()).isEmpty();
    LinkResult link = r.links().getLast();
    assertThat(link.name()).isEqualTo(program);
    assertThat(link.status()).isEqualTo(LinkResult.Status.LINKED);
    assertThat(link.code()).extracting(CodeObject::target).containsExactly("gfx90a", "gfx942");
    assertThat(link.code()).allMatch(c -> c.kernels().equals(List.of("_Z6kernelPf")));
  }

  /** As Bazel does it; with all objects in the cache, no list of dependencies names a source. */
  @Test
  void findsSourcesThatAreNamedByLinksInTheSecondBuild() throws Exception {
    file(
        "Makefile",
        """
        .PHONY: prog
        prog:
        	mkdir -p links
        	cd links && ln -sf ../src/k.cu ../src/main.cpp .
        	nvcc -O2 -Iinclude -o prog links/k.cu links/main.cpp
        """);

    linksFor(build(), "prog");
    linksFor(build(), "prog");
  }

  @Test
  void runsAMakefileInTheStyleOfManyProjects() throws Exception {
    file(
        "Makefile",
        """
        CUDA_PATH ?= /usr/local/cuda
        NVCC := $(CUDA_PATH)/bin/nvcc -ccbin $(CXX)
        HOSTCC = /usr/bin/g++
        BUILD = build
        SRCS := $(wildcard src/*.cu) $(wildcard src/*.cpp)
        OBJS := $(patsubst src/%,$(BUILD)/%.o,$(SRCS))
        NVCCFLAGS = -O2 -gencode arch=compute_70,code=sm_70 -Xcompiler -Wall,-fPIC -lineinfo
        VERSION := $(shell nvcc --version | sed -n 's/.*release \\([0-9]*\\).*/\\1/p')
        ifeq ($(VERSION),)
        $(error no CUDA)
        endif

        all: $(BUILD)/prog

        $(BUILD)/prog: $(OBJS)
        	$(NVCC) $(NVCCFLAGS) -o $@ $^ -L$(CUDA_PATH)/lib64 -lcudart

        $(BUILD)/%.cu.o: src/%.cu | $(BUILD)
        	$(NVCC) $(NVCCFLAGS) -Iinclude -I$(CUDA_PATH)/include -MMD -MP -c -o $@ $<

        $(BUILD)/%.cpp.o: src/%.cpp | $(BUILD)
        	$(HOSTCC) -O2 -Iinclude -MMD -MF $(@:.o=.d) -c $< -o $@

        $(BUILD):
        	mkdir -p $@

        -include $(OBJS:.o=.d)
        .PHONY: all
        """);

    BuildResult r = build();

    linksFor(r, "build/prog");
    assertThat(r.units()).extracting(UnitResult::path).containsExactly("src/k.cu", "src/main.cpp");
    Path dep = root.resolve("build-rocport/tree/build/k.cu.d");
    assertThat(Files.readString(dep))
        .isEqualTo("build/k.cu.o: \\\n  src/k.cu \\\n  include/k.h\ninclude/k.h:\n");
    assertThat(root.resolve("build")).doesNotExist();
    assertThat(build().units())
        .extracting(UnitResult::status)
        .containsOnly(UnitResult.Status.CACHED);
  }

  @Test
  void buildsWithOneJobWhatLacksPrerequisites() throws Exception {
    file(
        "Makefile",
        """
        all: values.h prog
        values.h:
        	sleep 1
        	touch $@
        prog:
        	test -e values.h
        	hipcc -c -Iinclude -o k.o src/k.cu
        	touch $@
        """);

    BuildResult r = build();

    assertThat(r.allFindings()).isEmpty();
  }

  @Test
  void writesOutputsOtherThanObjects() throws Exception {
    file("src/host.cpp", "#include \"k.h\"\nint host() { return 1; }\n");
    file(
        "Makefile",
        """
        all: host.s host.i
        	gcc -fsyntax-only -Iinclude src/host.cpp
        	g++ -MM -MF host.d -MT host -Iinclude src/host.cpp
        	hipcc -c -Iinclude -o k.o src/k.cu
        host.s: src/host.cpp
        	g++ $< -Iinclude -O2 -S -masm=intel -MMD -MP -o $@
        host.i: src/host.cpp
        	g++ -E -Iinclude $< -o $@
        """);

    BuildResult r = build();

    assertThat(r.allFindings()).isEmpty();
    Path made = root.resolve("build-rocport/tree");
    assertThat(Files.readString(made.resolve("host.s"))).contains("mov").contains("host");
    assertThat(Files.readString(made.resolve("host.i"))).contains("int host()");
    assertThat(Files.readString(made.resolve("host.d"))).startsWith("host: src/host.cpp");
  }

  @Test
  void writesIntoDevicesInsteadOfReplacingThem() throws Exception {
    // A link, since root can replace /dev/null itself.
    Path device = Files.createSymbolicLink(folder.resolve("device"), Path.of("/dev/null"));
    file(
        "Makefile",
        """
        GOOD := $(shell $(CXX) -c -x c++ /dev/null -o %1$s && echo -DGOOD)
        all:
        \tnvcc $(GOOD) -Iinclude -c src/k.cu -o k.o
        \tnvcc -Iinclude -c src/k.cu -o %1$s
        \tg++ -Iinclude -c src/main.cpp -o main.o
        \tnvcc k.o main.o -o %1$s
        \tnvcc k.o main.o -o prog
        """
            .formatted(device));
    BuildResult r = build("CXX=g++");

    linksFor(r, "prog");
    assertThat(r.links()).hasSize(1);
    assertThat(device).isSymbolicLink();
    assertThat(Files.isRegularFile(Path.of("/dev/null"))).isFalse();
  }

  /** Objects of such a unit come from the GNU compiler, too. */
  @Test
  void writesAssemblyOfWhatOnlyTheGnuCompilerAccepts() throws Exception {
    file(
        "src/host.cpp",
        """
        #include <limits>
        double top() { return std::numeric_limits<double>::infinity(); }
        """);
    file(
        "Makefile",
        """
        all: host.s
        	hipcc -c -Iinclude -o k.o src/k.cu
        host.s: src/host.cpp
        	g++ $< -O2 -Wall -Werror -ffast-math -S -o $@
        """);

    assertThat(build().allFindings()).isEmpty();
    Path made = root.resolve("build-rocport/tree/host.s");
    assertThat(Files.readString(made)).contains("top");
  }

  /** With MPI in a folder that this machine does not have. */
  @Test
  void buildsSeparateCompilationThroughMake() throws Exception {
    file("src/k.cu", KERNEL + "__device__ float other() { return 1; }\n");
    file("src/main.cpp", "#include <mpi.h>\n" + MAIN + "int end() { return MPI_Finalize(); }\n");
    file(
        "Makefile",
        """
        MPI_HOME ?= /opt/openmpi-of-another-machine
        prog: k.o main.o dlink.o
        	g++ -o $@ k.o main.o dlink.o -lcudart -lcudadevrt -L$(MPI_HOME)/lib -lmpi
        dlink.o: k.o
        	nvcc -arch=sm_70 -dlink -o $@ k.o
        k.o: src/k.cu
        	nvcc -arch=sm_70 -rdc=true -Iinclude -c $< -o $@
        main.o: src/main.cpp
        	g++ -Iinclude -I$(MPI_HOME)/include -c $< -o $@
        """);

    linksFor(build("prog"), "prog");
  }

  @Test
  void reportsFlagsThatNobodyKnows() throws Exception {
    file("Makefile", "prog:\n\tnvcc --frobnicate -Iinclude -o prog src/k.cu src/main.cpp\n");

    assertThat(build().allFindings())
        .singleElement()
        .matches(f -> f.rule().equals("BUILD-PROJECT") && f.message().contains("--frobnicate"));
  }

  @Test
  void reportsErrorsOfUnitsThatMakeCompiles() throws Exception {
    file("src/k.cu", KERNEL + "int x = nowhere;\n");
    file("Makefile", "prog:\n\tcd src && nvcc -I../include -o ../prog k.cu main.cpp\n");

    BuildResult r = build();

    Finding f = r.allFindings().getFirst();
    assertThat(f.path()).isEqualTo("src/k.cu");
    assertThat(f.line()).isEqualTo(5);
  }

  @Test
  void reportsAMakefileThatFailsForItsOwnReasons() throws Exception {
    file("Makefile", "prog:\n\tno-such-program\n");

    BuildResult r = build();
    assertThat(r.allFindings())
        .singleElement()
        .matches(f -> f.rule().equals("BUILD-PROJECT") && f.message().contains("no-such-program"));
    assertThat(r.notes()).anyMatch(n -> n.contains("no command of this build compiles src/k.cu"));
  }

  @Test
  void reportsABuildWithoutHipSources() throws Exception {
    file("src/host.cpp", "int host() { return 1; }\n");
    file("Makefile", "host.o:\n\tg++ -c -o null.o /dev/null\n\tg++ -c -o host.o src/host.cpp\n");

    BuildResult r = build();

    assertThat(r.units()).extracting(UnitResult::path).containsExactly("src/host.cpp");
    assertThat(r.allFindings())
        .singleElement()
        .matches(
            f ->
                f.rule().equals("BUILD-PROJECT")
                    && f.message().startsWith("make compiles none of the HIP sources: src/k.cu;"));
  }

  @Test
  void namesFoldersWithBuildsOfTheirOwn() throws Exception {
    file("src/Makefile", "prog:\n\tnvcc -I../include -o prog k.cu main.cpp\n");

    BuildResult r = build();

    assertThat(r.source()).isEqualTo("plain");
    assertThat(r.notes()).anyMatch(n -> n.contains("of their own") && n.contains("src (make)"));
  }

  @Test
  void buildsACMakeProjectWithLibraries() throws Exception {
    file(
        "CMakeLists.txt",
        """
        cmake_minimum_required(VERSION 3.18)
        project(demo LANGUAGES CXX HIP)
        set(CMAKE_HIP_STANDARD 17)
        find_package(hip REQUIRED)
        find_package(hiprand REQUIRED)
        add_library(k SHARED src/k.cu)
        set_source_files_properties(src/k.cu PROPERTIES LANGUAGE HIP)
        target_include_directories(k PUBLIC include)
        add_executable(demo src/main.cpp)
        target_link_libraries(demo PRIVATE k hip::host hip::hiprand)
        """);

    BuildResult r = build();

    assertThat(r.allFindings()).isEmpty();
    assertThat(r.links())
        .extracting(LinkResult::name)
        .containsExactly("build/libk.so", "build/demo");
    assertThat(r.links().getLast().libraries()).contains("hiprand");
    assertThat(r.links().getFirst().kind()).isEqualTo(Artifact.Kind.SHARED);
    assertThat(r.links().getFirst().code()).hasSize(2);
  }

  @Test
  void linksStaticLibrariesWithSeparateCompilation() throws Exception {
    file(
        "CMakeLists.txt",
        """
        cmake_minimum_required(VERSION 3.21)
        project(demo LANGUAGES CXX HIP)
        add_library(k STATIC src/k.cu)
        set_source_files_properties(src/k.cu PROPERTIES LANGUAGE HIP)
        target_compile_options(k PRIVATE $<$<COMPILE_LANGUAGE:HIP>:-fgpu-rdc>)
        target_link_options(k PUBLIC $<$<LINK_LANGUAGE:HIP>:-fgpu-rdc>)
        target_include_directories(k PUBLIC include)
        add_executable(demo src/main.cpp)
        target_link_libraries(demo k)
        """);

    linksFor(build(), "build/demo");
  }

  @Test
  void tellsWhatCMakeSaidWhereItSaidIt() throws Exception {
    file(
        "CMakeLists.txt",
        """
        cmake_minimum_required(VERSION 3.21)
        project(demo LANGUAGES CXX)
        find_package(NoSuchThing REQUIRED)
        """);

    assertThat(build().allFindings())
        .singleElement()
        .satisfies(
            f ->
                assertThat(f.message())
                    .contains("CMakeLists.txt:3: find_package(): By not providing"));
  }

  @Test
  void listsThatAskForCudaAreToBePortedFirst() throws Exception {
    file("CMakeLists.txt", "cmake_minimum_required(VERSION 3.21)\nproject(demo CUDA)\n");

    assertThat(build().allFindings())
        .singleElement()
        .satisfies(f -> assertThat(f.message()).contains("port the tree with rocport port"))
        .satisfies(f -> assertThat(f.path()).isEqualTo("CMakeLists.txt"));
  }

  @Test
  void aProjectWithItsOwnBranchForHipNamesTheOption() throws Exception {
    file(
        "CMakeLists.txt",
        """
        cmake_minimum_required(VERSION 3.21)
        set(BACKEND "CUDA" CACHE STRING "CUDA or HIP")
        if(BACKEND STREQUAL "CUDA")
          project(demo LANGUAGES CUDA)
        elseif(BACKEND STREQUAL "HIP")
          project(demo LANGUAGES HIP)
        endif()
        """);

    assertThat(build().allFindings())
        .singleElement()
        .satisfies(
            f ->
                assertThat(f.message())
                    .contains("chose its branch for CUDA")
                    .endsWith("rocport build --configure-arg=-DBACKEND=HIP"));
  }

  @Test
  void reportsErrorsOfUnitsThatCMakeCompiles() throws Exception {
    file("src/k.hip", KERNEL + "int x = nowhere;\n");
    file(
        "CMakeLists.txt",
        """
        cmake_minimum_required(VERSION 3.21)
        project(demo LANGUAGES HIP)
        add_library(k STATIC src/k.hip)
        target_include_directories(k PUBLIC include)
        """);

    Finding f = build().allFindings().getFirst();
    assertThat(f.path()).isEqualTo("src/k.hip");
    assertThat(f.line()).isEqualTo(5);
  }

  @Test
  void movesTheCommandsOfAnotherTree() throws Exception {
    file(
        "compile_commands.json",
        """
        [
          {"directory": "/away/proj/out", "file": "../src/k.cu",
           "command": "nvcc -I/away/proj/include -arch=sm_70 -c ../src/k.cu -o k.o"},
          {"directory": "/away/proj/out", "file": "/away/proj/src/main.cpp",
           "arguments": ["g++", "-I../include", "-c", "/away/proj/src/main.cpp"]}
        ]
        """);

    linksFor(build(), "main");
  }

  @Test
  void aFolderThatIsNoBuildIsNotWrittenInto() throws IOException {
    file("build-rocport/tree/mine.txt", "mine\n");
    file("Makefile", "all:\n\ttrue\n");
    assertThatThrownBy(this::build)
        .isInstanceOf(PlanException.class)
        .hasMessageContaining("contains files that rocport build did not write");
    assertThat(root.resolve("build-rocport/tree/mine.txt")).hasContent("mine\n");
  }

  @Test
  void noLinkThatCameWithTheTreeLeadsOutOfTheBuild() throws IOException {
    Path outside = Files.createDirectory(folder.resolve("outside"));
    Path victim = Files.writeString(outside.resolve("victim"), "mine\n");
    file("Makefile", "all:\n\techo hello\n");
    Path out = root.resolve("build-rocport");
    Files.createSymbolicLink(out, outside);
    assertThatThrownBy(this::build).hasMessageContaining("is a symbolic link");
    Files.delete(out);
    file("build-rocport/.rocport-build", "1\n");
    Files.createSymbolicLink(out.resolve("make.log"), victim);
    assertThatThrownBy(this::build).hasMessageContaining("is a symbolic link");
    assertThat(victim).hasContent("mine\n");
    assertThat(outside).isDirectoryContaining("glob:**victim");
  }

  @Test
  void aMakefileWithoutEndIsStopped() throws Exception {
    file("Makefile", "all:\n\twhile :; do echo endless; done\n");
    limit = Duration.ofSeconds(2);
    BuildResult r = build();
    assertThat(r.allFindings())
        .singleElement()
        .satisfies(f -> assertThat(f.message()).contains("called no compiler for 2 seconds"));
  }

  @Test
  void aCompilationDatabaseCannotMakeTheCompilerWriteElsewhere() throws Exception {
    Path victim = folder.resolve("victim");
    String entry =
        """
        {"directory": "%s", "file": "src/main.cpp", "arguments": ["g++", "-Iinclude", "-c",
          "-MD", "-MF", "%s.d", "-ftime-trace=%s.t", "-MJ", "%s.j", "-fplugin=evil.so",
          "-o", "%s.o", "src/main.cpp"]}
        """
            .formatted(root, victim, victim, victim, victim);
    file("compile_commands.json", "[" + entry + "]");
    file("src/main.cpp", "#include \"k.h\"\nint main() { return VALUE; }\n");
    BuildResult r = build();
    assertThat(r.units()).extracting(UnitResult::path).containsExactly("src/main.cpp");
    assertThat(r.allFindings()).isEmpty();
    assertThat(String.join("\n", r.notes()))
        .contains("-ftime-trace=")
        .contains("-fplugin=evil.so is left out");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.map(f -> f.getFileName().toString())).noneMatch(n -> n.startsWith("victim"));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[{\"directory\": \"a\\u0000b\", \"file\": \"x.cpp\", \"command\": \"g++ x.cpp\"}]",
        "[{\"directory\": \"/\", \"file\": {}, \"command\": \"g++ x.cpp\"}]",
        "[{\"directory\": \"/\", \"file\": \"x.cpp\", \"arguments\": [[]]}]",
        "[{}]",
        "{}",
        "[",
      })
  void aDamagedCompilationDatabaseIsRefused(String text) throws IOException {
    file("compile_commands.json", text);
    assertThatThrownBy(this::build).isInstanceOf(PlanException.class);
  }

  @Test
  void aNameLikeAFlagIsAName() throws Exception {
    for (String name : List.of("-fplugin=evil.cpp", "@flags.cpp", "-o.cpp", "a b'c\"d;e.cpp")) {
      file(name, "int main() { return 0; }\n");
    }
    Files.delete(root.resolve("src/k.cu"));
    Files.delete(root.resolve("src/main.cpp"));
    BuildResult r = build();
    assertThat(r.allFindings()).isEmpty();
    assertThat(r.units()).hasSize(4).allMatch(UnitResult::ok);
  }
}
