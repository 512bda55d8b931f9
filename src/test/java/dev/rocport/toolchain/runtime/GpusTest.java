package dev.rocport.toolchain.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.toolchain.GfxTarget;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class GpusTest {
  @ParameterizedTest
  @CsvSource({
    "90010,gfx90a",
    "90402,gfx942",
    "90500,gfx950",
    "110000,gfx1100",
    "110001,gfx1101",
    "120001,gfx1201"
  })
  void versionsOfTheDriverAreTargets(String version, String gfx) {
    assertThat(Gpus.target(version)).contains(new GfxTarget(gfx));
  }

  @Test
  void aProcessorIsNoTarget() {
    assertThat(Gpus.target("0")).isEmpty();
    assertThat(Gpus.target("-90402")).isEmpty();
    assertThat(Gpus.target("9999999999")).isEmpty();
  }
}
