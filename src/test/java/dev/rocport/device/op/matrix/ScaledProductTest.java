package dev.rocport.device.op.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.device.isa.Decoder;
import dev.rocport.device.isa.Disassembler;
import dev.rocport.device.isa.Target;
import dev.rocport.device.isa.UndefinedOpcodeException;
import dev.rocport.device.op.vector.MicroFloat;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Random;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Sums and encodings of the instructions on floats of 8, 6 and 4 bits. The kernel gfx950_matrix has
 * their layouts.
 */
final class ScaledProductTest {
  private static String print(int... words) {
    MemorySegment code = MemorySegment.ofArray(words);
    assertThat(code.byteSize()).isEqualTo(ValueLayout.JAVA_INT.byteSize() * words.length);
    return Disassembler.of(Target.GFX950).print(Decoder.of(Target.GFX950).decode(code, 0));
  }

  /** What LLVM 21 prints of these words. */
  @Test
  void readsAsLlvmReadsThem() {
    assertThat(print(0xd3ac1000, 0x08023318, 0xd3ad0800, 0x04521904))
        .isEqualTo(
            "v_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], v[4:11], v[12:19], v[20:23], v24, v25"
                + " op_sel:[0,1,0] op_sel_hi:[1,0,0]");
    assertThat(print(0xd3ac1000, 0x18023318, 0xd3ae8a00, 0x9c521904))
        .isEqualTo(
            "v_mfma_scale_f32_32x32x64_f8f6f4 a[0:15], a[4:9], a[12:15], a[20:35], v24, v25"
                + " op_sel:[0,1,0] op_sel_hi:[1,1,0] cbsz:2 blgp:4");
    assertThat(print(0xd3ac0000, 0x00020681, 0xd3ad0c00, 0x84521904))
        .isEqualTo(
            "v_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], v[4:7], v[12:15], v[20:23], 1, v3"
                + " op_sel_hi:[0,0,0] cbsz:4 blgp:4");
    assertThat(print(0xd3ad0200, 0x84521904))
        .isEqualTo("v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[4:9], v[12:15], v[20:23] cbsz:2 blgp:4");
  }

  @Test
  void scalesWithoutTheirProductAreUndefined() {
    for (int[] words :
        new int[][] {
          {0xd3ac1000, 0x08023318},
          {0xd3ac1000, 0x08023318, 0xd3ad0800},
          {0xd3ac1000, 0x08023318, 0xd3d40000, 0x04521904},
          {0xd3ac1000, 0x08023318, 0xd3ad0d00, 0x04521904},
          {0xd3ac1000, 0x080232ff, 0xd3ad0800, 0x04521904}
        }) {
      Assertions.assertThatThrownBy(() -> print(words))
          .isInstanceOf(UndefinedOpcodeException.class);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "FP6, 1f, 7.5", "FP6, 01, 0.125", "FP6, 08, 1", "FP6, 3f, -7.5", "BF6, 1f, 28",
    "BF6, 01, 0.0625", "BF6, 0c, 1", "BF6, 23, -0.1875", "FP4, 1, 0.5", "FP4, 7, 6",
    "FP4, b, -1.5", "FP8, 7e, 448", "BF8, 7b, 57344"
  })
  void valuesOfTheSpecification(MicroFloat type, String code, double value) {
    assertThat(type.value(Integer.parseInt(code, 16))).isEqualTo(value);
  }

  /** A double that is half way between two floats after it was rounded once is rounded wrongly. */
  @Test
  void sumsAreRoundedOnce() {
    assertThat(ScaledProduct.add(1, 0x1p-24 + 0x1p-60)).isEqualTo(1 + 0x1p-23f);
    assertThat(ScaledProduct.add(-1, -0x1p-24 - 0x1p-60)).isEqualTo(-1 - 0x1p-23f);
    assertThat(ScaledProduct.add(1 + 0x1p-23f, 0x1p-24 - 0x1p-60)).isEqualTo(1 + 0x1p-23f);
    Random random = new Random(950);
    for (int i = 0; i < 200_000; i++) {
      float sum = Math.scalb((float) random.nextGaussian(), random.nextInt(60) - 30);
      double product = Math.scalb((double) (random.nextInt(512) - 256), random.nextInt(120) - 60);
      float exact =
          new BigDecimal(sum).add(new BigDecimal(product), MathContext.UNLIMITED).floatValue();
      assertThat(ScaledProduct.add(sum, product)).as(sum + " " + product).isEqualTo(exact);
    }
  }

  @Test
  void whatIsNotFiniteStaysSo() {
    assertThat(ScaledProduct.add(1, Double.POSITIVE_INFINITY)).isEqualTo(Float.POSITIVE_INFINITY);
    assertThat(ScaledProduct.add(Float.MAX_VALUE, 0x1p200)).isEqualTo(Float.POSITIVE_INFINITY);
    assertThat(ScaledProduct.add(Float.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY)).isNaN();
  }
}
