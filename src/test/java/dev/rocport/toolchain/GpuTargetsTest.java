package dev.rocport.toolchain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.device.isa.Target;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class GpuTargetsTest {
  /** Clang 19 compiles for it, but the device libraries of HIP 6.4 do not know it. */
  private static final Target NEWER = Target.GFX1201;

  @Test
  void theDeviceRunsWhatCanBeBuilt() {
    assertThat(
            Stream.of(GpuTargets.REQUIRED, GpuTargets.OPTIONAL, GpuTargets.OF_THE_PROVISIONED)
                .flatMap(List::stream))
        .extracting(GfxTarget::id)
        .containsExactlyElementsOf(
            Arrays.stream(Target.values()).filter(t -> t != NEWER).map(Target::arch).toList());
  }
}
