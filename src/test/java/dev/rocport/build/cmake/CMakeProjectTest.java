package dev.rocport.build.cmake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CMakeProjectTest {
  @TempDir private Path root;

  private CMakeProject read(String text, String... sources) throws Exception {
    Files.writeString(root.resolve("CMakeLists.txt"), text);
    for (String s : sources) {
      source(s);
    }
    return CMakeProject.read(root, root.resolve("out"));
  }

  private void source(String name) throws IOException {
    Files.createDirectories(root.resolve(name).getParent());
    Files.writeString(root.resolve(name), "");
  }

  private List<String> sources(CMakeProject project, String target) {
    return project.targets().get(target).sources().stream()
        .map(s -> root.relativize(s).toString())
        .toList();
  }

  private static CMakeTarget target(CMakeProject project, String name) {
    return project.targets().get(name);
  }

  @Test
  void findsTargetsAndTheirSources() throws Exception {
    CMakeProject p =
        read(
            """
            cmake_minimum_required(VERSION 3.18) # comment
            #[[ block
            comment ]]
            project(demo LANGUAGES CXX CUDA)
            set(SRCS src/a.cu)
            list(APPEND SRCS "src/b.cpp")
            file(GLOB KERNELS src/kernels/*.cu)
            add_library(core STATIC ${SRCS} ${KERNELS})
            add_executable(${PROJECT_NAME} main.cu)
            target_link_libraries(demo PRIVATE core CUDA::cublas)
            """,
            "src/a.cu",
            "src/b.cpp",
            "src/kernels/k2.cu",
            "src/kernels/k1.cu",
            "main.cu");

    assertThat(sources(p, "core"))
        .containsExactly("src/a.cu", "src/b.cpp", "src/kernels/k1.cu", "src/kernels/k2.cu");
    TargetUsage usage = TargetUsage.of(p, target(p, "demo"));
    assertThat(usage.used()).extracting(CMakeTarget::name).containsExactly("core");
    assertThat(usage.libraries()).containsExactly("CUDA::cublas");
  }

  @Test
  void passesOnWhatIsPublic() throws Exception {
    CMakeProject p =
        read(
            """
            add_library(base INTERFACE)
            target_include_directories(base INTERFACE inc)
            add_library(core a.cu)
            target_link_libraries(core PUBLIC base)
            target_compile_definitions(core PUBLIC API=1 PRIVATE OWN)
            add_executable(app main.cu)
            target_link_libraries(app core)
            """,
            "a.cu",
            "main.cu");

    TargetUsage app = TargetUsage.of(p, target(p, "app"));
    assertThat(app.includes()).containsExactly(root.resolve("inc").toString());
    assertThat(app.definitions()).containsExactly("API=1");
    assertThat(TargetUsage.of(p, target(p, "core")).definitions()).containsExactly("API=1", "OWN");
  }

  @Test
  void evaluatesGeneratorExpressionsByLanguage() throws Exception {
    CMakeProject p =
        read(
            """
            add_executable(app main.cu)
            target_compile_options(app PRIVATE
              $<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr -lineinfo>
              $<$<COMPILE_LANGUAGE:CXX>:-Wall> $<$<CONFIG:Debug>:-G>)
            """,
            "main.cu");
    List<String> options = TargetUsage.of(p, target(p, "app")).options();

    assertThat(TargetUsage.evaluate(options, "CUDA", "Release"))
        .containsExactly("--expt-relaxed-constexpr", "-lineinfo");
    assertThat(TargetUsage.evaluate(options, "CXX", "Debug")).containsExactly("-Wall", "-G");
  }

  @Test
  void followsConditionsLoopsAndFunctions() throws Exception {
    CMakeProject p =
        read(
            """
            option(WITH_B "b" ON)
            if(NOT DEFINED FOO AND (WITH_B OR OFF) AND "3.20" VERSION_GREATER 3.4)
              set(NAMES a b)
            elseif(TRUE)
              message(FATAL_ERROR "not here")
            else()
              message(FATAL_ERROR "nor here")
            endif()
            function(add_example name)
              add_executable(${name} ${ARGN})
            endfunction()
            foreach(n IN LISTS NAMES)
              add_example(example_${n} ${n}.cu)
            endforeach()
            """,
            "a.cu",
            "b.cu");

    assertThat(p.targets()).containsOnlyKeys("example_a", "example_b");
  }

  @Test
  void entersFoldersWithTheirOwnScope() throws Exception {
    source("sub/x.cu");
    Files.writeString(
        root.resolve("sub/CMakeLists.txt"),
        "set(V inner)\nset(UP yes PARENT_SCOPE)\ninclude_directories(.)\nadd_library(x x.cu)\n");
    CMakeProject p =
        read(
            """
            set(V outer)
            include_directories(inc)
            add_subdirectory(sub)
            if(NOT V STREQUAL outer OR NOT UP)
              message(FATAL_ERROR "scope")
            endif()
            """);

    assertThat(TargetUsage.of(p, target(p, "x")).includes())
        .containsExactly(root.resolve("inc").toString(), root.resolve("sub").toString());
  }

  @Test
  void writesConfiguredFiles() throws Exception {
    Files.writeString(
        root.resolve("c.h.in"),
        "#define V \"@PROJECT_VERSION@\"\n#cmakedefine A\n#cmakedefine01 B\n");
    read("project(p VERSION 1.2)\nset(A ON)\nconfigure_file(c.h.in c.h @ONLY)\n");

    assertThat(Files.readString(root.resolve("out/c.h")))
        .isEqualTo("#define V \"1.2\"\n#define A\n#define B 0\n");
  }

  @Test
  void nvshmemIsAPackageThatRocshmemStandsFor() throws Exception {
    CMakeProject p =
        read(
            """
            find_package(NVSHMEM REQUIRED)
            find_library(DEVICE nvshmem_device REQUIRED)
            add_executable(app main.cu)
            target_link_libraries(app nvshmem::nvshmem_host ${DEVICE})
            """,
            "main.cu");
    assertThat(TargetUsage.of(p, target(p, "app")).libraries())
        .containsExactly("nvshmem::nvshmem_host", "nvshmem_device");
  }

  @Test
  void namesWhatItDoesNotFollow() {
    assertThatThrownBy(() -> read("project(p)\n\nFetchContent_Declare(x)\n"))
        .isInstanceOf(CMakeException.class)
        .hasMessageStartingWith("CMakeLists.txt:3: fetchcontent_declare() is not followed")
        .hasMessageContaining("--plain");
    assertThatThrownBy(() -> read("find_package(Boost REQUIRED)\n"))
        .hasMessageStartingWith("CMakeLists.txt:1: find_package(Boost REQUIRED)");
    assertThatThrownBy(() -> read("add_executable(a missing.cu)\n"))
        .hasMessage("CMakeLists.txt:1: no such source: missing.cu");
    assertThatThrownBy(() -> read("if(A)\n")).hasMessage("CMakeLists.txt:1: endif is missing");
    assertThatThrownBy(() -> read("set(a \"open)\n")).hasMessageContaining("not closed");
    assertThatThrownBy(() -> read("message(FATAL_ERROR \"no GPU\")\n"))
        .hasMessageContaining("the project stops: no GPU");
  }
}
