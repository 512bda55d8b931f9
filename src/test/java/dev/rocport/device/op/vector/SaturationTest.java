package dev.rocport.device.op.vector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.device.wave.Wave;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Results that overflow, with and without FP16_OVFL in MODE. */
final class SaturationTest {
  private static long of(String opcode, boolean saturates, long a, long b, long c) {
    int mode = Wave.USUAL_MODE | (saturates ? UnusualMode.SATURATES : 0);
    Definition usual = VectorTranslator.definition(opcode).orElseThrow();
    Lane lane = Definition.known(UnusualMode.of(usual, mode).lane());
    return lane.apply(a, b, c, false) & 0xffff_ffffL;
  }

  @ParameterizedTest
  @CsvSource({
    // opcode, a, b, c, result, saturated result; halves: 7bff 65504, 7c00 infinity, fbff -65504
    "v_cvt_f16_f32, 47800000, 0, 0, 7c00, 7bff", // 65536
    "v_cvt_f16_f32, c7800000, 0, 0, fc00, fbff",
    "v_cvt_f16_f32, 7f800000, 0, 0, 7c00, 7c00", // infinity
    "v_cvt_f16_f32, 477fe000, 0, 0, 7bff, 7bff",
    "v_cvt_f16_f32, 7fc00000, 0, 0, 7e00, 7e00",
    "v_add_f16, 7bff, 7bff, 0, 7c00, 7bff",
    "v_add_f16, fbff, fbff, 0, fc00, fbff",
    "v_add_f16, 7c00, 3c00, 0, 7c00, 7c00",
    "v_add_f16, 3c00, 7c00, 0, 7c00, 7c00",
    "v_add_f16, 3c00, fc00, 0, fc00, fc00",
    "v_fma_f16, 7bff, 3c00, 7c00, 7c00, 7c00",
    "v_fma_f16, 7bff, 4000, 0, 7c00, 7bff",
    "v_pk_add_f16, 3c00, 7c007c00, 0, 7c007c00, 7c007c00",
    "v_mul_f16, 7bff, fbff, 0, fc00, fbff",
    "v_rcp_f16, 0, 0, 0, 7c00, 7c00",
    "v_rcp_f16, 8000, 0, 0, fc00, fc00",
    "v_pk_add_f16, 7bff3c00, 7bff3c00, 0, 7c004000, 7bff4000",
    "v_pk_add_f16, 7c007bff, 3c007bff, 0, 7c007c00, 7c007bff",
    "v_cvt_pkrtz_f16_f32, 7f800000, c7800000, 0, fbff7c00, fbff7c00",
    // FNUZ: the largest e4m3 value is 240, the largest e5m2 value 57344
    "v_cvt_pk_fp8_f32, 43700000, 0, 0, 7f, 7f", // 240
    "v_cvt_pk_fp8_f32, 43c80000, c7c35000, 0, 8080, ff7f", // 400, -100000
    "v_cvt_pk_fp8_f32, 7f800000, 7fc00000, 0, 8080, 8080",
    "v_cvt_pk_bf8_f32, 47c35000, bf800000, 0, c080, c07f",
    "v_cvt_pk_ocpfp8_f32, 43fa0000, 7fc00000, 0, 7f7f, 7f7e", // 500
    "v_cvt_pk_ocpbf8_f32, 47c35000, 7f800000, 0, 7c7c, 7c7b"
  })
  void overflow(String opcode, String a, String b, String c, String usual, String saturated) {
    long x = Long.parseLong(a, 16);
    long y = Long.parseLong(b, 16);
    long z = Long.parseLong(c, 16);
    assertThat(Long.toHexString(of(opcode, false, x, y, z))).isEqualTo(usual);
    assertThat(Long.toHexString(of(opcode, true, x, y, z))).isEqualTo(saturated);
  }
}
