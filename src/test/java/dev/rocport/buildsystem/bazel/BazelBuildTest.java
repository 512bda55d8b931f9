package dev.rocport.buildsystem.bazel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.buildsystem.TestFiles;
import dev.rocport.buildsystem.shared.BuildPort;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.source.SourceFile;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.PortOptions.Style;
import dev.rocport.rules.RuleCatalog;
import java.nio.charset.StandardCharsets;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What no example of one file shows; the examples are in {@code rules/bazel}. */
class BazelBuildTest {
  private final SortedMap<String, SourceFile> tree = new TreeMap<>();

  private void file(String path, String text) {
    tree.put(path, SourceFile.of(path, text));
  }

  private BuildPort port(Style style) {
    PortOptions usual = PortOptions.DEFAULT;
    return BazelBuild.SYSTEM.port(
        RuleCatalog.builtIn(),
        new PortOptions(
            usual.launch(),
            usual.libs(),
            style,
            usual.warp(),
            usual.renameSources(),
            usual.hip(),
            usual.filter()),
        new TestFiles(tree));
  }

  private String ported(String path) {
    Changes c = port(Style.HIP).changes().get(path);
    return c == null
        ? "the same"
        : new String(c.edits().apply(c.file().bytes()), StandardCharsets.UTF_8);
  }

  private long problems(String path) {
    Changes c = port(Style.HIP).changes().get(path);
    return c == null
        ? 0
        : c.findings().stream().filter(f -> f.disposition() == Disposition.UNPORTED).count();
  }

  @Test
  void wordsInQuotesOfTheShellAreOne() {
    file("BUILD", "genrule(name = \"a\", cmd = \"nvcc -Xcompiler '-fPIC -Wall' -c $< -o $@\")\n");
    assertThat(ported("BUILD"))
        .isEqualTo("genrule(name = \"a\", cmd = \"hipcc -fPIC -Wall -c $< -o $@\")\n");
  }

  @Test
  void flagsAreFollowedIntoTheFilesThatCallTheRule() {
    file(
        "r.bzl",
        "def gpu(name, flags):\n    native.genrule(name = name, cmd = \"nvcc \" + flags)\n");
    file(
        "a/BUILD",
        "gpu(name = \"a\", nvcc_flags = [\"-Xptxas\", \"-v\", \"-DX\"])\nf(copts = [\"-G\"])\n");
    assertThat(ported("a/BUILD"))
        .isEqualTo("gpu(name = \"a\", nvcc_flags = [\"-DX\"])\nf(copts = [\"-G\"])\n");
  }

  @Test
  void repositoriesOfTheProjectsOwnAreNoOthersRules() {
    file(
        "WORKSPACE",
        "load(\"//:c.bzl\", \"cuda_configure\")\ncuda_configure(name = \"local_config_cuda\")\n");
    file("BUILD", "cc_library(name = \"a\", deps = [\"@local_config_cuda//:cudart\"])\n");
    assertThat(problems("BUILD")).isEqualTo(1);
    file(
        "c.bzl", "def _c(ctx):\n    pass\ncuda_configure = repository_rule(implementation = _c)\n");
    assertThat(problems("BUILD")).isZero();
  }

  @Test
  void inOneTreeForBothTheFilesStayAndTwinsAreNotReadByBazel() {
    file("sub/WORKSPACE", "");
    file("sub/a/BUILD", "genrule(name = \"a\", cmd = \"nvcc -c a.cu\")\n");
    BuildPort port = port(Style.SINGLE_SOURCE);
    assertThat(port.changes().values()).allMatch(c -> c.edits().isEmpty());
    assertThat(port.added().keySet())
        .containsExactly("sub/rocm/a/BUILD.twin", "sub/rocm/workspace.sh");
    assertThat(port.added().get("sub/rocm/a/BUILD.twin").content()).contains("hipcc -c a.cu");
  }
}
