package dev.rocport.device.nativecode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.rocport.TestProfile;
import dev.rocport.device.isa.Decoder;
import dev.rocport.device.isa.Encoding;
import dev.rocport.device.isa.Opcode;
import dev.rocport.device.isa.Target;
import dev.rocport.device.wave.RandomWaves;
import dev.rocport.device.wave.Wave;
import dev.rocport.toolchain.TestToolchain;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Values that random programs meet once in a million instructions. The quick profile compiles each
 * operation for one kind of the host's vectors, the full profile for all that the host has.
 */
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

  /** The bits of both engines are the same, whichever sources are NaNs, and whatever is negated. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "add f16 f32 f64",
        "sub f16 f32",
        "subrev f16 f32",
        "mul f16 f32 f64",
        "fma f16 f32 f64",
        "min f16 f32 f64",
        "max f16 f32 f64",
        "min3 f16 f32",
        "max3 f16 f32",
        "med3 f16",
        "trunc f16 f32 f64",
        "ceil f16 f32 f64",
        "floor f16 f32 f64",
        "rndne f16 f32 f64",
        "fract f16 f32 f64",
        "ldexp f16 f32 f64",
        "frexp_mant f32 f64",
        "rcp f16 f32 f64",
        "rsq f16 f32 f64",
        "sqrt f16 f32 f64",
        "exp f16 f32",
        "log f16 f32",
        "sin f32",
        "cos f32",
        "div_fmas f32 f64",
        "div_fixup f32 f64"
      })
  void nansAreTheSame(String operations) throws Exception {
    String[] words = operations.split(" ");
    for (String type : List.of(words).subList(1, words.length)) {
      Opcode opcode = find("v_" + words[0] + "_" + type).orElseThrow();
      int all = (1 << sources(opcode)) - 1;
      List<Integer> code = new ArrayList<>();
      for (int negated = 0; negated <= all; negated++) {
        for (int absolute : new int[] {0, 5 & all}) {
          code.add(VOP3 | opcode.number() << 16 | absolute << 8 | 8 + code.size());
          code.add(registers(opcode) | negated << 29);
        }
      }
      code.add(SLEEP);
      requireSame(
          code.stream().mapToInt(Integer::intValue).toArray(), wave -> setSources(wave, type));
    }
  }

  private static int sources(Opcode opcode) {
    return (int) opcode.slots().stream().filter(s -> s.name().startsWith("src")).count();
  }

  /** The sources v2, v4 and v6, as many as there are. */
  private static int registers(Opcode opcode) {
    int word = VECTOR | 2;
    int sources = sources(opcode);
    return word | (sources > 1 ? (VECTOR | 4) << 9 : 0) | (sources > 2 ? (VECTOR | 6) << 18 : 0);
  }

  /** Each triple of a few values somewhere, in registers 2 to 7. */
  private static void setSources(Wave wave, String type) {
    long[] values =
        switch (type) {
          case "f16" -> new long[] {0x7e01, 0xfe02, 0x7c03, 0x3c00};
          case "f32" -> new long[] {0x7fc00001, 0xffc00002, 0x7f800003, 0x3f800000};
          default ->
              new long[] {
                0x7ff8_0000_0000_0001L, 0xfff8_0000_0000_0002L, 0x7ff0_0000_0000_0003L, 0x3ffL << 52
              };
        };
    for (int lane = 0; lane < Wave.LANES; lane++) {
      for (int source = 0; source < 3; source++) {
        long bits = values[lane >> 2 * source & 3];
        set(wave, 2 + 2 * source, lane, bits);
      }
    }
    wave.s[Wave.VCC] = 0x5a5a5a5a;
    wave.s[Wave.VCC + 1] = 0x5a5a5a5a;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "v_add_f16",
        "v_add_f32",
        "v_add_f64",
        "v_sub_f16",
        "v_sub_f32",
        "v_mul_f16",
        "v_mul_f32",
        "v_mul_f64",
        "v_fma_f16",
        "v_fma_f32",
        "v_fma_f64"
      })
  void whatHasNoResultIsTheSameNan(String name) throws Exception {
    long infinity = name.endsWith("16") ? 0x7c00 : name.endsWith("32") ? 0x7f800000 : 0x7ffL << 52;
    long sign = name.endsWith("16") ? 0x8000 : name.endsWith("32") ? 1L << 31 : Long.MIN_VALUE;
    long[] values = {infinity, infinity | sign, 0, sign};
    requireSame(
        name,
        registers(find(name).orElseThrow()),
        wave -> {
          for (int lane = 0; lane < Wave.LANES; lane++) {
            for (int source = 0; source < 3; source++) {
              set(wave, 2 + 2 * source, lane, values[lane >> 2 * source & 3]);
            }
          }
        });
  }

  private static void set(Wave wave, int register, int lane, double value) {
    set(wave, register, lane, Double.doubleToRawLongBits(value));
  }

  private static void set(Wave wave, int register, int lane, long bits) {
    wave.v[register * Wave.LANES + lane] = (int) bits;
    wave.v[(register + 1) * Wave.LANES + lane] = (int) (bits >> 32);
  }

  private static Optional<Opcode> find(String name) {
    return Decoder.of(Target.GFX942).opcodes().stream()
        .filter(o -> o.encoding() == Encoding.VOP3 && o.name().equals(name))
        .findFirst();
  }

  /** Requires that an instruction writes the same bits to v8 and v9 on both engines. */
  private static void requireSame(String name, int sources, Consumer<Wave> values)
      throws Exception {
    int[] words = {VOP3 | find(name).orElseThrow().number() << 16 | 8, sources, SLEEP};
    requireSame(words, values);
  }

  /** Requires that instructions of two words, with a sleep behind them, write the same bits. */
  private static void requireSame(int[] words, Consumer<Wave> values) throws Exception {
    int count = words.length / 2 + 1;
    try (RandomWaves waves = new RandomWaves(words, Target.GFX942)) {
      for (HostVectors vectors : vectors(words[0])) {
        HostCompiler compiler =
            new HostCompiler(TestToolchain.get().clang(), vectors, Duration.ofMinutes(2));
        LoadedFunction function = LoadedFunction.of(Region.of(waves.code(), 0, true), compiler);
        assertThat(function.entries().places()).as("native code").isNotEmpty();
        NativeBlock block = function.block(0);
        int[] one = results(waves, count, values, wave -> block.run(wave, count));
        int[] other = results(waves, count, values, wave -> wave.run(count));
        for (int i = 0; i < one.length; i++) {
          if (one[i] != other[i]) {
            fail(
                "%s: v%d of lane %d is %08x in native code and %08x in the interpreter",
                vectors, i / Wave.LANES, i % Wave.LANES, one[i], other[i]);
          }
        }
      }
    }
  }

  /** All in the full profile; in the quick profile one, by the number of the opcode. */
  private static List<HostVectors> vectors(int word) throws IOException {
    List<HostVectors> all = HostVectors.all();
    return TestProfile.isFull() ? all : List.of(all.get((word >>> 16 & 0x3ff) % all.size()));
  }

  private static int[] results(
      RandomWaves waves, int count, Consumer<Wave> values, RandomWaves.Work work) {
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
    assertThat(ran.instructions).isEqualTo(count);
    return ran.v.clone();
  }
}
