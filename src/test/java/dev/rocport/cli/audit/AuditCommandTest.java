package dev.rocport.cli.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.cli.CommandLines;
import dev.rocport.render.ReportSchema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class AuditCommandTest {
  private static final String CLEAN =
      """
      #include <cuda_runtime.h>
      int main() { return cudaDeviceSynchronize(); }
      """;
  private static final String PTX =
      """
      #include <cuda_runtime.h>
      __global__ void k(int* p) {
        asm volatile("bar.sync 1;");
        p[0] = 1;
      }
      """;

  @TempDir Path folder;
  private Path tree;

  @BeforeEach
  void tree() throws IOException {
    tree = Files.createDirectory(folder.resolve("tree"));
    Files.writeString(tree.resolve("clean.cu"), CLEAN);
  }

  private CommandLines audit(String... more) {
    List<String> args = new java.util.ArrayList<>(List.of("audit", tree.toString()));
    args.addAll(List.of(more));
    return CommandLines.run(args.toArray(String[]::new));
  }

  private SortedMap<String, String> contents() throws IOException {
    SortedMap<String, String> map = new TreeMap<>();
    try (Stream<Path> walk = Files.walk(tree)) {
      for (Path p : walk.toList()) {
        FileTime time = Files.getLastModifiedTime(p);
        map.put(p.toString(), time + (Files.isRegularFile(p) ? Files.readString(p) : ""));
      }
    }
    return map;
  }

  @Test
  void aCleanTreePassesAndStaysAsItIs() throws IOException {
    SortedMap<String, String> before = contents();
    CommandLines ran = audit();
    assertThat(ran.code()).isZero();
    assertThat(ran.out()).contains("API-RUNTIME").contains("files      1 (1 ported)");
    assertThat(contents()).isEqualTo(before);
  }

  @Test
  void inlineAssemblyFailsAndIsShownWithItsPlace() throws IOException {
    Files.writeString(tree.resolve("k.cu"), PTX);
    CommandLines ran = audit();
    assertThat(ran.code()).isOne();
    assertThat(ran.out()).contains("3:3 error PTX-INLINE unported").contains("bar.sync 1;");
    assertThat(ran.out()).contains("k.cu:3:3");
  }

  @Test
  void aRowOfCsvEndsWithTheLanguageOfTheFile() throws IOException {
    Files.writeString(tree.resolve("k.cu"), PTX);
    Files.writeString(tree.resolve("k.ptx"), ".version 7.0\n.target sm_70\n.address_size 64\n");
    Files.writeString(tree.resolve("old.py"), "import torch\nprint torch.cuda.is_available()\n");
    Files.writeString(tree.resolve("Makefile"), "VERSION := $(shell nvcc --version)\n");
    Files.writeString(
        tree.resolve("own.cpp"),
        "#include <cuda.h>\nvoid f() { cuThing(); } // rocport: ignore API-UNKNOWN ours\n");
    assertThat(audit("--format", "csv").out().lines().map(r -> r.replaceAll(",.*,", " ")))
        .containsExactly(
            "path language",
            "Makefile build",
            "k.cu cuda",
            "k.ptx other",
            "old.py python",
            "own.cpp c++");
  }

  @Test
  void listsNvshmemNamesByVersion() throws IOException {
    Files.writeString(
        tree.resolve("k.cu"),
        """
        #include <nvshmem.h>
        __global__ void k(int* p, nvshmem_team_t team) {
          nvshmem_quiet();
          nvshmem_put64(p, p, 1, 0);
          nvshmemx_int_iput_block(p, p, 2, 2, 1, 0);
          nvshmemx_barrier_warpgroup(team);
        }
        void host() { nvshmem_quiet(); }
        struct Comm { void nvshmem_fence(); };
        """);
    CommandLines ran = audit("--format", "json");
    assertThat(ReportSchema.errors(ran.out())).isEmpty();
    JsonNode used = JsonMapper.shared().readTree(ran.out()).get("nvshmem");
    assertThat(used)
        .extracting(n -> n.get("name").asString() + " " + n.get("answer").asString())
        .containsExactly(
            "nvshmemx_barrier_warpgroup missing",
            "nvshmem_put64 changed",
            "nvshmem_team_t changed",
            "nvshmemx_int_iput_block added",
            "nvshmem_quiet direct");
    assertThat(used.get(4).get("places")).hasToString("[\"k.cu:3\",\"k.cu:8\"]");
    assertThat(audit().out()).contains("from 2.0", "rocport::shmem::iput_wg");
  }

  @Test
  void assemblyTextOfSeveralLiteralsIsJoined() throws IOException {
    Files.writeString(
        tree.resolve("k.cu"),
        """
        __device__ void f(int& x) {
          asm("{ .reg .u32 t;\\n"
              " frob.u32 %0, %0, 1; }" : "+r"(x));
        }
        """);
    assertThat(audit("--format", "json").out())
        .contains("inline PTX: { .reg .u32 t; frob.u32 %0, %0, 1; }; line ");
  }

  @Test
  void listsRemainingPtxByInstruction() throws IOException {
    Files.writeString(
        tree.resolve("k.cu"),
        """
        __global__ void k(unsigned* p) {
          asm volatile("mbarrier.init.shared.b64 [%0], 1;" :: "r"(p[0]));
          asm volatile("mbarrier.init.shared.b64 [%0], 2;" :: "r"(p[0]));
          asm("mov.u32 %0, %%smid;" : "=r"(p[1]));
        }
        """);
    String json = audit("--format", "json").out();
    assertThat(ReportSchema.errors(json)).isEmpty();
    JsonNode ptx = JsonMapper.shared().readTree(json).get("ptx");
    assertThat(ptx.size()).isEqualTo(2);
    assertThat(ptx.at("/0/instruction").asString()).isEqualTo("mbarrier.init.shared.b64");
    assertThat(ptx.at("/0/meaning").asString()).contains("mbarrier");
    assertThat(ptx.at("/0/count").asInt()).isEqualTo(2);
    assertThat(ptx.at("/0/places").toString()).isEqualTo("[\"k.cu:2\",\"k.cu:3\"]");
    assertThat(ptx.at("/1/instruction").asString()).isEqualTo("%smid");
    assertThat(ptx.at("/1/meaning").asString()).contains("multiprocessor");
    assertThat(audit("--format", "html").out()).contains("Leftover PTX");
  }

  @Test
  void linesOfWarpsAreTheSameInASecondPort() throws IOException {
    Files.writeString(
        tree.resolve("w.cu"),
        """
        __global__ void w(float* p) {
          float v = p[threadIdx.x];
          v += __shfl_down_sync(0xffffffff, v, 16, 16);
          p[threadIdx.x] = v;
        }
        """);
    String out = folder.resolve("out").toString();
    List<String> changes = new java.util.ArrayList<>();
    for (int i = 0; i < 2; i++) {
      String json =
          CommandLines.run("port", tree.toString(), "--out", out, "--format", "json").out();
      assertThat(ReportSchema.errors(json)).isEmpty();
      for (JsonNode file : JsonMapper.shared().readTree(json).get("files")) {
        if (file.has("changes")) {
          assertThat(file.get("status").asString()).isEqualTo(i == 0 ? "ported" : "up-to-date");
          changes.add(file.get("changes").toString());
        }
      }
    }
    assertThat(changes).hasSize(2);
    assertThat(changes.getFirst())
        .contains("\"line\":3")
        .contains("v += __shfl_down_sync(")
        .contains("rocport::");
    assertThat(changes.getLast()).isEqualTo(changes.getFirst());
  }

  @Test
  void failOnLowersTheBar() throws IOException {
    Files.writeString(tree.resolve("n.cu"), CLEAN + "// rocport: ignore NO-SUCH-RULE why not\n");
    assertThat(audit().code()).isZero();
    assertThat(audit("--fail-on", "warning").code()).isZero();
    assertThat(audit("--fail-on", "note").code()).isOne();
  }

  @Test
  void aBaselineLetsKnownFindingsPass() throws IOException {
    Files.writeString(tree.resolve("k.cu"), PTX);
    String known = folder.resolve("known.json").toString();
    assertThat(audit("--write-baseline", known).code()).isOne();
    assertThat(audit("--baseline", known).code()).isZero();
    Files.writeString(tree.resolve("k.cu"), "// moved\n" + PTX);
    assertThat(audit("--baseline", known).code()).isZero();
    Files.writeString(tree.resolve("k.cu"), PTX + PTX);
    assertThat(audit("--baseline", known).code()).isOne();
    Files.writeString(tree.resolve("k.cu"), CLEAN);
    assertThat(audit("--baseline", known).out()).contains("1 fixed");
  }

  @Test
  void aBaselineThatIsNoneStopsTheRun() {
    CommandLines ran = audit("--baseline", folder.resolve("nothing.json").toString());
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err()).contains("no such file");
  }

  @Test
  void jsonIsWhatTheSchemaSaysAndTheSameTwice() throws IOException {
    Files.writeString(tree.resolve("k.cu"), PTX);
    Files.writeString(
        tree.resolve("s.cu"),
        PTX.replace("1;\");", "1;\"); // rocport: ignore *X-INLINE x").replace("*X", "PTX"));
    CommandLines ran = audit("--format", "json");
    assertThat(ReportSchema.errors(ran.out())).isEmpty();
    assertThat(audit("--format", "json").out()).isEqualTo(ran.out());
    JsonNode root = JsonMapper.shared().readTree(ran.out());
    assertThat(root.at("/totals/suppressed").asInt()).isEqualTo(1);
    assertThat(root.at("/totals/findingsByRule/PTX-INLINE").asInt()).isEqualTo(1);
  }

  @Test
  void theReportFolderGetsEveryForm() throws IOException {
    Path reports = folder.resolve("reports/today");
    audit("--report", reports.toString());
    try (Stream<Path> list = Files.list(reports)) {
      assertThat(list.map(p -> p.getFileName().toString()).sorted())
          .containsExactly(
              "report.csv",
              "report.gitlab.json",
              "report.html",
              "report.json",
              "report.junit.xml",
              "report.md",
              "report.sarif",
              "report.txt");
    }
    assertThat(Files.getPosixFilePermissions(reports.resolve("report.json")))
        .isEqualTo(Files.getPosixFilePermissions(tree.resolve("clean.cu")));
  }

  @Test
  void aPathThatDoesNotExistIsWrongUsage() {
    CommandLines ran = CommandLines.run("audit", folder.resolve("nowhere").toString());
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains("nowhere");
  }

  @Test
  void aLibraryWithoutCounterpartIsNamedWithAdvice() throws IOException {
    Files.writeString(
        tree.resolve("u.cpp"), "#include <cuda.h>\nint f() { return cuNotThere(3); }\n");
    CommandLines ran = audit();
    assertThat(ran.out()).contains("API-UNKNOWN").contains("cuNotThere");
  }

  @Test
  void eachRepositoryIsAuditedWithItsOwnConfiguration() throws IOException {
    Path one = Files.createDirectories(folder.resolve("a/lib"));
    Path two = Files.createDirectories(folder.resolve("b/lib"));
    String code = "#include <cuda.h>\nint f() { return cuGraphicsD3D9RegisterResource(0); }\n";
    Files.writeString(one.resolve("x.cpp"), code);
    Files.writeString(two.resolve("x.cpp"), code);
    Files.writeString(
        two.resolve(".rocport.yaml"), "suppress: [{rule: API-*, reason: for Windows only}]\n");
    Path reports = folder.resolve("all");
    CommandLines ran =
        CommandLines.run(
            "audit", "--each", one.toString(), two.toString(), "--report", reports.toString());
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out().lines().map(l -> l.replaceAll(" +", " ")))
        .anyMatch(l -> l.startsWith("lib 1 2 1 1 "))
        .anyMatch(l -> l.startsWith("lib-2 2 ") && l.contains(" 0 0 0 "))
        .anyMatch(l -> l.startsWith("all "));
    assertThat(reports.resolve("lib-2/report.json")).exists();
    assertThat(Files.readString(reports.resolve("all.json"))).contains("\"lib-2\"");
    assertThat(CommandLines.run("audit", "--each", two.toString()).code()).isZero();
    CommandLines wrong = CommandLines.run("audit", "--each", "--format", "sarif", one.toString());
    assertThat(wrong.code()).isEqualTo(2);
  }

  @Test
  void eachRepositoryExcludesItsOwnFiles() throws IOException {
    Path one = Files.createDirectories(folder.resolve("a"));
    Path two = Files.createDirectories(folder.resolve("b"));
    for (Path repository : List.of(one, two)) {
      Files.writeString(
          repository.resolve("x.cpp"),
          "#include <cuda.h>\nint f() { return cuGraphicsD3D9RegisterResource(0); }\n");
    }
    Files.writeString(two.resolve(".rocport.yaml"), "exclude: x.cpp\n");
    CommandLines ran = CommandLines.run("audit", "--each", one.toString(), two.toString());
    assertThat(ran.out().lines().map(l -> l.replaceAll(" +", " ")))
        .anyMatch(l -> l.startsWith("a 1 2 1 1 "))
        .anyMatch(l -> l.startsWith("b 2 0 0 0 "));
  }
}
