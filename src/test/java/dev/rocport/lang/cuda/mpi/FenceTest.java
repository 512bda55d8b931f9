package dev.rocport.lang.cuda.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.core.result.Finding;
import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.cuda.CudaPorter;
import dev.rocport.lang.cuda.symbols.ProjectIndex;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The copy in one file, the call of MPI in another. */
final class FenceTest {
  private static final CudaPorter PORTER =
      new CudaPorter(RuleCatalog.builtIn(), PortOptions.DEFAULT);
  private static final String COPY =
      """
      #include <cuda_runtime.h>
      void stage(void *to, const void *from, size_t n, cudaStream_t s)
      {
          cudaMemcpyAsync(to, from, n, cudaMemcpyDefault, s);
      }
      """;

  @Test
  void aCallerThatCallsMpiIsSeen() {
    Changes changes =
        port(
            COPY,
            """
            #include <mpi.h>
            int send(void *b, const void *x, int n)
            {
                stage(b, x, n, 0);
                return MPI_Send(b, n, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
            }
            """);
    assertThat(text(changes))
        .contains("rocport_release(hipMemcpyAsync(to, from, n, hipMemcpyDefault, s), s);");
    assertThat(changes.findings())
        .extracting(Finding::message)
        .containsExactly(
            "cudaMemcpyAsync writes a buffer that is passed to MPI by a caller of this function:"
                + " the port adds a wait for the stream");
  }

  @Test
  void soIsOneThatCallsItThroughAnother() {
    String between = "void pack(void *b) { stage(b, b, 1, 0); cudaMemset(b, 0, 1); }\n";
    String sends = "int send(void *b) { pack(b); return PMPI_Send(b, 1, MPI_INT, 1, 0, w); }\n";
    assertThat(text(port(COPY, between, sends))).contains("rocport_release(hipMemcpyAsync");
  }

  /** Where a file with MPI calls the function, a copy that nothing passes on is only reported. */
  @Test
  void withoutSuchACallerItIsAWarning() {
    Changes changes =
        port(
            COPY,
            """
            int rank(void) { int r; MPI_Comm_rank(w, &r); return r; }
            void set(void *b) { stage(b, b, 1, 0); }
            """);
    assertThat(text(changes)).doesNotContain("rocport_release");
    assertThat(changes.findings())
        .extracting(f -> f.rule() + " " + f.severity())
        .containsExactly("MPI-RELEASE-FENCE WARNING");
  }

  @Test
  void anotherProgramOfTheTreeMayHaveMpi() {
    String synchronous = COPY.replace("Async", "").replace("Default, s", "Default");
    String other = "int send(void *b) { return MPI_Send(b, 1, MPI_INT, 1, 0, w); }\n";
    String own = "#ifdef MPI_FOUND\nint MPI_own;\n#endif\nvoid f(void *b) { stage(b, b, 1, 0); }\n";
    Changes changes = port(synchronous, other, own);
    assertThat(text(changes)).doesNotContain("rocport_release");
    assertThat(changes.findings()).isEmpty();
  }

  @Test
  void withoutMpiThereIsNothing() {
    Changes changes = port(COPY, "int send(void *b) { stage(b, b, 1, 0); return 0; }\n");
    assertThat(text(changes)).doesNotContain("rocport_release");
    assertThat(changes.findings()).isEmpty();
  }

  private static Changes port(String first, String... others) {
    List<SourceFile> files =
        java.util.stream.Stream.concat(
                java.util.stream.Stream.of(SourceFile.of("memory.c", first)),
                Arrays.stream(others).map(o -> SourceFile.of("f" + o.hashCode() + ".c", o)))
            .toList();
    ProjectIndex index = ProjectIndex.of(files.stream().map(PORTER::scan).toList());
    return PORTER.port(files.getFirst(), index);
  }

  private static String text(Changes changes) {
    byte[] bytes = changes.file().bytes();
    return new String(changes.edits().apply(bytes), StandardCharsets.UTF_8);
  }
}
