package dev.rocport.device.nativecode;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.device.isa.Decoder;
import dev.rocport.device.isa.Encoding;
import dev.rocport.device.isa.Opcode;
import dev.rocport.device.isa.Target;
import dev.rocport.device.wave.RandomWaves;
import dev.rocport.device.wave.Wave;
import dev.rocport.toolchain.TestToolchain;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Values that random programs meet once in a million instructions. */
@Tag("toolchain")
final class SpecialValuesTest {
  private static final int VOP3 = 0b110100 << 26;
  private static final int SLEEP = 0xbf8e0001;
  private static final int VECTOR = 256;

  /**
   * Factors whose product decides on which side of a tie a sum is: some are too small to be one.
   */
  private static final double[][] FACTORS = {
    {0x1p-500, 0x1p-500},
    {0x1p-600, 0x1p-480},
    {0x1p-700, 0x1p-700},
    {0x1p-1074, 0x1p-1074},
    {0x1p-1000, 0x1p80},
    {0x1p200, 0x1p-1074},
    {0, 0x1p-1000},
    {0x1.fp-560, 0x1.8000001p-512}
  };

  @Test
  void theLostPartOfASumDecidesOnATie() throws Exception {
    requireSame(
        "v_div_fmas_f64",
        (VECTOR | 2) | (VECTOR | 4) << 9 | (VECTOR | 6) << 18,
        wave -> {
          for (int lane = 0; lane < Wave.LANES; lane++) {
            double[] factors = FACTORS[lane % FACTORS.length];
            double sign = (lane & 8) == 0 ? 1 : -1;
            // An odd multiple of half the least number, times 2^128.
            double sum = ((lane & 16) == 0 ? 1 : -1) * (2 * (lane >> 5) + 5) * 0x1p-947;
            set(wave, 2, lane, sign * factors[0]);
            set(wave, 4, lane, factors[1]);
            set(wave, 6, lane, sum);
          }
          wave.s[Wave.VCC] = -1;
          wave.s[Wave.VCC + 1] = -1;
        });
  }

  @Test
  void aScaledHalfKeepsTheSignOfANan() throws Exception {
    int negated = 3 << 29;
    int inline41 = 169;
    requireSame(
        "v_ldexp_f16",
        (VECTOR | 2) | inline41 << 9 | negated,
        wave -> {
          for (int lane = 0; lane < Wave.LANES; lane++) {
            wave.v[2 * Wave.LANES + lane] = 0x7c01 + 16 * lane + (lane % 2 << 15);
          }
        });
  }

  private static void set(Wave wave, int register, int lane, double value) {
    long bits = Double.doubleToRawLongBits(value);
    wave.v[register * Wave.LANES + lane] = (int) bits;
    wave.v[(register + 1) * Wave.LANES + lane] = (int) (bits >> 32);
  }

  /** Requires that an instruction writes the same bits to v8 and v9 on both engines. */
  private static void requireSame(String name, int sources, Consumer<Wave> values)
      throws Exception {
    Opcode opcode =
        Decoder.of(Target.GFX942).opcodes().stream()
            .filter(o -> o.encoding() == Encoding.VOP3 && o.name().equals(name))
            .findFirst()
            .orElseThrow();
    int[] words = {VOP3 | opcode.number() << 16 | 8, sources, SLEEP};
    try (RandomWaves waves = new RandomWaves(words, Target.GFX942)) {
      for (HostVectors vectors : HostVectors.all()) {
        HostCompiler compiler =
            new HostCompiler(TestToolchain.get().clang(), vectors, Duration.ofMinutes(2));
        WaveFunction.Written written =
            WaveFunction.write(Region.of(waves.code(), 0, true), vectors.lanes);
        NativeBlock.Library library =
            NativeBlock.Library.load(compiler.compile(written.text()).orElseThrow());
        NativeBlock block = new NativeBlock(library, 0, written.entries(), null);
        int[] one = results(waves, values, wave -> block.run(wave, 2));
        int[] other = results(waves, values, wave -> wave.run(2));
        assertThat(one).as(vectors.name()).isEqualTo(other);
      }
    }
  }

  private static int[] results(RandomWaves waves, Consumer<Wave> values, RandomWaves.Work work) {
    Wave ran =
        waves
            .run(
                0,
                1,
                -1L,
                wave -> {
                  values.accept(wave);
                  work.run(wave);
                })
            .wave();
    assertThat(ran.instructions).isEqualTo(2);
    return Arrays.copyOfRange(ran.v, 8 * Wave.LANES, 10 * Wave.LANES);
  }
}
