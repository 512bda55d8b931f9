package dev.rocport.device.nativecode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class HostVectorsTest {
  private static final String WIDE =
      "flags\t\t: fpu avx2 avx512f avx512dq avx512cd avx512bw avx512vl avx512_vnni";

  @Test
  void theWidestVectorsOfTheProcessorAreUsed() {
    assertThat(HostVectors.here(WIDE, Map.of())).isEqualTo(HostVectors.AVX512);
    assertThat(HostVectors.here("flags\t\t: fpu avx avx2 fma", Map.of()))
        .isEqualTo(HostVectors.AVX2);
    assertThat(HostVectors.here("", Map.of())).isEqualTo(HostVectors.AVX2);
  }

  @Test
  void allPartsOfAvx512AreNeeded() {
    assertThat(HostVectors.here(WIDE.replace("avx512bw", ""), Map.of()))
        .isEqualTo(HostVectors.AVX2);
  }

  @Test
  void aVariableSelectsAvx2() {
    assertThat(HostVectors.here(WIDE, Map.of("ROCPORT_VECTORS", "avx2")))
        .isEqualTo(HostVectors.AVX2);
  }
}
