package dev.rocport.buildsystem.meson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.rocport.buildsystem.TestFiles;
import dev.rocport.buildsystem.shared.BuildPort;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Finding;
import dev.rocport.core.source.SourceFile;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.PortOptions.Style;
import dev.rocport.rules.RuleCatalog;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What no example of one file shows; the examples are in {@code rules/meson}. */
class MesonBuildTest {
  private final SortedMap<String, SourceFile> tree = new TreeMap<>();

  private void file(String path, String text) {
    tree.put(path, SourceFile.of(path, text));
  }

  private BuildPort port(PortOptions options) {
    return MesonBuild.SYSTEM.port(RuleCatalog.builtIn(), options, new TestFiles(tree));
  }

  private String ported(String path) {
    Changes c = port(PortOptions.DEFAULT).changes().get(path);
    return c == null
        ? "the same"
        : new String(c.edits().apply(c.file().bytes()), StandardCharsets.UTF_8);
  }

  @Test
  void listsThatShareOthersAreReadOnce() {
    StringBuilder text = new StringBuilder("project('p', 'cuda')\na0 = files('a.cu')\n");
    for (int i = 0; i < 60; i++) {
      text.append("a%2$d = [a%1$d, a%1$d]\n".formatted(i, i + 1));
    }
    file("meson.build", text + "executable('e', a60)\n");
    assertTimeoutPreemptively(
        Duration.ofSeconds(60), () -> assertThat(ported("meson.build")).contains("'a.cu'"));
  }

  private List<String> problems(String path) {
    Changes c = port(PortOptions.DEFAULT).changes().get(path);
    return c == null
        ? List.of()
        : c.findings().stream()
            .filter(f -> f.disposition() == Disposition.UNPORTED)
            .map(Finding::message)
            .toList();
  }

  @Test
  void variablesOfOneFileAreKnownInAnother() {
    file("meson.build", "project('p', 'cuda', 'cpp')\nflags = ['-G']\nsubdir('a')\n");
    file("a/meson.build", "executable('x', 'x.cu', cuda_args: flags)\n");
    assertThat(ported("meson.build"))
        .isEqualTo("project('p', 'cpp')\nsubdir('rocport')\nflags = ['-g', '-O0']\nsubdir('a')\n");
    assertThat(ported("a/meson.build")).contains("cpp_args: hip_args + flags,");
  }

  @Test
  void deviceCodeAcrossFilesIsLinkedLast() {
    file("meson.build", "project('p', 'cuda')\nexecutable('x', 'x.cu', cuda_args: '-rdc=true')\n");
    assertThat(ported("meson.build"))
        .contains("cpp_args: hip_args + '-fgpu-rdc'")
        .contains("dependencies: [hip_dep, hip_rdc])");
  }

  @Test
  void generatedHeadersAreMadeBeforeHipToo() {
    file(
        "meson.build",
        "project('p', 'cuda')\nh = custom_target('h', output: 'h.h', command: 'true')\n"
            + "executable('x', 'x.cu', h)\n");
    assertThat(ported("meson.build")).contains("hip_source.process('x.cu'),\n  h,\n");
  }

  @Test
  void sourcesThatAreOnlyKnownWhenMesonRunsAreNotGuessed() {
    String text =
        "project('p', 'cuda')\nforeach s : ['a.cu', 'b.cpp']\n  executable('x', s)\nendforeach\n";
    file("meson.build", text);
    assertThat(problems("meson.build")).hasSize(1);
  }

  @Test
  void inOneTreeForBothTheFilesStayAndTwinsNameTheSources() {
    file(
        "meson.build",
        "project('p', 'cuda')\ninc = include_directories('.', 'inc')\nsubdir('a')\n");
    file("a/meson.build", "executable('a', 'x.cu', include_directories: inc)\n");
    file("a/x.cu", "");
    file("inc/x.h", "");
    PortOptions usual = PortOptions.DEFAULT;
    BuildPort port =
        port(
            new PortOptions(
                usual.launch(),
                usual.libs(),
                Style.SINGLE_SOURCE,
                usual.warp(),
                usual.renameSources(),
                usual.hip(),
                usual.filter()));
    assertThat(port.changes().values()).allMatch(c -> c.edits().isEmpty());
    assertThat(port.added().keySet())
        .containsExactly(
            "rocm.ini",
            "rocm/a/meson.build",
            "rocm/meson.build",
            "rocm/meson_options.txt",
            "rocm/rocport/meson.build");
    assertThat(port.added().get("rocm/meson.build").content())
        .contains("include_directories('.', '..', '../inc')");
    assertThat(port.added().get("rocm/a/meson.build").content())
        .contains("hip_source.process('../../a/x.cu')")
        .contains("include_directories: ['../../a', inc]");
  }

  @Test
  void aTargetInACallThatBecomesAnotherTextGoesWithIt() {
    file(
        "meson.build",
        "project('p', 'cpp')\nx = dependency('cuda', of: executable('a', 'a.cu', pic: true))\n");
    assertThat(ported("meson.build")).contains("x = hip_dep").doesNotContain("a.cu");
  }

  @Test
  void aBuildWithoutCudaStays() {
    file("meson.build", "project('p', 'cpp')\nexecutable('x', 'x.cpp')\n");
    assertThat(ported("meson.build")).isEqualTo("the same");
    assertThat(port(PortOptions.DEFAULT).added()).isEmpty();
  }
}
