package dev.rocport.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.FileResult.Status;
import dev.rocport.core.source.SourceTree;
import dev.rocport.core.source.TreeEntry;
import dev.rocport.core.source.TreeSelection;
import dev.rocport.core.source.TreeWriter;
import dev.rocport.io.Folders;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PorterFailureTest {
  private static final String SOURCE = "void f() { cudaDeviceSynchronize(); }\n";
  private static final RuleCatalog CATALOG = RuleCatalog.builtIn();

  @TempDir Path dir;
  private Path in;
  private Path out;

  @BeforeEach
  void threeFiles() throws IOException {
    in = Files.createDirectories(dir.resolve("in"));
    out = dir.resolve("out");
    for (String name : List.of("a.cu", "b.cu", "c.cu")) {
      Files.writeString(in.resolve(name), SOURCE);
    }
  }

  private List<FileResult> run(TreeWriter writer, MemoryGate memory) throws IOException {
    return run(writer, memory, ShimHeaders.ofHome());
  }

  private List<FileResult> run(TreeWriter writer, MemoryGate memory, ShimHeaders headers)
      throws IOException {
    TreeSelection selection = TreeSelection.of(List.of(in));
    SourceTree tree = SourceTree.walk(selection);
    try (TreeTarget target = TreeTarget.open(writer, headers, OutputNames.same(), false)) {
      Porter porter =
          new Porter(
              CATALOG,
              PortOptions.DEFAULT,
              new PortKey(CATALOG, PortOptions.DEFAULT, RenamedSources.NONE),
              RenamedSources.NONE,
              2,
              memory,
              CacheFile::of);
      List<FileResult> results = new ArrayList<>(porter.run(tree, target, ProgressListener.NONE));
      target.finish(tree, selection, results);
      return results;
    }
  }

  private static OutputStream full(OutputStream out) {
    return new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        throw new IOException("No space left on device");
      }

      @Override
      public void write(byte[] b, int off, int len) throws IOException {
        out.write(b, off, len / 2);
        throw new IOException("No space left on device");
      }

      @Override
      public void close() throws IOException {
        out.close();
      }
    };
  }

  @Test
  void aFullDiskIsReportedForEachFileAndLeavesNothingHalfWritten() throws IOException {
    int[] opened = {0};
    TreeWriter writer =
        new TreeWriter(
            out,
            file -> {
              OutputStream real = Files.newOutputStream(file);
              return opened[0]++ == 1 ? full(real) : real;
            });
    List<FileResult> results = run(writer, MemoryGate.ofHeap(Long.MAX_VALUE));
    assertThat(results.stream().filter(r -> r.status() == Status.FAILED))
        .singleElement()
        .satisfies(
            r -> assertThat(r.message()).isEqualTo("cannot be written: No space left on device"));
    assertThat(results.stream().filter(r -> r.status() == Status.PORTED)).hasSize(2);
    try (Stream<Path> files = Files.walk(out)) {
      assertThat(files.filter(f -> f.toString().endsWith(".tmp"))).isEmpty();
    }
    try (Stream<Path> files = Files.list(out)) {
      assertThat(files.filter(f -> f.toString().endsWith(".cu"))).hasSize(2);
    }
    assertThat(
            run(new TreeWriter(out), MemoryGate.ofHeap(Long.MAX_VALUE)).stream()
                .map(FileResult::status))
        .containsOnlyOnce(Status.PORTED)
        .contains(Status.UP_TO_DATE);
  }

  @Test
  void aFileThatTheMemoryDidNotSufficeForIsNotUpToDate() throws IOException {
    TreeSelection selection = TreeSelection.of(List.of(in));
    SourceTree tree = SourceTree.walk(selection);
    for (int i = 0; i < 2; i++) {
      try (TreeTarget target =
          TreeTarget.open(new TreeWriter(out), ShimHeaders.ofHome(), OutputNames.same(), false)) {
        TreeEntry source = tree.entries().getFirst();
        assertThat(target.unchanged(source, "key")).isNull();
        target.begin(() -> "key");
        assertThat(target.passed(0, source).status()).isNotEqualTo(Status.FAILED);
        target.finish(tree, selection, new ArrayList<>());
      }
    }
  }

  @Test
  void aHeaderOfRocportThatChangedIsWrittenAgain() throws IOException {
    Files.writeString(
        in.resolve("a.cu"), "__global__ void f(int* x) { *x = __shfl_sync(~0u, *x, 3); }\n");
    Path headers = dir.resolve("headers");
    for (Path header : Folders.list(Path.of("hip-runtime/include/rocport"))) {
      Files.copy(header, Files.createDirectories(headers).resolve(header.getFileName()));
    }
    MemoryGate memory = MemoryGate.ofHeap(Long.MAX_VALUE);
    run(new TreeWriter(out), memory, new ShimHeaders(headers));
    Files.writeString(
        headers.resolve("warp_sync.h"), "// a later version\n", StandardOpenOption.APPEND);

    run(new TreeWriter(out), memory, new ShimHeaders(headers));

    assertThat(out.resolve("rocport/warp_sync.h")).content().endsWith("// a later version\n");
  }

  @Test
  void aDiskThatIsFullWhenTheStateIsSavedLosesNothing() throws IOException {
    TreeWriter writer =
        new TreeWriter(
            out,
            file -> {
              OutputStream real = Files.newOutputStream(file);
              return file.getParent().endsWith(SourceTree.STATE) ? full(real) : real;
            });
    assertThatThrownBy(() -> run(writer, MemoryGate.ofHeap(Long.MAX_VALUE)))
        .isInstanceOf(IOException.class)
        .hasMessage("No space left on device");
    try (Stream<Path> files = Files.walk(out)) {
      assertThat(files.filter(f -> f.toString().endsWith(".tmp"))).isEmpty();
    }
    assertThat(out.resolve(".rocport/port.json")).doesNotExist();
    assertThat(
            run(new TreeWriter(out), MemoryGate.ofHeap(Long.MAX_VALUE)).stream()
                .map(FileResult::status))
        .containsOnly(Status.UP_TO_DATE);
    assertThat(out.resolve(".rocport/port.json")).exists();
  }

  @Test
  void aFileThatDoesNotFitInMemoryIsCopiedWithAnError() throws IOException {
    Files.writeString(in.resolve("b.cu"), SOURCE.repeat(200));
    List<FileResult> results = run(new TreeWriter(out), new MemoryGate(100_000, Long.MAX_VALUE));
    assertThat(results.get(1).status()).isEqualTo(Status.FAILED);
    assertThat(results.get(1).findings())
        .singleElement()
        .matches(f -> f.rule().equals("FILE-TOO-LARGE"));
    assertThat(out.resolve("b.cu")).hasSameTextualContentAs(in.resolve("b.cu"));
    assertThat(out.resolve("c.cu")).content().contains("hipDeviceSynchronize");
  }

  @Test
  void deepNestingIsPortedOrReportedAndNeverEndsTheRun() throws IOException {
    int deep = 200_000;
    Files.writeString(
        in.resolve("a.cu"), "int x = " + "(".repeat(deep) + "1" + ")".repeat(deep) + ";\n");
    Files.writeString(in.resolve("b.cu"), "void f() " + "{".repeat(deep) + "}".repeat(deep) + "\n");
    List<FileResult> results = run(new TreeWriter(out), MemoryGate.ofHeap(Long.MAX_VALUE));
    assertThat(results).hasSize(3);
    for (FileResult r : results) {
      assertThat(r.status() != Status.FAILED || !r.findings().isEmpty()).as(r.message()).isTrue();
    }
    assertThat(out.resolve("c.cu")).content().contains("hipDeviceSynchronize");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "#if __CUDA_ARCH__ >= 700\n|int x;|\n#endif",
        "#if __CUDA_ARCH__ >= 700\nasm(\"x;\");\n|int x;|\n#else\ncudaFree(p);\n#endif",
        "k<<<1, 2\n|;|",
        "k<<<(1, a<<<2\n|;|)",
      })
  @Timeout(30)
  void repeatedTextTakesLinearTime(String text) throws IOException {
    String[] parts = text.split("\\|", -1);
    int n = 60_000;
    Files.writeString(in.resolve("a.cu"), parts[0].repeat(n) + parts[1] + parts[2].repeat(n));
    TreeSelection selection = TreeSelection.of(List.of(in));
    List<FileResult> results =
        new Porter(CATALOG, PortOptions.DEFAULT, 1)
            .run(SourceTree.walk(selection), Target.NONE, ProgressListener.NONE);
    assertThat(results.getFirst().findings()).hasSizeGreaterThan(n / 2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"#include <cuda_fp16.h>\n", "a = half(b);\n", "a = b;\n"})
  @Timeout(30)
  void repeatedLinesTakeLinearTime(String line) throws IOException {
    Files.writeString(in.resolve("a.cu"), "half h; dim3 d; uint3 u;\n" + line.repeat(80_000));
    TreeSelection selection = TreeSelection.of(List.of(in));
    List<FileResult> results =
        new Porter(CATALOG, PortOptions.DEFAULT, 1)
            .run(SourceTree.walk(selection), Target.NONE, ProgressListener.NONE);
    assertThat(results.getFirst().status()).isEqualTo(Status.PORTED);
  }

  @Test
  void reportsFilesThatVanishDuringTheRun() throws IOException {
    TreeSelection selection = TreeSelection.of(List.of(in));
    SourceTree tree = SourceTree.walk(selection);
    Files.delete(in.resolve("b.cu"));
    List<FileResult> results =
        new Porter(CATALOG, PortOptions.DEFAULT, 1).run(tree, Target.NONE, ProgressListener.NONE);
    assertThat(results.get(1).status()).isEqualTo(Status.FAILED);
    assertThat(results.get(1).message()).isEqualTo("cannot be read: no such file");
    assertThat(results.get(2).status()).isEqualTo(Status.PORTED);
  }
}
