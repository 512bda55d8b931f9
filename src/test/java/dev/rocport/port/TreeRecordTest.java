package dev.rocport.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.core.result.FileResult;
import dev.rocport.core.source.SourceTree;
import dev.rocport.core.source.TreeSelection;
import dev.rocport.core.source.TreeWriter;
import dev.rocport.port.ProgressListener.Phase;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ports of the same tree into several folders. */
@Tag("slow")
class TreeRecordTest {
  /** Files that are younger have no stamps. */
  private static final long OLD = 2_100;

  @TempDir private Path temporary;
  private Path folder;
  private Path tree;

  @BeforeEach
  void tree() throws IOException {
    folder = temporary.toRealPath();
    tree = Files.createDirectories(folder.resolve("tree"));
    write(
        "CMakeLists.txt",
        """
        cmake_minimum_required(VERSION 3.20)
        project(p LANGUAGES CXX CUDA)
        add_executable(a a.cu)
        """);
    write("sum.cuh", "__device__ int sum(int v) { return __shfl_down_sync(~0u, v, 1); }\n");
    write(
        "a.cu",
        """
        #include "sum.cuh"
        __global__ void k(int* p) { p[threadIdx.x] = sum(p[0]); asm volatile("wgmma.fence"); }
        int main() { k<<<1, 32>>>(nullptr); return cudaDeviceSynchronize(); }
        """);
    write("train.py", "import torch\n\nprint(torch.version.cuda)\n");
    write("notes.txt", "nothing\n");
    write("kernel.txt", ".version 7.0\n.target sm_80\n.visible .entry k() { ret; }\n");
  }

  private void write(String path, String text) throws IOException {
    Files.writeString(tree.resolve(path), text);
  }

  /** What a port finds, and how many files it reads for their declarations. */
  private record Ported(List<FileResult> results, Map<String, String> files, int scanned) {}

  private Ported port(String out, boolean keeps) throws IOException {
    AtomicInteger scanned = new AtomicInteger();
    ProgressListener progress =
        (phase, file, files, of, bytes) -> scanned.addAndGet(phase == Phase.SCAN ? 1 : 0);
    RuleCatalog catalog = RuleCatalog.builtIn();
    PortOptions options = PortOptions.DEFAULT;
    Porter porter =
        new Porter(
            catalog,
            options,
            new PortKey(catalog, options, RenamedSources.NONE),
            RenamedSources.NONE,
            1,
            MemoryGate.ofHeap(Long.MAX_VALUE),
            (kind, root, sources, key) ->
                keeps
                    ? Optional.of(CacheFile.in(folder.resolve("cache").resolve(kind), root, key))
                    : Optional.empty());
    TreeSelection selection = TreeSelection.of(List.of(tree));
    SourceTree files = SourceTree.walk(selection);
    Path to = folder.resolve(out);
    try (TreeTarget target =
        TreeTarget.open(new TreeWriter(to), ShimHeaders.ofHome(), OutputNames.same(), false)) {
      List<FileResult> results = new ArrayList<>(porter.run(files, target, progress));
      target.finish(files, selection, results);
      return new Ported(results, contents(to), scanned.get());
    }
  }

  private static Map<String, String> contents(Path to) throws IOException {
    Map<String, String> all = new TreeMap<>();
    try (Stream<Path> walk = Files.walk(to)) {
      for (Path file : walk.filter(Files::isRegularFile).toList()) {
        String path = to.relativize(file).toString();
        boolean isState = path.startsWith(SourceTree.STATE) && !path.endsWith("port.json");
        if (!isState) {
          all.put(path, Files.readString(file, StandardCharsets.ISO_8859_1));
        }
      }
    }
    return all;
  }

  private static void assertSame(Ported one, Ported other) {
    assertThat(one.files()).isEqualTo(other.files());
    assertThat(one.results()).isEqualTo(other.results());
  }

  @Test
  void anUnchangedTreeIsPortedFromWhatIsKept() throws Exception {
    Thread.sleep(OLD);
    Ported fresh = port("fresh", false);
    assertThat(fresh.results()).anyMatch(r -> !r.findings().isEmpty());
    Ported first = port("first", true);
    assertThat(first.scanned()).isEqualTo(2);
    Ported second = port("second", true);
    assertThat(second.scanned()).isZero();
    assertSame(first, fresh);
    assertSame(second, fresh);
    assertThat(port("second", true).results())
        .allMatch(r -> r.status() != FileResult.Status.PORTED);
  }

  @Test
  void aChangeIsLookedAt() throws Exception {
    Thread.sleep(OLD);
    port("first", true);
    write("sum.cuh", "struct sum { __device__ sum(int v) {} __device__ operator int(); };\n");
    assertSame(port("young", true), port("young-fresh", false));
    Thread.sleep(OLD);
    Ported changed = port("second", true);
    assertThat(changed.scanned()).isEqualTo(2);
    assertSame(changed, port("fresh", false));
    write("more.cu", "__global__ void more() {}\n");
    Files.delete(tree.resolve("train.py"));
    Thread.sleep(OLD);
    assertSame(port("third", true), port("third-fresh", false));
    assertThat(port("fourth", true).scanned()).isZero();
  }

  @Test
  void withoutTheKeptPortsTheTreeIsLookedAt() throws Exception {
    Thread.sleep(OLD);
    Ported first = port("first", true);
    Path ports = folder.resolve("cache/ports");
    try (Stream<Path> files = Files.list(ports)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Ported second = port("second", true);
    assertThat(second.scanned()).isEqualTo(2);
    assertSame(second, first);
    Path record;
    try (Stream<Path> files = Files.list(folder.resolve("cache/trees"))) {
      record = files.findFirst().orElseThrow();
    }
    byte[] bytes = Files.readAllBytes(record);
    bytes[bytes.length - 1] ^= 1;
    Files.write(record, bytes);
    Ported third = port("third", true);
    assertThat(third.scanned()).isEqualTo(2);
    assertSame(third, first);
  }
}
