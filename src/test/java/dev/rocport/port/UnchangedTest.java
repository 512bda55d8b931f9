package dev.rocport.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.core.result.FileResult;
import dev.rocport.core.source.SourceTree;
import dev.rocport.core.source.TreeSelection;
import dev.rocport.core.source.TreeWriter;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher in the layout of a release, with a Java that only prints that it was started. */
@Tag("slow")
class UnchangedTest {
  /** Files that are younger have no stamps. */
  private static final long OLD = 2_100;

  @TempDir private Path temporary;
  private Path folder;
  private Path jar;
  private Path launcher;

  private interface Change {
    void in(Path tree, Path out) throws IOException;
  }

  @BeforeEach
  void release() throws IOException {
    folder = temporary.toRealPath();
    Path home = Files.createDirectories(folder.resolve("release"));
    launcher = home.resolve("rocport");
    Files.copy(Path.of(System.getProperty("rocport.home"), "rocport"), launcher);
    jar = Files.createDirectories(home.resolve("java")).resolve("rocport-1.0.jar");
    Files.createFile(jar);
    Path java = Files.createDirectories(home.resolve("jre/bin")).resolve("java");
    Files.writeString(java, "#!/bin/sh\necho started\n");
    assertThat(java.toFile().setExecutable(true)).isTrue();
    assertThat(launcher.toFile().setExecutable(true)).isTrue();
  }

  private Path tree(String name) throws IOException {
    Path tree = Files.createDirectories(folder.resolve(name));
    Files.createDirectories(tree.resolve("sub"));
    Files.createDirectories(tree.resolve("empty"));
    Files.writeString(
        tree.resolve("a.cu"),
        """
        __global__ void k(int* p) { p[threadIdx.x] = __shfl_down_sync(~0u, p[0], 1); }
        int main() { return cudaDeviceSynchronize(); }
        """);
    Files.writeString(tree.resolve("sub/b.cuh"), "inline int f() { return cudaSuccess; }\n");
    Files.writeString(tree.resolve("sub/data.txt"), "one\n");
    Files.createSymbolicLink(tree.resolve("link.txt"), Path.of("sub/data.txt"));
    return tree;
  }

  private static Path out(Path tree) {
    return tree.resolveSibling(tree.getFileName() + "-out");
  }

  private static List<String> arguments(Path tree) {
    return List.of("port", tree.toString(), "--out", out(tree).toString());
  }

  /** Ports, and keeps what the next run prints unless only that run can tell. */
  private Optional<Unchanged> port(Path tree) throws IOException {
    Instant start = Instant.now();
    TreeSelection selection =
        TreeSelection.of(List.of(tree)).withOutputs(Set.of(out(tree).toAbsolutePath()));
    SourceTree files = SourceTree.walk(selection);
    Porter porter = new Porter(RuleCatalog.builtIn(), PortOptions.DEFAULT, 1);
    try (TreeTarget target =
        TreeTarget.open(
            new TreeWriter(out(tree)), ShimHeaders.ofHome(), OutputNames.same(), false)) {
      List<FileResult> results = new ArrayList<>(porter.run(files, target, ProgressListener.NONE));
      target.finish(files, selection, results);
      Optional<Unchanged> unchanged =
          target.unchanged(files, results, start, List.of(jar, launcher));
      unchanged.ifPresent(u -> u.write(words(tree), new Unchanged.Text(1, "40", true, "text: ")));
      return unchanged;
    }
  }

  private List<String> words(Path tree) {
    List<String> words = new ArrayList<>(List.of(jar.toString(), folder.toString(), "0", "", ""));
    words.addAll(arguments(tree));
    return words;
  }

  private String launch(Path in, List<String> arguments, Map<String, String> more)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(launcher.toString()));
    command.addAll(arguments);
    ProcessBuilder b = new ProcessBuilder(command);
    b.environment().clear();
    b.environment().put("PATH", "/usr/bin:/bin");
    b.environment().put("ROCPORT_CACHE", folder.resolve("cache").toString());
    b.environment().putAll(more);
    b.directory(in.toFile());
    b.redirectErrorStream(true);
    Process p = b.start();
    p.getOutputStream().close();
    String text = new String(p.getInputStream().readAllBytes());
    return text + p.waitFor();
  }

  private String launch(Path tree) throws IOException, InterruptedException {
    return launch(folder, arguments(tree), Map.of());
  }

  private static final String STARTED = "started\n0";
  private static final String ANSWER = "text: \\d\\.\\d s, \\d+\\.\\d MB/s\ntimes: stamps .* s\n1";

  private static Map<String, Change> changes() {
    Map<String, Change> all = new LinkedHashMap<>();
    all.put("edited-with-the-same-size-and-time", (t, o) -> edit(t.resolve("a.cu")));
    all.put("header-edited", (t, o) -> edit(t.resolve("sub/b.cuh")));
    all.put("copied-file-edited", (t, o) -> edit(t.resolve("sub/data.txt")));
    all.put("new-file", (t, o) -> Files.createFile(t.resolve("sub/c.cu")));
    all.put("new-folder", (t, o) -> Files.createDirectory(t.resolve("empty/more")));
    all.put("deleted", (t, o) -> Files.delete(t.resolve("sub/b.cuh")));
    all.put("renamed", (t, o) -> Files.move(t.resolve("a.cu"), t.resolve("b.cu")));
    all.put(
        "link",
        (t, o) -> {
          Files.delete(t.resolve("link.txt"));
          Files.createSymbolicLink(t.resolve("link.txt"), Path.of("sub/b.cuh"));
        });
    all.put("configuration", (t, o) -> Files.createFile(t.resolve(".rocport.yaml")));
    all.put("decisions", (t, o) -> Files.createDirectory(t.resolve(".rocport")));
    all.put("output-edited", (t, o) -> edit(o.resolve("a.cu")));
    all.put("output-deleted", (t, o) -> Files.delete(o.resolve("sub/data.txt")));
    all.put("output-folder-deleted", (t, o) -> Files.delete(o.resolve("empty")));
    all.put("output-link", (t, o) -> Files.delete(o.resolve("link.txt")));
    all.put("own-header-deleted", (t, o) -> deleteAll(o.resolve("rocport")));
    all.put("state", (t, o) -> edit(o.resolve(".rocport/port.json")));
    all.put("another-run", (t, o) -> Files.createFile(o.resolve(".rocport/port.json.journal")));
    all.put("answer", (t, o) -> edit(o.resolve(".rocport/unchanged/answer")));
    return all;
  }

  private static void edit(Path file) throws IOException {
    FileTime time = Files.getLastModifiedTime(file);
    byte[] bytes = Files.readAllBytes(file);
    bytes[0] ^= 1;
    Files.write(file, bytes);
    Files.setLastModifiedTime(file, time);
  }

  private static void deleteAll(Path folder) throws IOException {
    try (var files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        Files.delete(file);
      }
    }
  }

  @Test
  void noChangeIsMissed() throws Exception {
    for (String name : changes().keySet()) {
      tree(name);
    }
    Thread.sleep(OLD);
    for (var change : changes().entrySet()) {
      Path tree = folder.resolve(change.getKey());
      assertThat(port(tree)).isPresent();
      assertThat(launch(tree)).as("before %s", change.getKey()).matches(ANSWER);
      change.getValue().in(tree, out(tree));
      assertThat(launch(tree)).as(change.getKey()).isEqualTo(STARTED);
    }
  }

  @Test
  void theTextIsAboutWhatAnUnchangedRunFinds() throws Exception {
    Path tree = tree("tree");
    Files.writeString(
        tree.resolve("sub/c.cu"), "__global__ void k() { asm volatile(\"wgmma.fence\"); }\n");
    Thread.sleep(OLD);
    Unchanged first = port(tree).orElseThrow();
    assertThat(first.results()).anyMatch(r -> !r.findings().isEmpty());
    Porter porter = new Porter(RuleCatalog.builtIn(), PortOptions.DEFAULT, 1);
    try (TreeTarget target =
        TreeTarget.open(
            new TreeWriter(out(tree)), ShimHeaders.ofHome(), OutputNames.same(), false)) {
      SourceTree files =
          SourceTree.walk(TreeSelection.of(List.of(tree)).withOutputs(Set.of(out(tree))));
      assertThat(porter.run(files, target, ProgressListener.NONE))
          .usingRecursiveFieldByFieldElementComparatorIgnoringFields("changes")
          .isEqualTo(first.results());
    }
    assertThat(port(tree).orElseThrow().results())
        .usingRecursiveFieldByFieldElementComparatorIgnoringFields("changes")
        .isEqualTo(first.results());
  }

  @Test
  void onlyTheSameCommandOfTheSameProgramIsAnswered() throws Exception {
    Path tree = tree("tree");
    Thread.sleep(OLD);
    assertThat(port(tree)).isPresent();
    List<String> more = new ArrayList<>(arguments(tree));
    more.add("--annotate");
    assertThat(launch(folder, more, Map.of())).isEqualTo(STARTED);
    assertThat(launch(tree, arguments(tree), Map.of())).isEqualTo(STARTED);
    assertThat(launch(folder, arguments(tree), Map.of("NO_COLOR", "1"))).isEqualTo(STARTED);
    assertThat(launch(folder, arguments(tree), Map.of("ROCPORT_JAVA_OPTS", "-Da=b")))
        .isEqualTo(STARTED);
    Files.setLastModifiedTime(jar, FileTime.fromMillis(0));
    assertThat(launch(tree)).isEqualTo(STARTED);
  }

  @Test
  void onlyRunsThatStampsDecideAreKept() throws Exception {
    Path configured = tree("configured");
    Files.createFile(configured.resolve(".rocport.yaml"));
    Path compiled = tree("compiled");
    Files.writeString(compiled.resolve("compile_commands.json"), "[]");
    Path leading = tree("leading");
    Files.createSymbolicLink(leading.resolve("outside"), folder);
    Path edited = tree("edited");
    Thread.sleep(OLD);
    assertThat(port(edited)).isPresent();
    edit(out(edited).resolve("a.cu"));
    for (Path tree : List.of(configured, compiled, leading, edited)) {
      assertThat(port(tree)).as(tree.toString()).isEmpty();
    }
    assertThat(launch(edited)).isEqualTo(STARTED);
    assertThat(port(tree("young"))).isEmpty();
  }
}
