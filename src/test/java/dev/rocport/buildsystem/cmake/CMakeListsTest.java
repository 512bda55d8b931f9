package dev.rocport.buildsystem.cmake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.buildsystem.TestFiles;
import dev.rocport.buildsystem.shared.BuildPort;
import dev.rocport.core.result.Finding;
import dev.rocport.core.source.SourceFile;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What no example of one file shows; the examples are in {@code rules/cmake}. */
class CMakeListsTest {
  private final SortedMap<String, SourceFile> tree = new TreeMap<>();

  private void file(String path, String text) {
    tree.put(path, SourceFile.of(path, text));
  }

  private BuildPort port(PortOptions options) {
    return CMakeLists.SYSTEM.port(RuleCatalog.builtIn(), options, new TestFiles(tree));
  }

  private static PortOptions single() {
    PortOptions usual = PortOptions.DEFAULT;
    return new PortOptions(
        usual.launch(),
        usual.libs(),
        PortOptions.Style.SINGLE_SOURCE,
        usual.warp(),
        usual.renameSources(),
        usual.hip(),
        usual.filter());
  }

  private static String text(Changes c) {
    return new String(c.edits().apply(c.file().bytes()), StandardCharsets.UTF_8);
  }

  private String ported(String path) {
    Changes c = port(PortOptions.DEFAULT).changes().get(path);
    return c == null ? "the same" : text(c);
  }

  @Test
  void aLibraryWithoutAPackageNeedsNone() {
    file(
        "CMakeLists.txt",
        """
        project(p CUDA)
        find_package(CUDAToolkit REQUIRED)
        set(CMAKE_CUDA_USE_RESPONSE_FILE_FOR_LIBRARIES OFF)
        target_link_libraries(a cudadevrt CUDA::nvjpeg)
        """);

    assertThat(ported("CMakeLists.txt"))
        .isEqualTo(
            """
            project(p CXX HIP)
            find_package(hip REQUIRED)
            set(CMAKE_HIP_USE_RESPONSE_FILE_FOR_LIBRARIES OFF)
            target_link_libraries(a $<TARGET_NAME_IF_EXISTS:CUDA::nvjpeg>)
            """);
  }

  @Test
  void theTreesListsFindWhatTheListsBelowLink() {
    file("CMakeLists.txt", "project(p CUDA)\nfind_package(CUDAToolkit)\nadd_subdirectory(a)\n");
    file("a/CMakeLists.txt", "target_link_libraries(a CUDA::cusparse)\n");
    file("other/CMakeLists.txt", "target_link_libraries(b CUDA::nvrtc)\n");

    assertThat(ported("CMakeLists.txt"))
        .isEqualTo(
            "project(p CXX HIP)\nfind_package(hip)\nfind_package(hiprtc)\nfind_package(hipsparse)\n"
                + "add_subdirectory(a)\n");
  }

  @Test
  void variablesThatHoldNvccsFlagsAreFollowedThroughFiles() {
    file("CMakeLists.txt", "include(flags.cmake)\nset(CMAKE_CUDA_FLAGS \"${ALL} -w\")\n");
    file("flags.cmake", "set(SOME \"-Xcompiler -Wall\")\nset(ALL \"${SOME} -lineinfo\")\n");

    assertThat(ported("flags.cmake"))
        .isEqualTo("set(SOME \"-Wall\")\nset(ALL \"${SOME} -gline-tables-only\")\n");
  }

  @Test
  void aFlagWithAQuoteInItIsReportedAndStays() {
    String flag = "-Xcompiler=\"-Wall -Wextra\"";
    file(
        "CMakeLists.txt",
        """
        project(p CXX CUDA)
        add_executable(a a.cu)
        target_compile_options(a PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:%s>)
        """
            .formatted(flag));

    assertThat(ported("CMakeLists.txt")).contains(flag);
    assertThat(port(PortOptions.DEFAULT).changes().get("CMakeLists.txt").findings())
        .anyMatch(f -> f.line() == 3 && f.message().contains("quote"));
  }

  @Test
  void aQuotedArgumentOfACommandBecomesSeveral() {
    file(
        "CMakeLists.txt",
        """
        project(p CXX CUDA)
        add_custom_command(OUTPUT k.fatbin
          COMMAND ${CMAKE_CUDA_COMPILER} "-use_fast_math" "-arch=sm_70" "-O3" "-Xptxas" "-v"
            -fatbin -o k.fatbin k.cu "-Xcompiler=-Wall,-Wextra" "-lineinfo -O3" "--maxrregcount=8")
        """);
    Changes c = port(PortOptions.DEFAULT).changes().get("CMakeLists.txt");

    assertThat(text(c))
        .endsWith(
            """
             "-fgpu-flush-denormals-to-zero" "-fno-hip-fp32-correctly-rounded-divide-sqrt"\
             "-fgpu-approx-transcendentals" "-O3"
                --cuda-device-only -o k.fatbin k.cu "-Wall" "-Wextra" "-lineinfo -O3")
            """);
    assertThat(c.findings())
        .anyMatch(f -> f.line() == 4 && f.message().contains("part of a quoted argument"));
  }

  @Test
  void flagsOfCallsThatStayWithNvccStay() {
    file(
        "CMakeLists.txt",
        """
        project(p CXX CUDA)
        set(MY_NVCC_FLAGS -arch=sm_70 --use_fast_math)
        add_custom_command(OUTPUT k.o COMMAND nvcc ${MY_NVCC_FLAGS} -c k.cu -o k.o)
        """);
    Changes c = port(PortOptions.DEFAULT).changes().get("CMakeLists.txt");

    assertThat(text(c)).contains("set(MY_NVCC_FLAGS -arch=sm_70 --use_fast_math)");
    assertThat(c.findings()).anyMatch(f -> f.line() == 3 && f.message().contains("calls nvcc"));
  }

  @Test
  void aVariableThatIsListAndStringKeepsFlagsThatBecomeSeveral() {
    file(
        "CMakeLists.txt",
        """
        project(p CXX CUDA)
        set(X -use_fast_math)
        set(Y -lineinfo)
        set(Z -use_fast_math)
        add_custom_command(OUTPUT k.fatbin COMMAND nvcc ${X} ${Y} -fatbin k.cu -o k.fatbin)
        set(CMAKE_CUDA_FLAGS "${CMAKE_CUDA_FLAGS} ${X} ${Y} ${Z}")
        """);
    Changes c = port(PortOptions.DEFAULT).changes().get("CMakeLists.txt");

    assertThat(text(c))
        .contains(
            """
            set(X -use_fast_math)
            set(Y -gline-tables-only)
            set(Z "-fgpu-flush-denormals-to-zero -fno-hip-fp32-correctly-rounded-divide-sqrt\
             -fgpu-approx-transcendentals")
            """);
    assertThat(c.findings())
        .anyMatch(f -> f.line() == 2 && f.message().contains("where only one fits"))
        .noneMatch(f -> f.line() == 3);
  }

  @Test
  void aStandardThatIsTooOldIsRaisedInOptionsOfProjectsWithCuda() {
    String options = "add_compile_options(-std=c++11 --param=a)\n";
    file("a/CMakeLists.txt", "project(p CXX CUDA)\n" + options);
    file("b/CMakeLists.txt", "project(p CXX)\n" + options);

    assertThat(ported("a/CMakeLists.txt")).contains("add_compile_options(-std=c++14 --param=a)\n");
    assertThat(ported("b/CMakeLists.txt")).isEqualTo("the same");
  }

  @Test
  void gnusOpenMpIsReportedWhereHipSourcesUseClangs() {
    file(
        "CMakeLists.txt",
        """
        project(p CXX CUDA)
        add_executable(a a.cu)
        target_link_libraries(a PRIVATE m gomp)
        """);
    assertThat(openMp()).isEmpty();

    file("a/CMakeLists.txt", "set(CMAKE_CUDA_FLAGS \"-Xcompiler -fopenmp -lgomp -w\")\n");
    assertThat(openMp()).containsExactly("3 gomp is the GNU OpenMP runtime");
    assertThat(ported("a/CMakeLists.txt")).isEqualTo("set(CMAKE_HIP_FLAGS \"-fopenmp -w\")\n");
  }

  private List<String> openMp() {
    Changes c = port(PortOptions.DEFAULT).changes().get("CMakeLists.txt");
    return c.findings().stream()
        .filter(f -> f.message().contains("OpenMP"))
        .map(f -> f.line() + " " + f.message().split(",")[0])
        .toList();
  }

  @Test
  void projectsForNvidiasGpusAreToldInEveryWayToNameThem() {
    file(
        "CMakeLists.txt",
        """
        project(p CXX CUDA)
        CPMAddPackage("gh:NVIDIA/cccl@2.2.0")
        CPMAddPackage(NAME rmm GITHUB_REPOSITORY rapidsai/rmm VERSION 24.02)
        FetchContent_Declare(c GIT_REPOSITORY https://github.com/NVIDIA/cutlass.git GIT_TAG v3.5)
        FetchContent_Declare(g GIT_REPOSITORY https://github.com/google/googletest.git)
        execute_process(COMMAND nvidia-smi -L OUTPUT_VARIABLE gpus)
        tribits_add_library(foo SOURCES a.cpp b.cu)
        """);
    Changes c = port(PortOptions.DEFAULT).changes().get("CMakeLists.txt");
    assertThat(c.findings().stream().map(f -> f.line() + " " + f.message().split(" ")[0]))
        .containsExactly("2 cccl", "3 rmm", "4 cutlass", "6 nvidia-smi", "7 tribits_add_library()");
  }

  @Test
  void anArgumentOfAFunctionStaysOne() {
    file(
        "CMakeLists.txt",
        """
        project(p CXX CUDA)
        macro(add_flag flag)
          set(CMAKE_CUDA_FLAGS "${CMAKE_CUDA_FLAGS} ${flag}")
        endmacro()
        add_flag(-lineinfo)
        add_flag(-Xptxas=-v)
        add_flag("-w -Xptxas=-v")
        add_flag(--use_fast_math)
        """);
    Changes c = port(PortOptions.DEFAULT).changes().get("CMakeLists.txt");
    assertThat(text(c))
        .endsWith(
            """
            add_flag(-gline-tables-only)
            add_flag("")
            add_flag("-w")
            add_flag(--use_fast_math)
            """);
    assertThat(c.findings())
        .filteredOn(f -> f.rule().equals(ListPort.UNKNOWN))
        .singleElement()
        .satisfies(f -> assertThat(f.line()).isEqualTo(8));
  }

  @Test
  void aTreeWithoutCudaStaysAsItIs() {
    file(
        "CMakeLists.txt",
        """
        cmake_minimum_required(VERSION 3.10)
        project(p CXX)
        option(WITH_CUDA "not yet" OFF)
        set(CUDA_SOURCES a.cu)
        add_library(p ${CUDA_SOURCES})
        """);
    assertThat(ported("CMakeLists.txt")).isEqualTo("the same");
  }

  @Test
  void theProjectsOwnCommandsAndTargetsAreItsOwn() {
    file(
        "CMakeLists.txt",
        """
        project(p CXX CUDA)
        function(cuda_compile_ptx)
        endfunction()
        add_library(cufft INTERFACE)
        cuda_compile_ptx(a)
        target_link_libraries(p cufft)
        """);
    Changes c = port(PortOptions.DEFAULT).changes().get("CMakeLists.txt");
    assertThat(c.findings()).isEmpty();
    assertThat(text(c)).contains("target_link_libraries(p cufft)", "cuda_compile_ptx(a)");
  }

  @Test
  void everyUnportableThingIsAnErrorAtItsLine() {
    file(
        "CMakeLists.txt",
        """
        project(p CXX CUDA)
        find_package(CUDNN)
        cuda_wrap_srcs(p PTX files a.cu)
        target_link_libraries(p CUDA::nppif)
        set_property(TARGET p PROPERTY CUDA_PTX_COMPILATION ON)
        set(CMAKE_CUDA_FLAGS "--no-such-flag")
        include_directories(/usr/local/cuda/include)
        add_custom_command(OUTPUT a COMMAND ${CMAKE_CUDA_COMPILER} -ptx)
        ExternalProject_Add(x CMAKE_ARGS -DCMAKE_CUDA_ARCHITECTURES=80)
        message("${CMAKE_CUDA_NO_SUCH_THING}")
        """);
    assertThat(port(PortOptions.DEFAULT).changes().get("CMakeLists.txt").findings())
        .filteredOn(f -> f.rule().equals("CMAKE-UNKNOWN"))
        .extracting(Finding::line)
        .containsExactly(2, 3, 4, 5, 6, 7, 8, 9, 10);
  }

  @Test
  void whatAnotherProjectIsToldOfCudaIsReportedUnlessItsListsArePorted() {
    file(
        "CMakeLists.txt",
        """
        project(p NONE)
        set(args -DCMAKE_CUDA_ARCHITECTURES:STRING=80)
        ExternalProject_Add(x GIT_REPOSITORY a.example:x CMAKE_ARGS ${args} -DCMAKE_CUDA_COMPILER=nvcc)
        execute_process(COMMAND ${CMAKE_COMMAND} -S a -B b -DCMAKE_CUDA_FLAGS=-G)
        """);
    file("a/CMakeLists.txt", "project(a CUDA)\n");
    Changes c = port(PortOptions.DEFAULT).changes().get("CMakeLists.txt");
    assertThat(c.findings())
        .filteredOn(f -> f.rule().equals("CMAKE-UNKNOWN"))
        .extracting(Finding::line)
        .containsExactly(2, 3, 4);
    assertThat(text(c))
        .contains("ARCHITECTURES:STRING=80", "COMPILER=nvcc", "-DCMAKE_CUDA_FLAGS=-G");
  }

  @Test
  void aTwinAsksOtherProjectsForTheirTwins() {
    file(
        "CMakeLists.txt",
        """
        project(p NONE)
        ExternalProject_Add(a SOURCE_DIR ${CMAKE_CURRENT_SOURCE_DIR}/a CMAKE_ARGS -DCMAKE_CUDA_STANDARD=17)
        """);
    file("a/CMakeLists.txt", "project(a CUDA)\n");
    assertThat(port(single()).added().get("CMakeLists.rocm.cmake").content())
        .contains("CMAKE_ARGS -DUSE_ROCM=ON -DCMAKE_HIP_STANDARD=17)");
  }

  @Test
  void aBrokenFileIsReported() {
    file("CMakeLists.txt", "project(p CUDA\n");
    assertThat(port(PortOptions.DEFAULT).changes().get("CMakeLists.txt").findings())
        .singleElement()
        .satisfies(f -> assertThat(f.message()).contains("unclosed command"));
  }

  @Test
  void membersOfPresetsGoWithTheirCommas() {
    file(
        "CMakePresets.json",
        "{\"a\": 1, \"CMAKE_CUDA_ARCHITECTURES\": \"80\", \"CMAKE_CUDA_COMPILER\": \"nvcc\"}");
    assertThat(ported("CMakePresets.json")).isEqualTo("{\"a\": 1}");
    file("CMakePresets.json", "{\"CMAKE_CUDA_ARCHITECTURES\": \"80\", \"a\": 1}");
    assertThat(ported("CMakePresets.json")).isEqualTo("{ \"a\": 1}");
  }

  @Test
  void presetsThatAreNoJsonStay() {
    String text = "{\"a\": {\"CMAKE_CUDA_FLAGS\": \"-G\n \"CMAKE_CUDA_ARCHITECTURES\": \"80\"}}";
    file("CMakePresets.json", text);
    assertThat(ported("CMakePresets.json")).isEqualTo("the same");
    file("CMakePresets.json", "// c\n{\"CMAKE_CUDA_ARCHITECTURES\": \"80\", \"a\": [1,],}");
    assertThat(ported("CMakePresets.json")).isEqualTo("// c\n{ \"a\": [1,],}");
  }

  @Test
  void inOneTreeForBothListsAndTemplatesHaveTwins() {
    String list = "project(p CXX CUDA)\nconfigure_file(p.cmake.in p.cmake)\nadd_library(p a.cu)\n";
    file("CMakeLists.txt", list);
    file("p.cmake.in", "@INIT@\nfind_dependency(CUDAToolkit)\n");
    BuildPort port = port(single());

    SourceFile gated = SourceFile.of("CMakeLists.txt", text(port.changes().get("CMakeLists.txt")));
    assertThat(new String(CMakeGate.GATE.strip(gated), StandardCharsets.UTF_8)).isEqualTo(list);
    assertThat(CMakeGate.GATE.leak(gated)).isEmpty();
    assertThat(port.added().keySet()).containsExactly("CMakeLists.rocm.cmake", "p.rocm.cmake.in");
    assertThat(port.added().get("CMakeLists.rocm.cmake").content())
        .isEqualTo(
            "project(p CXX HIP)\nconfigure_file(p.rocm.cmake.in p.cmake)\nadd_library(p a.cu)\n"
                + "set_source_files_properties(a.cu PROPERTIES LANGUAGE HIP)\n");
    assertThat(port.added().get("p.rocm.cmake.in").content())
        .isEqualTo("@INIT@\nfind_dependency(hip)\n");
    assertThat(port.changes()).containsOnlyKeys("CMakeLists.txt");
  }

  @Test
  void whatElseStandsInAGateIsTold() {
    SourceFile file =
        SourceFile.of(
            "CMakeLists.txt", "# rocport: begin rocm\nset(A 1)\n# rocport: end rocm\nproject(p)\n");
    assertThat(CMakeGate.GATE.leak(file))
        .contains("the gate that ends on line 3 was not written by rocport");
  }

  @Test
  void functionOfSharedFile() {
    for (String name : List.of("one", "two")) {
      file(
          "samples/" + name + "/CMakeLists.txt",
          "cmake_minimum_required(VERSION 3.21)\nproject("
              + name
              + " LANGUAGES CXX CUDA)\n"
              + "include(../../cmake/sample.cmake)\nsample("
              + name
              + " main.cu)\n");
    }
    file(
        "cmake/sample.cmake",
        """
        function(sample NAME SOURCES)
          add_executable(${NAME} ${SOURCES})
          target_link_libraries(${NAME} PRIVATE cublas cusolverMg)
        endfunction()
        """);
    file("other/unrelated.cmake", "add_executable(x x.cu)\n");

    assertThat(ported("cmake/sample.cmake"))
        .isEqualTo(
            """
            function(sample NAME SOURCES)
              add_executable(${NAME} ${SOURCES})
              set(hip_sources ${SOURCES})
              list(FILTER hip_sources INCLUDE REGEX "\\\\.cu$")
              set_source_files_properties(${hip_sources} PROPERTIES LANGUAGE HIP)
              find_package(hipblas REQUIRED)
              target_link_libraries(${NAME} PRIVATE roc::hipblas)
            endfunction()
            """);
    assertThat(ported("samples/two/CMakeLists.txt"))
        .contains("project(two LANGUAGES CXX HIP)", "sample(two main.cu)");
    assertThat(port(PortOptions.DEFAULT).changes().get("samples/two/CMakeLists.txt").findings())
        .isEmpty();
    assertThat(ported("other/unrelated.cmake")).isEqualTo("the same");
  }
}
