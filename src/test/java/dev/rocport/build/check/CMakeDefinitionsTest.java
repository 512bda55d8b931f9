package dev.rocport.build.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.build.check.CMakeDefinitions.Definition;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CMakeDefinitionsTest {
  private static CMakeDefinitions read(String text) {
    return CMakeDefinitions.of(Map.of("CMakeLists.txt", text), "gfx942", List.of());
  }

  private static Optional<String> value(CMakeDefinitions all, String macro) {
    return CMakeDefinitions.value(all.of(macro, "a.cu"));
  }

  @Test
  void readsTheCommandsThatDefineMacros() {
    CMakeDefinitions all =
        read(
            """
            set(WIDTH 64)
            add_definitions(-DOLD=${WIDTH} -DFLAG -O2)
            add_compile_definitions(NEWER NAMED="text")
            target_compile_definitions(app PUBLIC ARCH=${CMAKE_HIP_ARCHITECTURES} PRIVATE -DDASH=2)
            target_compile_options(app PRIVATE -DOPTION=3 -Wall)
            set(CMAKE_CXX_FLAGS "${CMAKE_CXX_FLAGS} -DIN_FLAGS=4 -O3")
            """);

    assertThat(all.macros())
        .containsExactlyInAnyOrder(
            "OLD", "FLAG", "NEWER", "NAMED", "ARCH", "DASH", "OPTION", "IN_FLAGS");
    assertThat(value(all, "OLD")).contains("64");
    assertThat(value(all, "FLAG")).contains("1");
    assertThat(value(all, "NAMED")).contains("\"text\"");
    assertThat(value(all, "ARCH")).contains("gfx942");
    assertThat(value(all, "DASH")).contains("2");
    assertThat(value(all, "OPTION")).contains("3");
    assertThat(value(all, "IN_FLAGS")).contains("4");
  }

  @Test
  void leavesOutBranchesThatAreNotTaken() {
    CMakeDefinitions all =
        read(
            """
            option(WITH_CUDA "" OFF)
            set(KIND fast)
            if((${WITH_CUDA} AND TRUE) OR WIN32)
              add_definitions(-DBACKEND=1)
            elseif(KIND STREQUAL "fast" AND NOT WITH_CUDA)
              add_definitions(-DBACKEND=2)
            else()
              add_definitions(-DBACKEND=3)
            endif()
            """);

    List<Definition> backend = all.of("BACKEND", "a.cu");
    assertThat(CMakeDefinitions.value(backend)).contains("2");
    assertThat(backend.getFirst().certain()).isTrue();
    assertThat(CMakeDefinitions.places(backend)).isEqualTo("CMakeLists.txt:6");
  }

  @Test
  void argumentsOfCMakeAreValues() {
    String text =
        """
        option(WIDE "" OFF)
        if(WIDE)
          add_definitions(-DWIDTH=64)
        else()
          add_definitions(-DWIDTH=32)
        endif()
        set(CMAKE_CXX_FLAGS_DEBUG "-DDEBUG_MODE=1")
        """;

    CMakeDefinitions wide =
        CMakeDefinitions.of(Map.of("CMakeLists.txt", text), "gfx942", List.of("-DWIDE:BOOL=ON"));

    assertThat(value(read(text), "WIDTH")).contains("32");
    assertThat(value(wide, "WIDTH")).contains("64");
    assertThat(wide.macros()).containsExactly("WIDTH");
  }

  @Test
  void doesNotKnowWhatDependsOnTheMachine() {
    CMakeDefinitions all =
        read(
            """
            find_package(Threads)
            if(Threads_FOUND)
              add_definitions(-DTHREADS=2)
              set(MODE a)
            else()
              add_definitions(-DTHREADS=1)
              set(MODE b)
            endif()
            add_definitions(-DMODE=${MODE} -DHOME=$ENV{HOME})
            set(NAME none)
            execute_process(COMMAND date OUTPUT_VARIABLE NAME)
            add_definitions(-DNAME=${NAME})
            function(add_app name)
              target_compile_definitions(${name} PRIVATE APP=${name})
            endfunction()
            if(NOT Threads_FOUND AND FALSE)
              add_definitions(-DNEVER)
            endif()
            """);

    assertThat(all.of("THREADS", "a.cu")).extracting(Definition::certain).containsOnly(false);
    assertThat(value(all, "THREADS")).isEmpty();
    assertThat(value(all, "MODE")).isEmpty();
    assertThat(value(all, "HOME")).isEmpty();
    assertThat(value(all, "NAME")).isEmpty();
    assertThat(value(all, "APP")).isEmpty();
    assertThat(all.of("NEVER", "a.cu")).isEmpty();
  }

  @Test
  void definitionsOfTheFoldersAboveAUnitCount() {
    CMakeDefinitions all =
        CMakeDefinitions.of(
            Map.of(
                "CMakeLists.txt", "add_definitions(-DW=1)",
                "python/CMakeLists.txt", "add_definitions(-DW=2)\nadd_definitions(-DONLY=3)",
                "cmake/more.cmake", "add_definitions(-DMORE=4)"),
            "gfx942",
            List.of());

    assertThat(CMakeDefinitions.value(all.of("W", "src/a.cu"))).contains("1");
    assertThat(CMakeDefinitions.value(all.of("W", "python/a.cu"))).isEmpty();
    assertThat(CMakeDefinitions.value(all.of("ONLY", "src/a.cu"))).contains("3");
    assertThat(CMakeDefinitions.value(all.of("MORE", "src/a.cu"))).contains("4");
  }

  @Test
  void modulesOfACopyOfAnotherProjectCountForTheCopy() {
    CMakeDefinitions all =
        CMakeDefinitions.of(
            Map.of("deps/text/cmake/a.cmake", "add_definitions(-DSTRICT)"), "gfx942", List.of());
    Definition strict = all.of("STRICT", "src/a.cu").getFirst();

    assertThat(strict.isFor("src/a.cu")).isFalse();
    assertThat(strict.isFor("deps/other/a.cu")).isFalse();
    assertThat(strict.isFor("deps/text/src/a.cu")).isTrue();
    assertThat(Copies.folder("deps/a.cmake")).contains("deps");
    assertThat(Copies.folder("cmake/deps.cmake")).isEmpty();
  }

  @Test
  void listsOfDefinitionsCount() {
    String text =
        """
        option(HALF "" ${UNKNOWN})
        list(APPEND DEFS -DWIDTH=8)
        if(HALF)
          list(APPEND DEFS -DHALF=1)
        else()
          list(APPEND DEFS -DHALF=0)
        endif()
        list(APPEND OTHERS -DOTHER)
        target_compile_definitions(app PUBLIC ${DEFS})
        """;
    CMakeDefinitions all = read(text);
    CMakeDefinitions with =
        CMakeDefinitions.of(Map.of("CMakeLists.txt", text), "gfx942", List.of("-DHALF=ON"));

    assertThat(all.macros()).containsExactlyInAnyOrder("WIDTH", "HALF");
    assertThat(value(all, "WIDTH")).contains("8");
    assertThat(value(all, "HALF")).isEmpty();
    assertThat(value(with, "HALF")).contains("1");
    assertThat(with.of("HALF", "a.cu").getFirst().certain()).isTrue();
  }
}
