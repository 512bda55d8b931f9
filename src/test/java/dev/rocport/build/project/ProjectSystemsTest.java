package dev.rocport.build.project;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.buildsystem.BuildFiles;
import dev.rocport.buildsystem.shared.BuildSystem;
import dev.rocport.io.Folders;
import dev.rocport.toolchain.packages.PackageList;
import dev.rocport.toolchain.packages.PackageList.Group;
import dev.rocport.toolchain.provision.Extra;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ProjectSystemsTest {
  /** Files that a system knows a project by, in an order that the next test relies on. */
  private static final Map<String, String> FILES =
      new TreeMap<>(
          Map.of(
              "CMakeLists.txt", "project(a)\n",
              "configure.ac", "AC_INIT([a], [1])\n",
              "Makefile", "a: a.cu\n\tnvcc -o $@ $<\n",
              "meson.build", "project('a')\n",
              "MODULE.bazel", "",
              "setup.py", "import hipcc\n",
              "build.sh", "hipcc a.cu\n"));

  @TempDir private Path root;

  /** What is ported as a build system can be built, and the other way round. */
  @Test
  void bothListsNameTheSameSystems() {
    TreeSet<String> ported = new TreeSet<>();
    BuildFiles.SYSTEMS.stream().map(BuildSystem::name).forEach(ported::add);
    TreeSet<String> built = new TreeSet<>();
    ProjectSystems.ALL.stream().map(ProjectSystem::name).forEach(built::add);

    assertThat(ProjectSystems.ALL).extracting(ProjectSystem::name).doesNotHaveDuplicates();
    ported.remove("other"); // only looked at
    built.remove("setup.py"); // ported as Python
    assertThat(built).isEqualTo(ported);
  }

  @Test
  void everyExtraHasPackages() {
    List<Group> groups = PackageList.builtIn().groups();
    assertThat(ProjectSystems.extras())
        .extracting(Extra::label)
        .containsExactly("mpi", "clang-21", "autotools", "bazel", "cmake", "meson", "python")
        .allMatch(label -> groups.contains(new Group(label)));
    assertThat(ProjectSystems.extra("tea")).isEmpty();
  }

  @Test
  void forCudaTheyComeByName() {
    assertThat(ProjectSystems.forCuda())
        .extracting(ProjectSystem::name)
        .containsExactly("autotools", "cmake", "make", "meson", "setup.py");
  }

  @Test
  void aMakefileThatOnlyRunsCMakeLeavesTheBuildToCMake() throws IOException {
    Files.writeString(root.resolve("CMakeLists.txt"), "project(a)\n");
    Path makefile = root.resolve("Makefile");
    String runs =
        "all:\n\tcd build && $(CMAKE) -DCMAKE_BUILD_TYPE=Release%s ..\n\t$(MAKE) -C build\n";

    Files.writeString(makefile, runs.formatted(""));
    assertThat(ProjectSystems.of(root).orElseThrow().name()).isEqualTo("cmake");
    Files.writeString(makefile, runs.formatted(" -DWITH_GPU=ON"));
    assertThat(ProjectSystems.of(root).orElseThrow().name()).isEqualTo("make");
    Files.writeString(makefile, runs.formatted("") + "tool: tool.c\n\t$(CC) -o $@ $<\n");
    assertThat(ProjectSystems.of(root).orElseThrow().name()).isEqualTo("make");
  }

  @Test
  void aTreeWithoutBuildFilesHasNone() throws IOException {
    assertThat(ProjectSystems.of(root)).isEmpty();
  }

  @Test
  void oneSystemBuildsATreeThatHasTheFilesOfSeveral() throws IOException {
    List<Map.Entry<String, String>> files = List.copyOf(FILES.entrySet());
    for (int mask = 0; mask < 1 << files.size(); mask++) {
      Path tree = Files.createDirectories(root.resolve("tree"));
      TreeSet<String> names = new TreeSet<>();
      for (int i = 0; i < files.size(); i++) {
        if ((mask >> i & 1) == 1) {
          Files.writeString(tree.resolve(files.get(i).getKey()), files.get(i).getValue());
          names.add(files.get(i).getKey());
        }
      }
      assertThat(ProjectSystems.of(tree).map(ProjectSystem::name).orElse(""))
          .as(names.toString())
          .isEqualTo(first(names));
      Folders.delete(tree);
    }
  }

  private static String first(TreeSet<String> names) {
    if (names.contains("Makefile")) {
      return "make";
    }
    if (names.contains("CMakeLists.txt")) {
      return "cmake";
    }
    return names.contains("configure.ac")
        ? "autotools"
        : names.contains("setup.py")
            ? "setup.py"
            : names.contains("meson.build")
                ? "meson"
                : names.contains("MODULE.bazel")
                    ? "bazel"
                    : names.contains("build.sh") ? "script" : "";
  }

  @Test
  void aMakefileThatOnlyStartsPythonLeavesTheBuildToPython() throws IOException {
    Files.writeString(root.resolve("setup.py"), "import hipcc\n");
    Files.writeString(root.resolve("Makefile"), "all:\n\tpython3 setup.py build\n");
    assertThat(ProjectSystems.of(root).orElseThrow().name()).isEqualTo("setup.py");
  }

  @Test
  void aMakefileOfAConfigureIsMadeAgain() throws IOException {
    Files.writeString(root.resolve("configure.ac"), "AC_INIT([a], [1])\n");
    Files.writeString(root.resolve("setup.py"), "import hipcc\n");
    Files.writeString(root.resolve("Makefile"), "# Makefile.in generated by automake\n");
    assertThat(ProjectSystems.of(root).orElseThrow().name()).isEqualTo("autotools");
    Files.writeString(root.resolve("Makefile"), "all:\n");
    assertThat(ProjectSystems.of(root).orElseThrow().name()).isEqualTo("make");
  }

  @Test
  void aMakefileOfCMakeIsNone() throws IOException {
    Files.writeString(root.resolve("CMakeLists.txt"), "project(a)\n");
    Files.writeString(root.resolve("Makefile"), "# CMAKE generated file\n");
    assertThat(ProjectSystems.of(root).orElseThrow().name()).isEqualTo("cmake");
  }
}
