package dev.rocport.toolchain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.device.isa.Target;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class GpuTargetsTest {
  @Test
  void theDeviceRunsWhatCanBeBuilt() {
    assertThat(
            Stream.of(GpuTargets.REQUIRED, GpuTargets.OPTIONAL, GpuTargets.OF_THE_PROVISIONED)
                .flatMap(List::stream))
        .extracting(GfxTarget::id)
        .containsExactlyElementsOf(Arrays.stream(Target.values()).map(Target::arch).toList());
  }
}
