package dev.rocport.device.image;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.device.isa.TexelFormat;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every format, compared with arithmetic on its bits as one number. */
final class TexelCodecTest {
  private final MemorySegment memory = Arena.ofAuto().allocate(16);

  static List<TexelFormat> formats() {
    return IntStream.range(1, 128).mapToObj(TexelFormat::of).flatMap(f -> f.stream()).toList();
  }

  @Test
  void thereAreTheFormatsOfBuffersAndThoseOfLight() {
    assertThat(formats()).hasSize(66);
    assertThat(TexelFormat.of(0)).isEmpty();
    assertThat(TexelFormat.of(36).orElseThrow().bits()).containsExactly(10, 10, 10, 2);
    assertThat(TexelFormat.of(31).orElseThrow().bits()).containsExactly(10, 11, 11);
  }

  private BigInteger all(int bytes) {
    byte[] big = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      big[bytes - 1 - i] = memory.get(ValueLayout.JAVA_BYTE, i);
    }
    return new BigInteger(1, big);
  }

  private static double value(TexelFormat format, long raw, int bits, int component) {
    long signed = raw >= 1L << (bits - 1) ? raw - (1L << bits) : raw;
    double light = raw / 255.0;
    return switch (format.type()) {
      case UNORM -> (double) raw / ((1L << bits) - 1);
      case SNORM -> Math.max(-1, (double) signed / ((1L << (bits - 1)) - 1));
      case UINT, USCALED -> raw;
      case SINT, SSCALED -> signed;
      case SRGB ->
          component == 3
              ? light
              : light <= 0.04045 ? light / 12.92 : Math.pow((light + 0.055) / 1.055, 2.4);
      case FLOAT -> real(raw, bits);
    };
  }

  private static double real(long raw, int bits) {
    if (bits == 32) {
      return Float.intBitsToFloat((int) raw);
    }
    int fraction = bits == 16 ? 10 : bits - 5;
    long exponent = raw >>> fraction & 31;
    double part = (double) (raw & (1L << fraction) - 1) / (1L << fraction);
    double size =
        exponent == 0
            ? part * Math.pow(2, -14)
            : exponent == 31
                ? part == 0 ? Double.POSITIVE_INFINITY : Double.NaN
                : (1 + part) * Math.pow(2, exponent - 15);
    return bits == 16 && raw >= 0x8000 ? -size : size;
  }

  private void scramble(Random random) {
    for (int i = 0; i < 16; i++) {
      memory.set(ValueLayout.JAVA_BYTE, i, (byte) random.nextInt());
    }
  }

  @ParameterizedTest
  @MethodSource("formats")
  void loadsWhatTheBitsMean(TexelFormat format) {
    Random random = new Random(format.number());
    TexelCodec codec = new TexelCodec(format);
    int[] texel = new int[4];
    for (int run = 0; run < 200; run++) {
      scramble(random);
      codec.load(memory.address(), texel);
      BigInteger rest = all(format.bytes());
      for (int c = 0; c < 4; c++) {
        boolean there = c < format.bits().size();
        int bits = there ? format.bits().get(c) : 1;
        long raw = rest.longValue() & (1L << bits) - 1;
        double wanted = there ? value(format, raw, bits, c) : c == 3 ? 1 : 0;
        rest = rest.shiftRight(there ? bits : 0);
        if (format.type().isInteger()) {
          assertThat(texel[c]).isEqualTo((int) (long) wanted);
        } else {
          assertThat((Float) Float.intBitsToFloat(texel[c])).isEqualTo((Float) (float) wanted);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("formats")
  void storesWhatItLoads(TexelFormat format) {
    if (!TexelCodec.stores(format)) {
      assertThat(format.type())
          .isIn(
              TexelFormat.Type.USCALED,
              TexelFormat.Type.SSCALED,
              TexelFormat.Type.SRGB,
              TexelFormat.Type.FLOAT);
      return;
    }
    Random random = new Random(format.number());
    TexelCodec codec = new TexelCodec(format);
    int[] texel = new int[4];
    for (int run = 0; run < 200; run++) {
      scramble(random);
      codec.load(memory.address(), texel);
      int[] first = texel.clone();
      memory.fill((byte) 0x55);
      codec.store(memory.address(), texel);
      codec.load(memory.address(), texel);
      assertThat(texel).containsExactly(first);
      for (int i = format.bytes(); i < 16; i++) {
        assertThat(memory.get(ValueLayout.JAVA_BYTE, i)).isEqualTo((byte) 0x55);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1, 0.5, 128",
    "1, 2, 255",
    "1, -1, 0",
    "1, NaN, 0",
    "2, -0.5, 192",
    "2, -3, 129",
    "2, 0.001, 0",
    "13, 1, 15360"
  })
  void roundsToTheNearest(int format, float number, int wanted) {
    memory.fill((byte) 0);
    TexelCodec codec = TexelCodec.of(format).orElseThrow();
    codec.store(memory.address(), new int[] {Float.floatToRawIntBits(number), 0, 0, 0});
    assertThat(all(2).intValue()).isEqualTo(wanted);
  }
}
