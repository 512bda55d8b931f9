package dev.rocport.cli.port;

import static dev.rocport.cli.port.PortRun.write;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code port} prints about more than 1,000 findings. */
final class ManyFindingsTest {
  private static final String INCLUDE = "#include <cuda_runtime.h>\n";

  @TempDir Path dir;

  private String port(String source) throws IOException {
    write(dir.resolve("in/k.cu"), source);
    return PortRun.of("port", dir.resolve("in"), "--out", dir.resolve("out")).err();
  }

  @Test
  void errorsAreListedAmongManyNotes() throws IOException {
    String notes = "#if __CUDA_ARCH__ >= 300\n#endif\n".repeat(1001);
    assertThat(port(INCLUDE + notes + "cudaGraphConditionalHandle h;\n"))
        .contains("k.cu:2004:1: error: ")
        .contains("1 error, 0 warnings, 1001 notes")
        .doesNotContain("Rules that leave the most work");
  }

  @Test
  void decisionsTakeThePlaceOfManyErrors() throws IOException {
    String handles = "cudaGraphConditionalHandle h;\n".repeat(501);
    String arrays = "cudaArraySparseProperties p;\n".repeat(501);
    String fence = "__device__ void f() { asm(\"wgmma.fence.sync.aligned;\"); }\n";
    String said = port(INCLUDE + handles + arrays + fence);
    assertThat(said)
        .doesNotContain("k.cu:2:1: error")
        .contains("Rules that leave the most work")
        .contains("1002 places in 1 file, the first at k.cu:2;");
    // The advice on PTX fits its only place; that on one name does not fit the other name.
    String names = said.substring(said.indexOf("API-RUNTIME:"), said.indexOf("PTX-INLINE:"));
    assertThat(names).doesNotContain("->");
    assertThat(said.substring(said.indexOf("PTX-INLINE:"))).contains("->");
  }
}
