package dev.rocport.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.cli.CommandLines;
import dev.rocport.cli.support.ExitCode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class BenchCommandTest {
  private static CommandLines rejected(String... args) {
    CommandLines r = CommandLines.run(args);
    assertThat(r.code()).isEqualTo(ExitCode.USAGE.code());
    return r;
  }

  @Test
  void aComparisonNeedsTheDevice() {
    assertThat(rejected("bench", "--compare").err()).contains("--compare requires --device");
    assertThat(rejected("bench", "--checks", "--compare").err())
        .contains("--compare requires --device without --checks");
  }

  @Test
  void theDeviceMustKnowTheTargets() {
    assertThat(rejected("bench", "--device", "--target", "gfx1101").err())
        .contains("--target: unknown GPU 'gfx1101'; supported are gfx90a");
  }

  /** The other kernel is for waves of 64 lanes. */
  @Test
  @Tag("toolchain")
  void targetsAreComparedOnTheKernelsThatTheyRun() {
    CommandLines r =
        CommandLines.run(
            "bench", "--device", "--compare", "--target", "gfx1100", "--only", "histogram|mfma");
    assertThat(r.code()).isZero();
    assertThat(r.out())
        .containsPattern("gfx1100 +histogram +[0-9]+ +[0-9.]+ +1.00x")
        .contains("gfx1100  geometric mean 1.00x")
        .doesNotContain("mfma_matmul");
  }
}
