package dev.rocport.cli.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.cli.CommandLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code port FILE --lines}. */
final class LinesPortTest {
  private static final String TEXT =
      """
      #include <cuda_runtime.h>
      __global__ void k(int *p);
      void f(int *p) {
        k
            <<<1,
               32
            >>>
            (p);
        cudaFree(p);
      }
      int g() { return cuGraphicsD3D9RegisterResource(1); }
      """;

  private static final String COMPILE = "torch.compile(f, mode=\"max-autotune\")\n";

  @TempDir private Path folder;

  private String lines(String lines, String... more) throws IOException {
    Path in = folder.resolve("k.cu");
    Path out = folder.resolve("k.hip");
    Files.writeString(in, TEXT);
    Files.deleteIfExists(out);
    String[] args = {"port", in.toString(), "--out", out.toString(), "--lines", lines};
    String[] all = java.util.Arrays.copyOf(args, args.length + more.length);
    System.arraycopy(more, 0, all, args.length, more.length);
    CommandLines ran = CommandLines.run(all);
    return ran.code() + " " + ran.err() + (Files.exists(out) ? Files.readString(out) : "");
  }

  @Test
  void otherLinesStay() throws IOException {
    assertThat(lines("9"))
        .startsWith("0 ")
        .contains("hipFree(p)", "<hip/hip_runtime.h>", "<<<1,\n")
        .doesNotContain("cuGraphicsD3D9RegisterResource [");
  }

  @Test
  void findingsOfTheLinesAreTold() throws IOException {
    assertThat(lines("10-11")).startsWith("1 ").contains("k.cu:11:", "cudaFree(p)");
  }

  /** The lines of the launch become one, together with the changed line after them. */
  @Test
  void aChangeOfSeveralLinesIsMadeAsAWhole() throws IOException {
    assertThat(lines("5", "--launch", "ggl"))
        .contains("hipLaunchKernelGGL(k, dim3(1), dim3(32), 0, 0, p);", "hipFree(p)");
    assertThat(lines("2-3", "--launch", "ggl")).contains(TEXT);
  }

  @Test
  void changesThatBelongTogetherAreNotMadeInPart() throws IOException {
    Path in = folder.resolve("m.py");
    String text = "import torch\n" + COMPILE;
    Files.writeString(in, text);
    Path out = folder.resolve("out");
    CommandLines ran =
        CommandLines.run("port", in.toString(), "--out", out.toString(), "--lines", "2");
    assertThat(ran.err()).contains("m.py: failed: its changes belong together");
    assertThat(Files.readString(out.resolve("m.py"))).isEqualTo(text);
    assertThat(ran.code()).isEqualTo(2);
  }

  @Test
  void aSecondRunTellsTheSame() throws IOException {
    Path python = PortRun.write(folder.resolve("m.py"), "import torch\n" + COMPILE);
    Path cuda = PortRun.write(folder.resolve("k.cu"), TEXT);
    Path out = folder.resolve("out");
    for (int run = 1; run <= 2; run++) {
      PortRun failed = PortRun.of("port", python, "--out", out, "--lines", "2");
      assertThat(failed.err()).as("run " + run).contains("m.py: failed: its changes belong");
      assertThat(failed.code()).as("run " + run).isEqualTo(2);
      PortRun inside = PortRun.of("port", cuda, "--out", out, "--lines", "9");
      assertThat(inside.err()).as("run " + run).doesNotContain("k.cu:11:");
      assertThat(inside.code()).as("run " + run).isZero();
      assertThat(out.resolve("k.cu")).content().contains("hipFree(p)", "<<<1,\n");
    }
    PortRun other = PortRun.of("port", cuda, "--out", out, "--lines", "10-11");
    assertThat(other.err()).contains("k.cu:11:");
    assertThat(other.code()).isOne();
    assertThat(out.resolve("k.cu")).content().contains("cudaFree(p)");
  }

  @Test
  void wrongUsesAreRefused() throws IOException {
    assertThat(lines("0-3")).startsWith("2 rocport: --lines must be lines such as 10-40");
    assertThat(lines("1", "--style", "single-source")).contains("--lines requires --style hip");
    CommandLines place =
        CommandLines.run("port", folder.resolve("k.cu").toString(), "--in-place", "--lines", "1");
    assertThat(place.err()).contains("--lines requires one file as PATH");
    CommandLines as = CommandLines.run("port", folder.toString(), "--diff", "--as", "k.cu");
    assertThat(as.err()).contains("--as requires PATH -");
    assertThat(as.code()).isEqualTo(2);
  }
}
