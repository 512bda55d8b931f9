package dev.rocport.cli.editor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.eclipse.lsp4j.Diagnostic;
import org.eclipse.lsp4j.InlayHintParams;
import org.eclipse.lsp4j.Position;
import org.eclipse.lsp4j.Range;
import org.eclipse.lsp4j.TextDocumentIdentifier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Decisions about warps and sizes of blocks between the code. */
class HintsTest {
  private static final String WARPS =
      """
      __global__ void wide(const int* in, int* out) {
        int v = in[blockIdx.x * blockDim.x + threadIdx.x];
        for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
        if (threadIdx.x % 32 == 0) atomicAdd(out, v);
      }
      __global__ void keep(int* out) {
        int v = __shfl_sync(0xffffffffu, threadIdx.x, 0);
        out[threadIdx.x] = v + threadIdx.x / 32;
      }
      void f(const int* in, int* out) {
        constexpr int kThreads = 4 * 32;
        wide<<<1, kThreads>>>(in, out);
        dim3 block(16, 2);
        keep<<<1, block>>>(out);
      }
      """;

  @TempDir private Path folder;

  private static List<String> hints(Session session, String file, int first, int last)
      throws Exception {
    session.findings(file);
    return session
        .server
        .getTextDocumentService()
        .inlayHint(
            new InlayHintParams(
                new TextDocumentIdentifier(session.uri(file)),
                new Range(new Position(first, 0), new Position(last, 0))))
        .get(60, TimeUnit.SECONDS)
        .stream()
        .map(
            h -> {
              Position at = h.getPosition();
              String line = session.text(file).split("\n", -1)[at.getLine()];
              return line.substring(0, at.getCharacter()).strip() + "|" + h.getLabel().getLeft();
            })
        .toList();
  }

  @Test
  void decisionsAndSizesAreInTheCode() throws Exception {
    Files.writeString(folder.resolve("a.cu"), WARPS);
    try (Session session = new Session(folder)) {
      session.open("a.cu");
      assertThat(hints(session, "a.cu", 0, 99))
          .containsExactly(
              "__global__ void wide|whole waves",
              "__global__ void wide|blocks of 128",
              "__global__ void keep|groups of 32 lanes",
              "__global__ void keep|blocks of 32",
              "wide<<<1, kThreads>>>|128 threads",
              "keep<<<1, block>>>|16 × 2 = 32 threads");
      assertThat(hints(session, "a.cu", 5, 6)).hasSize(2);
      // 96 threads are not a whole number of waves.
      session.edit("a.cu", 10, 27, 10, 28, "3");
      assertThat(hints(session, "a.cu", 0, 0))
          .containsExactly(
              "__global__ void wide|groups of 32 lanes", "__global__ void wide|blocks of 96");
    }
  }

  /** The decisions are analyses: before the next one is done, they move with their lines. */
  @Test
  void tokensComeFirst() throws Exception {
    Files.writeString(folder.resolve("a.cu"), WARPS);
    try (Session session = new Session(folder)) {
      session.open("a.cu");
      List<String> first = session.rules("a.cu");
      assertThat(first).contains("W64-WIDE", "W64-UNSURE");
      session.edit("a.cu", 0, 0, 0, 0, "// more\n");
      List<String> all = places(session.findings("a.cu"));
      assertThat(places(session.previews.getLast().getDiagnostics()))
          .containsExactlyInAnyOrderElementsOf(all);
      assertThat(session.rules("a.cu")).isEqualTo(first);
    }
  }

  private static List<String> places(List<Diagnostic> found) {
    return found.stream().map(d -> d.getRange() + d.getCode().getLeft()).toList();
  }

  @Test
  void launchesOfOtherFilesCount() throws Exception {
    Files.writeString(folder.resolve("k.cuh"), "template <int N> __global__ void k(int* p) {}\n");
    Files.writeString(
        folder.resolve("a.cu"),
        """
        #include "k.cuh"
        void f(int* p) { int block = 128; k<4><<<1, block>>>(p); }
        void g(int* p, int n) { k<4><<<1, n>>>(p); unknown<<<1, 2 * 2>>>(p); }
        """);
    Files.writeString(folder.resolve("CMakeLists.txt"), "project(x CUDA)\n");
    try (Session session = new Session(folder)) {
      session.open("k.cuh");
      session.open("a.cu");
      session.open("CMakeLists.txt");
      assertThat(hints(session, "k.cuh", 0, 9))
          .containsExactly("template <int N> __global__ void k|blocks of 128, ...");
      assertThat(hints(session, "a.cu", 0, 9))
          .containsExactly(
              "void f(int* p) { int block = 128; k<4><<<1, block>>>|128 threads",
              "void g(int* p, int n) { k<4><<<1, n>>>(p); unknown<<<1, 2 * 2>>>|4 threads");
      assertThat(hints(session, "CMakeLists.txt", 0, 9)).isEmpty();
    }
  }

  /** A client asks when it opens a document, which may be before the folder has been read. */
  @Test
  void clientsAskAgainOnceTheFolderIsRead() throws Exception {
    Files.writeString(folder.resolve("a.cu"), WARPS);
    try (Session session = new Session(folder)) {
      assertThat(session.refreshed.await(60, TimeUnit.SECONDS)).isTrue();
    }
  }
}
