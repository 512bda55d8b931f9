package dev.rocport.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.report.Finding;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.source.SourceFile;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the porting of one file takes from the others of its project. */
final class ProjectTest {
  private static final CudaPorter PORTER =
      new CudaPorter(RuleCatalog.builtIn(), PortOptions.DEFAULT);

  private static final SourceFile TEXTURES =
      SourceFile.of("textures.cuh", "texture<float> row;\nstatic texture<int, 2> image;\n");

  @Test
  void texturesOfAnotherFileAreReadThroughTheirHandles() {
    SourceFile kernel =
        SourceFile.of(
            "kernel.cu",
            """
            __device__ float get(int i) { return tex1Dfetch(row, i); }
            __global__ void k(float* image, float* o) { o[0] = get(1) + image[2]; }
            void host(float* d) { cudaBindTexture(0, row, d); }
            """);
    assertThat(port(kernel, TEXTURES, kernel))
        .contains("rocport::tex1Dfetch(row_handle, i)")
        .contains("get(1) + image[2]")
        .contains("rocport::bindTexture(0, row, d)");
  }

  @Test
  void aVariableOfTheSameNameInAnotherFileIsNoTexture() {
    SourceFile kernel =
        SourceFile.of(
            "kernel.cu",
            """
            __device__ float* row;
            __device__ float get(int i) { return row[i]; }
            """);
    assertThat(port(kernel, TEXTURES, kernel)).endsWith(text(kernel));
  }

  @Test
  void aTemplateOfTheProjectsOwnIsNoTextureReference() {
    SourceFile own = SourceFile.of("own.h", "template <class T> class texture { T t; };\n");
    SourceFile use = SourceFile.of("use.cpp", "#include \"own.h\"\ntexture<float> sky;\n");
    assertThat(port(use, own, use)).endsWith(text(use));
    assertThat(changes(use, own, use).findings()).extracting(Finding::rule).isEmpty();
  }

  private static Changes changes(SourceFile file, SourceFile... project) {
    List<ProjectIndex.Scan> scans = Arrays.stream(project).map(PORTER::scan).toList();
    return PORTER.port(file, ProjectIndex.of(scans));
  }

  private static String port(SourceFile file, SourceFile... project) {
    byte[] ported = changes(file, project).edits().apply(file.bytes());
    return new String(ported, StandardCharsets.UTF_8);
  }

  private static String text(SourceFile file) {
    return new String(file.bytes(), StandardCharsets.UTF_8);
  }
}
