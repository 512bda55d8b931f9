package dev.rocport.cli.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.cli.CommandLines;
import dev.rocport.cli.support.EditDistance;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ExplainCommandTest {
  @Test
  void aRuleHasAPage() {
    CommandLines ran = CommandLines.run("explain", "suppress-no-reason");
    assertThat(ran.code()).isZero();
    assertThat(ran.out())
        .contains("SUPPRESS-NO-REASON  A suppression must give a reason")
        .contains("severity warning, confidence review, in rules/report.yaml")
        .contains("Reported, not changed")
        .contains("Left unchanged");
  }

  @Test
  void aNameHasItsRow() {
    CommandLines ran = CommandLines.run("explain", "cudaMalloc");
    assertThat(ran.code()).isZero();
    assertThat(ran.out()).contains("hipMalloc").contains("API-RUNTIME");
  }

  @Test
  void aNameOfNvshmemHasItsCallAndItsVersions() {
    CommandLines ran = CommandLines.run("explain", "nvshmem_barrier");
    assertThat(ran.code()).isZero();
    assertThat(ran.out())
        .contains("rocshmem::rocshmem_barrier(team)", "on the host from 3.5")
        .contains("rocshmem::rocshmem_ctx_barrier(rocshmem::ROCSHMEM_CTX_DEFAULT, team)")
        .contains("SHMEM-COLLECTIVE");
  }

  @Test
  void aFlagOfNvccHasItsRow() {
    CommandLines ran = CommandLines.run("explain", "-arch=sm_80");
    assertThat(ran.code()).isZero();
    assertThat(ran.out())
        .isEqualTo(
            """
            --gpu-architecture (-arch)  an nvcc flag
              left out
              the targets come from --target
            """);
    assertThat(CommandLines.run("explain", "--use_fast_math").out())
        .contains("--use_fast_math  an nvcc flag", "hipcc  -fgpu-flush-denormals-to-zero", "tanhf");
    assertThat(CommandLines.run("explain", "-rdc", "--format", "json").out())
        .contains("\"hip\"", "-fgpu-rdc");
    CommandLines unknown = CommandLines.run("explain", "--use-fast-math");
    assertThat(unknown.code()).isEqualTo(2);
    assertThat(unknown.err()).contains("--use_fast_math");
  }

  @Test
  void aNameInJson() {
    JsonNode root =
        JsonMapper.shared()
            .readTree(CommandLines.run("explain", "cudaMalloc", "--format", "json").out());
    assertThat(root.at("/names/0/hip").asString()).isEqualTo("hipMalloc");
  }

  @Test
  void anUnknownNameGetsTheNearestOnes() {
    CommandLines ran = CommandLines.run("explain", "cudaMaloc");
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains("similar: cudaMalloc,");
  }

  @Test
  void distanceCountsSwapsOnceAndIgnoresCase() {
    assertThat(EditDistance.between("cudaMalloc", "cudamallco")).isOne();
    assertThat(EditDistance.between("abc", "")).isEqualTo(3);
  }
}
