package dev.rocport.build.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.build.cuda.CudaBuild.Compared;
import dev.rocport.cudastub.CudaCommand;
import dev.rocport.toolchain.TestToolchain;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Builds for CUDA with the stand-in, by the real CMake, make and autotools. */
@Tag("toolchain")
class CudaBuildTest {
  @TempDir private Path folder;

  private void file(String name, String text) throws Exception {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text, StandardCharsets.UTF_8);
  }

  private List<Compared> compare(String... arguments) throws Exception {
    return new CudaBuild(TestToolchain.get(), s -> {}, 2, List.of(arguments))
        .compare(folder.resolve("old"), folder.resolve("new"));
  }

  private static List<String> texts(List<CudaCommand> commands) {
    return commands.stream().map(CudaCommand::text).toList();
  }

  private static final String LISTS =
      """
      cmake_minimum_required(VERSION 3.18)
      project(waves LANGUAGES CXX CUDA)
      find_package(CUDAToolkit REQUIRED)
      set(CMAKE_CUDA_ARCHITECTURES 80 90)
      configure_file(config.h.in config.h)
      add_library(waves STATIC waves.cu)
      target_include_directories(waves PRIVATE ${PROJECT_BINARY_DIR})
      target_compile_options(waves PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:--use_fast_math>)
      target_link_libraries(waves PUBLIC CUDA::cublas)
      add_executable(main main.cpp)
      target_link_libraries(main waves)
      """;

  private void tree(String root, String lists) throws Exception {
    file(root + "/CMakeLists.txt", lists);
    file(root + "/config.h.in", "#define WAVES @WAVES@\n");
    file(root + "/waves.cu", "__global__ void k() {}\n");
    file(root + "/main.cpp", "int main() {}\n");
  }

  /** A gate as a port writes it, and what it hands over to. */
  private static String gated(String condition) {
    return LISTS.replace(
        "project(",
        """
        option(USE_ROCM "Build for ROCm" OFF)
        %s
          include("${CMAKE_CURRENT_LIST_DIR}/CMakeLists.rocm.cmake")
          return()
        endif()
        project(\
        """
            .formatted(condition));
  }

  @Test
  void aGateThatDoesNothingLeavesEveryCommandAsItWas() throws Exception {
    tree("old", LISTS);
    tree("new", gated("if(USE_ROCM)"));
    file("new/CMakeLists.rocm.cmake", "project(waves LANGUAGES CXX HIP)\n");
    assertThat(compare())
        .singleElement()
        .satisfies(
            c -> {
              assertThat(c.system()).isEqualTo("cmake");
              assertThat(c.problem()).isEmpty();
              assertThat(c.holds()).isTrue();
              assertThat(c.same()).isGreaterThanOrEqualTo(5);
            });
  }

  @Test
  void aGateThatLeaksIsCaught() throws Exception {
    tree("old", LISTS);
    tree("new", gated("if(NOT USE_ROCM)"));
    file(
        "new/CMakeLists.rocm.cmake",
        LISTS.replace("--use_fast_math", "-O2").replaceFirst("(?s)add_executable.*", ""));
    file("new/config.h.in", "#define WAVES @WAVES@1\n");
    assertThat(compare())
        .singleElement()
        .satisfies(
            c -> {
              assertThat(c.problem()).isEmpty();
              assertThat(c.holds()).isFalse();
              assertThat(texts(c.onlyOld()))
                  .anySatisfy(t -> assertThat(t).contains("--use_fast_math", "waves.cu"))
                  .anySatisfy(t -> assertThat(t).startsWith("g++").contains("main.cpp"));
              assertThat(texts(c.onlyNew()))
                  .allSatisfy(t -> assertThat(t).doesNotContain("--use_fast_math"))
                  .anySatisfy(t -> assertThat(t).contains("-O2", "waves.cu"));
              assertThat(c.files())
                  .singleElement()
                  .asString()
                  .startsWith("build-rocport/config.h:");
            });
  }

  @Test
  void aTreeThatIsNotConfiguredProvesNothing() throws Exception {
    tree("old", LISTS);
    tree("new", LISTS.replace("CUDA::cublas)", "CUDA::cublas)\nmessage(FATAL_ERROR \"no\")"));
    assertThat(compare())
        .singleElement()
        .satisfies(
            c -> {
              assertThat(c.holds()).isFalse();
              assertThat(c.problem()).contains("the new tree: cmake failed with exit code 1");
            });
  }

  @Test
  void makefilesAreMadeWithTheFoldersOfTheStandIn() throws Exception {
    String makefile =
        """
        CUDA_HOME ?= /usr/local/cuda
        NVCC = $(CUDA_HOME)/bin/nvcc
        waves: waves.o main.o
        	$(NVCC) -o $@ $^ -L$(CUDA_HOME)/lib64 -lcublas
        %.o: %.cu
        	$(NVCC) $(FLAGS) -c $< -o $@
        """;
    file("old/Makefile", makefile);
    file("old/waves.cu", "");
    file("old/main.cpp", "");
    file("new/Makefile", makefile.replace("NVCC = ", "NVCC := "));
    file("new/waves.cu", "");
    file("new/main.cpp", "");
    List<Compared> same = compare();
    assertThat(same).singleElement().satisfies(c -> assertThat(c.holds()).isTrue());
    assertThat(same.getFirst().same()).isEqualTo(3);
    file("new/Makefile", makefile.replace("-lcublas", "-lhipblas"));
    assertThat(compare())
        .singleElement()
        .satisfies(
            c -> {
              assertThat(texts(c.onlyOld())).singleElement().asString().endsWith("-lcublas");
              assertThat(texts(c.onlyNew())).singleElement().asString().endsWith("-lhipblas");
            });
  }

  @Test
  void aTreeWithNoBuildOfItsOwnGivesNothing() throws Exception {
    file("old/main.cu", "");
    file("new/main.cu", "");
    assertThat(compare()).isEmpty();
  }
}
