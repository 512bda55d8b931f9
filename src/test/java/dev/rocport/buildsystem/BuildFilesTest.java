package dev.rocport.buildsystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.buildsystem.shared.BuildPort;
import dev.rocport.buildsystem.shared.BuildSystem;
import dev.rocport.buildsystem.shared.ProjectFiles;
import dev.rocport.core.result.Finding;
import dev.rocport.core.source.SourceFile;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class BuildFilesTest {
  private static BuildPort port(Supplier<Throwable> failure) {
    ProjectFiles files = ProjectFiles.of(SourceFile.of("a.mk", "A = 1\n"));
    BuildSystem failing =
        new BuildSystem(
            "failing",
            path -> path.endsWith(".mk"),
            (catalog, options, all) -> fail(failure.get()),
            List.of());
    return BuildFiles.port(failing, RuleCatalog.builtIn(), PortOptions.DEFAULT, files);
  }

  private static <T> T fail(Throwable failure) {
    switch (failure) {
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new AssertionError(failure);
    }
  }

  @Test
  void whatFailsIsToldOfAFileOfTheSystem() {
    BuildPort failed = port(() -> new IllegalStateException("so it is"));
    assertThat(failed.changes().keySet()).containsExactly("a.mk");
    Changes changes = failed.changes().get("a.mk");
    assertThat(changes.edits().isEmpty()).isTrue();
    Finding finding = changes.findings().getFirst();
    assertThat(finding.rule()).isEqualTo("FILE-INTERNAL");
    assertThat(finding.message()).contains("so it is");
  }

  @Test
  void whatIsNestedTooDeeplyIsToldOfAFileOfTheSystem() {
    BuildPort failed = port(() -> new StackOverflowError());
    assertThat(failed.changes().get("a.mk").findings())
        .extracting(Finding::rule)
        .containsExactly("FILE-TOO-DEEP");
  }

  @Test
  void eachSystemHasANameOfItsOwn() {
    assertThat(BuildFiles.SYSTEMS).extracting(BuildSystem::name).doesNotHaveDuplicates();
  }

  /** The last system also examines scripts, for lines outside a build. */
  @Test
  void eachUsualFileHasOneSystem() {
    Map<String, String> systems = new TreeMap<>();
    for (String path :
        List.of(
            "configure.ac",
            "src/Makefile.am",
            "CMakeLists.txt",
            "cmake/a.cmake",
            "Makefile",
            "rules.mk",
            "meson.build",
            "meson_options.txt",
            "BUILD",
            "BUILD.bazel",
            "defs.bzl",
            ".bazelrc",
            "SConstruct",
            "build.sh")) {
      systems.put(
          path,
          BuildFiles.SYSTEMS.stream()
              .filter(s -> s.serves(path))
              .map(BuildSystem::name)
              .collect(Collectors.joining(" ")));
    }
    assertThat(systems)
        .containsExactlyInAnyOrderEntriesOf(
            Map.ofEntries(
                Map.entry("configure.ac", "autotools"),
                Map.entry("src/Makefile.am", "autotools"),
                Map.entry("CMakeLists.txt", "cmake"),
                Map.entry("cmake/a.cmake", "cmake"),
                Map.entry("Makefile", "make"),
                Map.entry("rules.mk", "make"),
                Map.entry("meson.build", "meson"),
                Map.entry("meson_options.txt", "meson"),
                Map.entry("BUILD", "bazel"),
                Map.entry("BUILD.bazel", "bazel"),
                Map.entry("defs.bzl", "bazel"),
                Map.entry(".bazelrc", "bazel"),
                Map.entry("SConstruct", "other"),
                Map.entry("build.sh", "script other")));
  }

  @Test
  void gatesOfAFileAreThoseOfItsLanguage() {
    for (BuildSystem system : BuildFiles.SYSTEMS) {
      assertThat(system.gates()).as(system.name()).doesNotHaveDuplicates();
    }
    assertThat(BuildFiles.gate("Makefile")).isNotEqualTo(BuildFiles.gate("CMakeLists.txt"));
    assertThat(BuildFiles.gate("Makefile.am").orElseThrow().language().comment()).isEqualTo("##");
    assertThat(BuildFiles.gate("configure.ac").orElseThrow().language().comment()).isEqualTo("dnl");
    assertThat(BuildFiles.gate("meson.build")).isEmpty();
  }
}
