package dev.rocport.cli.port;

import static dev.rocport.cli.port.PortRun.write;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.core.result.PortStatus.Step;
import dev.rocport.port.status.Steps;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class StatusCommandTest {
  private static final String CODE =
      """
      __global__ void __launch_bounds__(64) first(int* p) { *p = 1; }
      template <typename T> __global__ void second(T* p) {
        asm("wgmma.fence.sync.aligned;");
      }
      void f() { cudaDeviceSynchronize(); }
      """;

  private static final String PROGRAM = "build-rocport/bin/program";

  @TempDir private Path dir;
  private Path in;
  private Path out;

  @BeforeEach
  void port() throws IOException {
    in = dir.resolve("in");
    out = dir.resolve("out");
    write(in.resolve("k.cu"), CODE);
    write(in.resolve("ok.cu"), "extern \"C\" __global__ void third() {}\n");
    PortRun.of("port", in, "--out", out, "--quiet");
  }

  private JsonNode status(Object... more) {
    Object[] args = new Object[4 + more.length];
    System.arraycopy(new Object[] {"status", out, "--format", "json"}, 0, args, 0, 4);
    System.arraycopy(more, 0, args, 4, more.length);
    PortRun run = PortRun.of(args);
    assertThat(run.code()).as(run.err()).isZero();
    return JsonMapper.shared().readTree(run.out());
  }

  private Steps steps() {
    return Steps.around(out).orElseThrow();
  }

  private static Step built(String subject, boolean ok, String... kernels) {
    String outcome = ok ? "linked" : "failed";
    return new Step("build", subject, ok, outcome, List.of(kernels), "2026-01-02");
  }

  @Test
  void aPortThatWasNotBuiltHasItsErrorsFirst() {
    JsonNode status = status();
    assertThat(status.at("/figures/kernels").asInt()).isEqualTo(3);
    assertThat(status.at("/figures/kernels ported").asInt()).isOne();
    assertThat(status.at("/figures/open errors").asInt()).isOne();
    assertThat(status.at("/kernels").valueStream().map(k -> k.path("name").asString("")))
        .containsExactly("first", "second", "third");
    assertThat(status.at("/kernels/0/built").asBoolean()).isFalse();
    assertThat(status.at("/next/0").asString()).startsWith("PTX-INLINE (1 place, first k.cu:3):");
    assertThat(status.at("/next/1").asString()).startsWith("build the tree");
    assertThat(status.at("/changes")).isEmpty();
  }

  @Test
  void kernelsFollowTheProgramsThatContainThem() throws IOException {
    status();
    steps().replace("build", List.of(built(PROGRAM, true, "_Z5firstPi", "third")));
    steps().add("run", PROGRAM, true, "exit code 0");
    JsonNode status = status();
    assertThat(status.at("/kernels/0/built").asBoolean()).isTrue();
    assertThat(status.at("/kernels/0/run").asBoolean()).isTrue();
    assertThat(status.at("/kernels/1/built").asBoolean()).isFalse();
    assertThat(status.at("/kernels/2/run").asBoolean()).isTrue();
    assertThat(status.at("/kernels/2/checked").asBoolean()).isFalse();
    assertThat(status.at("/changes").valueStream().map(JsonNode::asString))
        .containsExactly("kernels built: 0 -> 2", "kernels run: 0 -> 2");
    steps().add("check", PROGRAM, true, "no defect found");
    steps().add("run", PROGRAM, false, "exit code 3");
    status = status();
    assertThat(status.at("/kernels/2/checked").asBoolean()).isTrue();
    assertThat(status.at("/next").toString())
        .contains("run of build-rocport/bin/program failed: exit code 3");
  }

  @Test
  void aVerificationIsReadFromItsReport() throws IOException {
    String report =
        """
        {"schema": "1.0", "tool": {"name": "rocport"}, "command": "verify", "verify": {"cases":
         [{"fixture": "k", "run": "a", "target": "gfx942", "status": "%s"}]}}
        """;
    Path good = write(dir.resolve("good.json"), report.formatted("ok"));
    assertThat(status("--verified", good).at("/figures/kernels compared").asInt()).isEqualTo(3);
    Path bad = write(dir.resolve("bad.json"), report.formatted("failed"));
    JsonNode failed = status("--verified", bad);
    assertThat(failed.at("/figures/kernels compared").asInt()).isZero();
    assertThat(failed.at("/next").toString()).contains("why the verification failed");
    Path other = write(dir.resolve("x.json"), report.replace("verify\", ", "audit\", "));
    assertThat(PortRun.of("status", out, "--verified", other).err())
        .contains("not a report of 'rocport verify'");
  }

  @Test
  void decisionsAreCounted() throws IOException {
    write(
        in.resolve(".rocport/decisions.yaml"),
        "decisions:\n- {id: 0123456789abcdef, do: skip, reason: x}\n");
    assertThat(status().at("/figures/decisions to skip").asInt()).isOne();
  }

  @Test
  void textAndPageSayTheSame() throws IOException {
    Path page = dir.resolve("status.html");
    PortRun run = PortRun.of("status", out, "--html", page);
    assertThat(run.code()).isZero();
    assertThat(run.out())
        .containsPattern("second +no +no +no +no +no +k.cu")
        .contains("Worth doing next\n  - PTX-INLINE");
    assertThat(Files.readString(page))
        .contains("<title>rocport status: " + out.toRealPath() + "</title>")
        .contains("PTX-INLINE (1 place, first k.cu:3)")
        .contains("<code>second</code>")
        .doesNotContain("<script");
  }

  @Test
  void whatCannotBeReadIsAnError() throws IOException {
    assertThat(PortRun.of("status", in).err()).contains("nothing was ported into");
    assertThat(PortRun.of("status", dir.resolve("none")).code()).isEqualTo(2);
    write(out.resolve(".rocport/steps.json"), "[");
    PortRun damaged = PortRun.of("status", out);
    assertThat(damaged.code()).isEqualTo(2);
    assertThat(damaged.err()).contains("steps.json is damaged");
    assertThat(steps().noteBuild(List.of())).contains("cannot note this").contains("is damaged");
    assertThat(Steps.note("run", out.resolve("k.cu"), true, "")).contains("steps.json");
    assertThat(Steps.note("run", in.resolve("k.cu"), true, "")).isEmpty();
  }
}
