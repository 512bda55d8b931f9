package dev.rocport.toolchain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.device.isa.Target;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class GpuTargetsTest {
  @Test
  void theDeviceRunsWhatIsBuiltByDefault() {
    assertThat(GpuTargets.REQUIRED)
        .extracting(GfxTarget::id)
        .containsExactlyElementsOf(Arrays.stream(Target.values()).map(Target::arch).toList());
  }
}
