package dev.rocport.cli.port;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LibraryCopiesTest {
  private static final Path TREE = Path.of("src/test/goldens/findings/copies");

  @TempDir Path out;

  @Test
  void copiesStayAndTheLibrariesOfRocmTakeTheirPlace() throws IOException {
    PortRun run = PortRun.of("port", TREE, "--out", out);
    assertThat(run.out() + run.err())
        .contains("mixed leads to a copy of Thrust, which hides the headers of rocThrust")
        .contains("third_party/cub: copy of CUB, which is not ported; hipCUB (include/hipcub)");
    for (String copy : new String[] {"third_party", "mixed/thrust", "mixed/cuda"}) {
      try (Stream<Path> files = Files.walk(TREE.resolve(copy))) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          assertThat(out.resolve(TREE.relativize(file))).hasSameBinaryContentAs(file);
        }
      }
    }
    assertThat(out.resolve("src/sums.cu"))
        .content()
        .contains("#include <thrust/device_vector.h>")
        .contains("\"hipcub/hipcub.hpp\"")
        .contains("hipcub::WarpReduce<int, 16>")
        .contains("\"own.h\"");
    assertThat(out.resolve("CMakeLists.txt"))
        .content()
        .contains("include_directories(src)")
        .contains("target_include_directories(sums PRIVATE\n  mixed)");
    assertThat(out.resolve("make/Makefile"))
        .content()
        .contains("INCLUDES = -I../src \\\n   -I../mixed")
        .contains("$(INCLUDES) -o $@")
        .doesNotContain("-isystem");
  }

  @Test
  void foldersOfCopiesAreLeftOutOfOtherBuilds() throws IOException {
    Path tree = Path.of("src/test/goldens/findings/copies_builds");
    PortRun.of("port", tree, "--out", out);
    assertThat(out.resolve("Makefile.am"))
        .content()
        .contains(
            "AM_CPPFLAGS =  -I$(srcdir)/src\nsums_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/mixed")
        .contains("$(HIPCC) -I$(srcdir)/own -c -o $@ $<");
    assertThat(out.resolve("meson.build"))
        .content()
        .contains("inc = include_directories('src')  # want")
        .contains("cpp_args: hip_args + ['-Wall', '-I' + 'own', '-O3']")
        .contains("include_directories: [inc, 'own'],")
        .contains("'src/more.cpp', include_directories: [])")
        .contains("only = include_directories()  # want")
        .contains("include_directories: ['mixed'])");
    assertThat(out.resolve("BUILD"))
        .content()
        .contains("copts = [\"-Isrc\", \"-gline-tables-only\"]")
        .contains("includes = [\"src\"],", "    deps = [\":headers\"],")
        .contains("copts = [\"-Imixed\"],")
        .contains("cmd = \"hipcc -c -o $@ $<\"");
    assertThat(out.resolve("tools/cuda.bzl")).content().contains("args.add_all([\"-c\", \"-o\"])");
  }

  @Test
  void aCopyForABackendOnTheHostStays() throws IOException {
    Path tree = Files.createDirectories(out.resolve("in/thrust/thrust")).resolve("../..");
    Files.writeString(tree.resolve("thrust/thrust/version.h"), "#define THRUST_VERSION 1\n");
    String list =
        """
        project(Host LANGUAGES CXX CUDA)
        add_definitions(-DTHRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_OMP)
        include_directories(thrust)
        """;
    Files.writeString(tree.resolve("CMakeLists.txt"), list);
    Path ported = out.resolve("ported");
    PortRun run = PortRun.of("port", tree.normalize(), "--out", ported);
    assertThat(ported.resolve("CMakeLists.txt")).content().contains("include_directories(thrust)");
    assertThat(run.out() + run.err()).contains("for a backend that runs on the host");
  }
}
