package dev.rocport.device.op.vector;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The values of the specification "OCP 8-bit Floating Point", and rounding by trying all. */
final class OcpFp8Test {
  @ParameterizedTest
  @CsvSource({
    "E4M3, 0x00, 0",
    "E4M3, 0x80, -0.0",
    "E4M3, 0x01, 0x1p-9",
    "E4M3, 0x08, 0x1p-6",
    "E4M3, 0x38, 1",
    "E4M3, 0x7e, 448",
    "E4M3, 0xfe, -448",
    "E4M3, 0x7f, NaN",
    "E4M3, 0xff, NaN",
    "E5M2, 0x00, 0",
    "E5M2, 0x80, -0.0",
    "E5M2, 0x01, 0x1p-16",
    "E5M2, 0x04, 0x1p-14",
    "E5M2, 0x3c, 1",
    "E5M2, 0x7b, 57344",
    "E5M2, 0x7c, Infinity",
    "E5M2, 0xfc, -Infinity",
    "E5M2, 0x7d, NaN",
    "E5M2, 0xff, NaN"
  })
  void namedValues(OcpFp8 type, String code, String value) {
    assertThat(Float.valueOf(type.value(Integer.decode(code))))
        .isEqualTo(Float.valueOf(hex(value)));
  }

  /** Java wants the exponent and a fraction. */
  private static String hex(String value) {
    return value.replace("0x1p", "0x1.0p");
  }

  @ParameterizedTest
  @CsvSource({
    "E4M3, 464, 0x7e", // half way to 480 rounds to the even 448
    "E4M3, 465, 0x7f",
    "E4M3, -1e30, 0xff",
    "E4M3, Infinity, 0x7f",
    "E5M2, 61439, 0x7b",
    "E5M2, 61440, 0x7c", // half way to 65536
    "E5M2, -Infinity, 0xfc",
    "E4M3, -0.0, 0x80",
    "E4M3, 1e-9, 0x00",
    "E5M2, -1e-9, 0x80"
  })
  void endsOfTheRange(OcpFp8 type, float value, String code) {
    assertThat(type.bits(value)).isEqualTo(Integer.decode(code));
  }

  @ParameterizedTest
  @EnumSource
  void roundsToTheNearest(OcpFp8 type) {
    Random random = new Random(8);
    float largest = type == OcpFp8.E4M3 ? 448 : 57344;
    for (int n = 0; n < 20_000; n++) {
      float value = Math.scalb(random.nextFloat() * 2 - 1, random.nextInt(30) - 20);
      if (Math.abs(value) <= largest) {
        int best = 0;
        for (int code = 1; code < 256; code++) {
          double now = Math.abs((double) type.value(code) - value);
          double before = Math.abs((double) type.value(best) - value);
          boolean even = now == before && (code & 1) == 0 && (best & 1) != 0;
          best = now < before || even ? code : best;
        }
        float result = type.value(type.bits(value));
        assertThat(result == 0 ? 0f : result).as("%s", value).isEqualTo(type.value(best));
      }
    }
  }
}
