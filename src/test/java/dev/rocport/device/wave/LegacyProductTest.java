package dev.rocport.device.wave;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.device.isa.Target;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Products in which 0 times anything is 0, with the results to which LLVM folds {@code
 * llvm.amdgcn.fma.legacy} and {@code llvm.amdgcn.fmul.legacy} of the same constants.
 */
final class LegacyProductTest {
  private static final int MUL = 7 << 25 | 2 << 17 | 1 << 9 | 256; // v_mul_dx9_zero_f32 v2, v0, v1
  private static final int FMAC = 6 << 25 | 2 << 17 | 1 << 9 | 256;
  private static final int FMA = 0xd6090002; // v_fma_dx9_zero_f32 v2, v0, v1, v2
  private static final int FMA_SOURCES = 256 | 257 << 9 | 258 << 18;

  private static float run(float a, float b, float c, Target target, int... words) {
    Wave wave = Wave32Test.wave(target, words);
    float[] values = {a, b, c};
    for (int r = 0; r < values.length; r++) {
      wave.v[r * Wave.LANES + 5] = Float.floatToRawIntBits(values[r]);
    }
    wave.run(1);
    return Float.intBitsToFloat(wave.v[2 * Wave.LANES + 5]);
  }

  @ParameterizedTest
  @CsvSource({
    "0, Infinity, -0.0, 0, 0",
    "-3, -0.0, 5, 0, 5",
    "NaN, 0, 2, 0, 2",
    "-0.0, -1, -Infinity, 0, -Infinity",
    "3, -2, 1.5, -6, -4.5",
    // rounded once: 1 - 2^-24 squared is 1 - 2^-23 + 2^-48
    "0.99999994, 0.99999994, -0.9999999, 0.9999999, 3.5527137E-15",
    "NaN, 1, 2, NaN, NaN"
  })
  void zeroTimesAnythingIsZero(float a, float b, float c, float product, float sum) {
    assertThat((Object) run(a, b, c, Target.GFX1100, MUL)).isEqualTo(product);
    assertThat((Object) run(a, b, c, Target.GFX1201, MUL)).isEqualTo(product);
    assertThat((Object) run(a, b, c, Target.GFX1100, FMAC)).isEqualTo(sum);
    assertThat((Object) run(a, b, c, Target.GFX1100, FMA, FMA_SOURCES)).isEqualTo(sum);
    assertThat((Object) run(a, b, c, Target.GFX1201, FMA, FMA_SOURCES)).isEqualTo(sum);
  }
}
