package dev.rocport.build.project;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HipBranchTest {
  @TempDir private Path root;

  private HipBranch of(String lists) throws IOException {
    Files.writeString(root.resolve("CMakeLists.txt"), lists);
    return HipBranch.of(root);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "option(USE_HIP \"\" OFF) if(USE_HIP) endif()                       | -DUSE_HIP=ON",
        "set(GPU CUDA CACHE STRING \"\") if(\"${GPU}\" STREQUAL \"hip\") endif()| -DGPU=hip",
        "set(GPU CUDA CACHE STRING \"\") if(A OR (GPU STREQUAL ROCM)) endif() | -DGPU=ROCM",
      })
  void namesTheOptionOfACondition(String lists, String argument) throws IOException {
    assertThat(of(lists.replace(") ", ")\n")).argument()).contains(argument);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "option(USE_HIP \"\" ON) if(NOT USE_HIP) endif()", // does not select HIP
        "set(USE_HIP OFF) if(USE_HIP) endif()", // the command line cannot change it
        "option(SHIP \"\" OFF) if(SHIP) endif()",
        "set(GPU HIP CACHE STRING \"\") if(GPU STREQUAL CUDA) endif()",
      })
  void otherConditionsNameNone(String lists) throws IOException {
    assertThat(of(lists.replace(") ", ")\n")))
        .isEqualTo(new HipBranch(false, Optional.empty(), Optional.empty()));
  }

  @Test
  void optionsMayBeInAnotherFile() throws IOException {
    Files.createDirectories(root.resolve("cmake"));
    Files.writeString(root.resolve("cmake/options.cmake"), "option(DEMO_HIP \"\" OFF)\n");

    assertThat(
            of("if(DEMO_HIP)\n  enable_language(HIP)\nelse()\n  enable_language(CUDA)\nendif()\n"))
        .isEqualTo(new HipBranch(true, Optional.of("-DDEMO_HIP=ON"), Optional.empty()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "cmake_minimum_required(VERSION 3.5) project(demo LANGUAGES CXX CUDA)   | 2",
        "find_package(CUDA 6.5) find_package(CUDAToolkit REQUIRED)              | 2",
        "if(A) endif() enable_language(CUDA)                                    | 3",
        "if(A) enable_language(CUDA) endif()                                    | 0",
        "if(A) return() endif() project(demo CUDA)                              | 0",
        "project(CUDA CXX) function(f) enable_language(CUDA) endfunction()      | 0",
      })
  void namesWhatAsksForCudaWithAnyOption(String lists, int line) throws IOException {
    assertThat(of(lists.replace(") ", ")\n")).always())
        .isEqualTo(line == 0 ? Optional.empty() : Optional.of("CMakeLists.txt:" + line));
  }

  @Test
  void aBranchMayHaveNoOption() throws IOException {
    assertThat(of("if(A)\n  find_package(hip)\nendif()\n"))
        .isEqualTo(new HipBranch(true, Optional.empty(), Optional.empty()));
  }
}
