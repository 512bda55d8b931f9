package dev.rocport.cli.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.cli.CommandLines;
import dev.rocport.render.ReportSchema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Which phases small trees need. */
class PhasesOfTreesTest {
  private static final String KERNEL =
      """
      #include <cuda_runtime.h>
      __global__ void k(int* p) { p[threadIdx.x] = 1; }
      int main() { k<<<1, 64>>>(nullptr); return cudaDeviceSynchronize(); }
      """;

  @TempDir Path folder;
  private Path tree;

  @BeforeEach
  void tree() throws IOException {
    tree = Files.createDirectory(folder.resolve("tree"));
  }

  private void write(String file, String text) throws IOException {
    Path path = tree.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  private JsonNode audit() {
    String json = CommandLines.run("audit", tree.toString(), "--format", "json").out();
    assertThat(ReportSchema.errors(json)).isEmpty();
    return JsonMapper.shared().readTree(json).get("phases");
  }

  /** The number of each phase that is not a no. */
  private static Map<Integer, String> needed(JsonNode phases) {
    Map<Integer, String> map = new TreeMap<>();
    for (JsonNode p : phases) {
      if (!p.get("needed").asString().equals("no")) {
        map.put(p.get("phase").asInt(), p.get("needed").asString());
      }
    }
    return map;
  }

  @Test
  void aTreeWithoutCudaNeedsNone() throws IOException {
    write("main.c", "int main(void) { return 0; }\n");
    write("tool.py", "import re\n# torch.compile, .cuda()\nprint(re.compile('cuda'))\n");
    JsonNode phases = audit();
    assertThat(phases.size()).isEqualTo(9);
    assertThat(needed(phases)).isEmpty();
  }

  @Test
  void kernelsAreTranslatedBuiltAndVerified() throws IOException {
    write("src/k.cu", KERNEL);
    JsonNode phases = audit();
    assertThat(needed(phases).keySet()).containsExactly(0, 1, 2, 4, 8);
    JsonNode calls = phases.get(2).get("reasons").get(1);
    assertThat(calls.get("example").asString()).isEqualTo("src/k.cu:1");
    assertThat(calls.get("count").asInt()).isGreaterThan(1);
  }

  @Test
  void pythonWithFlashAttentionNeedsLibraries() throws IOException {
    write("model.py", "from flash_attn import flash_attn_func\n");
    assertThat(needed(audit()).keySet()).containsExactly(0, 1, 5, 8);
  }

  @Test
  void compiledPythonNeedsItsPhase() throws IOException {
    write("train.py", "import torch\n\n\nmodel = torch.compile(model.cuda())\n");
    JsonNode phases = audit();
    assertThat(needed(phases).keySet()).containsExactly(0, 1, 6, 8);
    assertThat(phases.get(6).at("/reasons/0/example").asString()).isEqualTo("train.py:4");
  }

  @Test
  void cutlassIsPartOfTheArchitecture() throws IOException {
    write("gemm.cu", "#include <cutlass/gemm/device/gemm.h>\n" + KERNEL);
    JsonNode phases = audit();
    assertThat(needed(phases)).containsEntry(3, "yes").containsEntry(5, "yes");
    assertThat(phases.get(3).at("/reasons/0/what").asString()).contains("Composable Kernel");
    assertThat(phases.get(3).at("/reasons/0/example").asString()).isEqualTo("gemm.cu:1");
  }

  @Test
  void warpCodeIsPartOfTheArchitecture() throws IOException {
    write(
        "w.cu",
        """
        __global__ void k(float* p) {
          float v = p[threadIdx.x];
          v += __shfl_down_sync(0xffffffff, v, 16);
          p[threadIdx.x] = v;
        }
        """);
    assertThat(audit().get(3).at("/reasons/0/example").asString()).startsWith("w.cu:");
  }

  @Test
  void graphsAreFound() throws IOException {
    write("g.cpp", "void f(cudaGraphExec_t g) { cudaGraphLaunch(g, 0); }\n");
    assertThat(needed(audit())).containsEntry(7, "yes");
  }

  /**
   * The rule and the phase of each row of the CSV report. Cells before the message have no commas.
   */
  private Map<String, String> phasesInCsv(String command) {
    String csv = CommandLines.run(command, tree.toString(), "--format", "csv").out();
    List<String> names = List.of(csv.lines().findFirst().orElseThrow().split(","));
    int behind = names.size() - names.indexOf("phase");
    Map<String, String> phases = new TreeMap<>();
    csv.lines()
        .skip(1)
        .map(row -> List.of(row.split(",", -1)))
        .forEach(
            cells ->
                phases.put(cells.get(names.indexOf("rule")), cells.get(cells.size() - behind)));
    return phases;
  }

  @Test
  void aFindingBelongsToTheNarrowestPhase() throws IOException {
    write("gemm.cu", "#include <cutlass/gemm/device/gemm.h>\n" + KERNEL);
    write("blas.cpp", "#include <cublas_v2.h>\nvoid f() { cublasMigrateComputeType(0, 0, 0); }\n");
    write(
        "asm.cu",
        """
        // rocport: ignore PTX-INLINE never built
        __global__ void k() { asm volatile("wgmma.fence.sync.aligned;"); }
        // rocport: ignore MAKE-* suppresses nothing
        """);
    Map<String, String> phases = phasesInCsv("audit");
    assertThat(phases)
        .containsEntry("API-CUBLAS", "5")
        .containsEntry("API-OTHERS", "3")
        .containsEntry("PTX-INLINE", "2")
        .containsEntry("SUPPRESS-UNUSED", "");
    assertThat(phasesInCsv("gate")).isEqualTo(phases);
  }

  @Test
  void auditAndPortPrintTheTableFirst() throws IOException {
    write("src/k.cu", KERNEL);
    assertThat(CommandLines.run("audit", tree.toString()).out()).startsWith("phase  needed  what");
    String out = folder.resolve("out").toString();
    CommandLines port = CommandLines.run("port", tree.toString(), "--out", out);
    assertThat(port.err()).startsWith("phase  needed  what").contains("src/k.cu");
    assertThat(port.err().lines().takeWhile(l -> !l.startsWith("1 file"))).hasSize(10);
    assertThat(CommandLines.run("port", tree.toString(), "--out", out, "--quiet").err()).isEmpty();
  }

  @Test
  void aPortInPlacePrintsTheSame() throws IOException {
    write("src/k.cu", KERNEL);
    Map<Integer, String> before = needed(audit());
    String json = CommandLines.run("port", tree.toString(), "--in-place", "--format", "json").out();
    assertThat(needed(JsonMapper.shared().readTree(json).get("phases"))).isEqualTo(before);
  }

  @Test
  void aUsersSignsAreAdded() throws IOException {
    write("own.txt", "house_kernel here\n");
    Path rules = Files.createDirectory(folder.resolve("rules"));
    Files.writeString(
        rules.resolve("phases.yaml"),
        """
        phases:
          - phase: 7
            title: Graphs
            otherwise: none
            signs:
              - says: kernels of the house
                files: ["*.txt"]
                words: [house_kernel]
                maybe: true
        """);
    String[] args = {"audit", tree.toString(), "--format", "json", "--rules", rules.toString()};
    JsonNode phases = JsonMapper.shared().readTree(CommandLines.run(args).out()).get("phases");
    assertThat(needed(phases)).containsEntry(7, "maybe").containsEntry(0, "maybe");
    Files.writeString(rules.resolve("phases.yaml"), "phases: [{phase: 7, titel: x}]\n");
    CommandLines wrong = CommandLines.run(args);
    assertThat(wrong.code()).isEqualTo(2);
    assertThat(wrong.err()).contains("titel");
  }
}
