package dev.rocport.build.project;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.build.BuildResult;
import dev.rocport.build.Builder;
import dev.rocport.build.link.LinkResult;
import dev.rocport.build.plan.BuildOptions;
import dev.rocport.build.run.BuildListener;
import dev.rocport.build.run.UnitResult;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.toolchain.TestToolchain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Builds of folders that read files beside them, with the real compiler, make and CMake. */
@Tag("toolchain")
class AboveBuildTest {
  private static final String MAIN =
      "#include \"../common/value.h\"\nint main() { return VALUE - 7; }\n";

  @TempDir private Path temporary;
  private Path folder;
  private Path root;

  @BeforeEach
  void tree() throws IOException {
    folder = temporary.toRealPath();
    root = Files.createDirectories(folder.resolve("project/app"));
    file("common/value.h", "#include \"detail.h\"\n");
    file("common/detail.h", "#define VALUE 7\n");
    file("app/main.cpp", MAIN);
  }

  private void file(String name, String text) throws IOException {
    Path file = folder.resolve("project").resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private BuildResult build() throws Exception {
    BuildOptions options =
        new BuildOptions(
            root,
            root.resolve("build-rocport"),
            List.of("gfx90a"),
            2,
            false,
            Optional.empty(),
            List.of(),
            List.of(),
            List.of(),
            false,
            true,
            List.of(),
            List.of(),
            Duration.ofMinutes(30),
            Optional.empty(),
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

  private void links(BuildResult r) {
    assertThat(r.allFindings()).isEmpty();
    assertThat(r.links()).isNotEmpty().allMatch(l -> l.status() == LinkResult.Status.LINKED);
  }

  @Test
  void aMakefileWhoseSourcesIncludeFromBesideIt() throws Exception {
    file("app/Makefile", "prog: main.cpp ../common/value.h\n\tg++ -MMD -o prog main.cpp\n");

    links(build());

    // The path that users know leads to the program.
    assertThat(root.resolve("build-rocport/tree/prog")).isRegularFile().isExecutable();
  }

  @Test
  void searchesFoldersBesideItThroughVariables() throws Exception {
    file("common/rules.mk", "FLAGS = -I../common -DMORE\n");
    file("app/main.cpp", "#include <value.h>\nint main() { return VALUE - 7; }\n");
    file(
        "app/Makefile",
        "TOP := ..\n"
            + "include $(TOP)/common/rules.mk\n"
            + "prog: main.cpp\n"
            + "\tg++ $(FLAGS) -o prog main.cpp\n");

    links(build());
  }

  @Test
  void compilesSourcesBesideIt() throws Exception {
    file("common/value.cpp", "#include \"value.h\"\nint value() { return VALUE; }\nint x = no;\n");
    file("app/Makefile", "prog:\n\tg++ -o prog main.cpp ../common/value.cpp\n");

    BuildResult r = build();

    assertThat(r.allFindings()).isNotEmpty();
    assertThat(r.units()).extracting(UnitResult::path).contains("../common/value.cpp");
    assertThat(r.allFindings().getFirst().message()).contains("undeclared identifier 'no'");
  }

  @Test
  void aFolderOfAPortedTreeFindsTheHeadersInItsRoot() throws Exception {
    file(".rocport/manifest", "");
    file("rocport/warp.h", "#pragma once\n#define WARP 32\n");
    file("app/main.cpp", "#include \"rocport/warp.h\"\nint main() { return WARP - 32; }\n");
    file("app/Makefile", "prog:\n\tg++ -o prog main.cpp\n");
    links(build());

    file("app/main.cpp", "#include \"../rocport/warp.h\"\nint main() { return WARP - 32; }\n");
    links(build());
  }

  @Test
  void writesAboveTheFolderDoNotChangeTheOriginals() throws Exception {
    file("out.txt", "original");
    file("common/state.txt", "original");
    file(
        "app/Makefile",
        """
        prog: main.cpp
        	g++ -o prog main.cpp
        	echo changed > ../out.txt
        	echo changed > ../common/state.txt
        	echo changed > ../new.txt
        	mkdir -p a/b && cd a/b && echo changed > ../../../../far.txt
        """);

    links(build());

    assertThat(folder.resolve("project/out.txt")).hasContent("original");
    assertThat(folder.resolve("project/common/state.txt")).hasContent("original");
    assertThat(folder.resolve("project/new.txt")).doesNotExist();
    assertThat(folder.resolve("far.txt")).doesNotExist();
    assertThat(folder.resolve("project/app/far.txt")).doesNotExist();
    Path copy = root.resolve("build-rocport/tree").toRealPath();
    assertThat(copy.resolve("../new.txt")).hasContent("changed");
    assertThat(copy.resolve("../../far.txt")).hasContent("changed");
  }

  @Test
  void cmakeListsThatNameAFolderBesideThem() throws Exception {
    file("common/CMakeLists.txt", "add_library(value value.cpp)\n");
    file("common/value.cpp", "#include \"value.h\"\nint value() { return VALUE; }\n");
    file(
        "app/CMakeLists.txt",
        """
        cmake_minimum_required(VERSION 3.18)
        project(app LANGUAGES CXX)
        add_subdirectory(${CMAKE_CURRENT_SOURCE_DIR}/../common common)
        add_executable(app main.cpp)
        target_include_directories(app PRIVATE ../common)
        target_link_libraries(app value)
        """);

    links(build());
  }

  @Test
  void saysWhatIsTooMuchToCopy() throws Exception {
    for (int i = 0; i < 10_001; i++) {
      Path data = Files.createDirectories(folder.resolve("project/data/" + i % 10));
      Files.createFile(data.resolve(i + ""));
    }
    String message =
        "../data is not copied for the build: the folder that is built refers to more than";

    file("app/Makefile", "prog:\n\ttest -d ../data\n\tg++ -o prog main.cpp\n");
    assertThat(build().allFindings())
        .anyMatch(f -> f.path().equals("Makefile") && f.message().startsWith(message));

    file("app/Makefile", "prog:\n\t-test -d ../data\n\tg++ -I../common -o prog main.cpp\n");
    BuildResult fine = build();
    links(fine);
    assertThat(fine.notes()).anyMatch(n -> n.startsWith("Makefile: " + message));
  }
}
