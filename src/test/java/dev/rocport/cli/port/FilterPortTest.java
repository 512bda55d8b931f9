package dev.rocport.cli.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.TestClasses;
import dev.rocport.io.process.Exec;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code port -}, as a shell runs it. */
@Tag("slow")
final class FilterPortTest {
  private static final String TEXT =
      "#include <cuda_runtime.h>\nvoid f(void *p) {\n  cudaFree(p);\n  cudaFree(p);\n}\n";

  @TempDir private Path folder;

  @BeforeEach
  void launcher() throws Exception {
    TestClasses.launcher(folder.resolve("bin/rocport"));
    Files.writeString(folder.resolve("in"), TEXT);
  }

  private Exec.Outcome filter(String options) throws Exception {
    return Exec.run(
        List.of("sh", "-c", "bin/rocport port - " + options + " < in > out"),
        folder,
        Map.of(),
        Duration.ofMinutes(1));
  }

  private String out() throws Exception {
    return Files.readString(folder.resolve("out"), StandardCharsets.ISO_8859_1);
  }

  @Test
  void thePortGoesToStandardOutput() throws Exception {
    Exec.Outcome ran = filter("--as src/k.cu");
    assertThat(out())
        .isEqualTo(TEXT.replace("cuda_runtime.h", "hip/hip_runtime.h").replace("cudaF", "hipF"));
    assertThat(ran.stderr()).contains("1 file: 1 ported; 3 edits");
    assertThat(ran.code()).isZero();
    assertThat(folder.resolve("src")).doesNotExist();
  }

  @Test
  void onlySomeLinesChange() throws Exception {
    filter("--as k.cu --lines 4");
    assertThat(out())
        .isEqualTo(
            "#include <hip/hip_runtime.h>\nvoid f(void *p) {\n  cudaFree(p);\n  hipFree(p);\n}\n");
    Exec.Outcome none = filter("--as k.cu --lines 5-9");
    assertThat(out()).isEqualTo(TEXT);
    assertThat(none.stderr()).contains("0 edits");
  }

  @Test
  void bytesThatAreNotUtf8Stay() throws Exception {
    Files.writeString(
        folder.resolve("in"), "// gr\u00fc\u00df\r\n" + TEXT, StandardCharsets.ISO_8859_1);
    filter("--as k.cu -q");
    assertThat(out()).startsWith("// gr\u00fc\u00df\r\n#include <hip/");
  }

  @Test
  void findingsGoToStandardErrorAndTextThatIsNotPortedComesOut() throws Exception {
    String text = "#include <cuda.h>\nint f() { return cuGraphicsD3D9RegisterResource(1); }\n";
    Files.writeString(folder.resolve("in"), text);
    Exec.Outcome ran = filter("--as k.cpp");
    assertThat(ran.stderr()).contains("k.cpp:2:").contains(": error: ");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(out()).contains("cuGraphicsD3D9RegisterResource");
    Files.writeString(folder.resolve("in"), "cudaFree\n");
    assertThat(filter("--as notes.txt").code()).isZero();
    assertThat(out()).isEqualTo("cudaFree\n");
  }

  @Test
  void wrongUsesPrintNothing() throws Exception {
    for (String options :
        List.of(
            "",
            "--as k.cu --diff",
            "--as ../k.cu",
            "--as k.cu --format json",
            "--as k.cu --style single-source",
            "--as k.cu --lines 4-2",
            "--as k.cu --lines x")) {
      Exec.Outcome ran = filter(options);
      assertThat(ran.code()).as(options).isEqualTo(2);
      assertThat(ran.stderr()).startsWith("rocport: ");
      assertThat(out()).isEmpty();
    }
  }
}
