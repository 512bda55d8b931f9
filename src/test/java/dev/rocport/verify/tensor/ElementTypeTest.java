package dev.rocport.verify.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ElementTypeTest {
  @Test
  void allHalvesAreTheJdks() {
    for (int bits = 0; bits < 1 << 16; bits++) {
      assertThat(ElementType.F16.value(bits))
          .isEqualTo(Double.valueOf(Float.float16ToFloat((short) bits)));
    }
  }

  @Test
  void allBfloat16AreTheUpperHalfOfFloats() {
    for (int bits = 0; bits < 1 << 16; bits++) {
      assertThat(ElementType.BF16.value(bits))
          .isEqualTo(Double.valueOf(Float.intBitsToFloat(bits << 16)));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "F8_E4M3, 0x7e, 448",
    "F8_E4M3, 0x7f, NaN",
    "F8_E4M3, 0xff, NaN",
    "F8_E4M3, 0x01, 0.001953125",
    "F8_E4M3, 0x38, 1",
    "F8_E4M3, 0x78, 256",
    "F8_E5M2, 0x7b, 57344",
    "F8_E5M2, 0x7c, Infinity",
    "F8_E5M2, 0xfc, -Infinity",
    "F8_E5M2, 0x7d, NaN",
    "F8_E5M2, 0x01, 0.0000152587890625",
    "I8, 0xff, -1",
    "U8, 0xff, 255",
    "I32, 0x80000000, -2147483648",
    "BOOL, 1, 1",
    "U64, -1, 18446744073709551616",
    "I64, -1, -1"
  })
  void patternsHaveTheirValues(ElementType type, String bits, Double value) {
    assertThat(type.value(Long.decode(bits))).isEqualTo(value);
  }

  @ParameterizedTest
  @CsvSource({
    "F32, 0x3f800000, 0x3f800001, 1",
    "F32, 0x00000000, 0x80000000, 0",
    "F32, 0x00000001, 0x80000001, 2",
    "F32, 0x7f7fffff, 0x7f800000, 1",
    "F32, 0xff800000, 0x7f800000, 4278190080",
    "BF16, 0x3f80, 0x3f7f, 1",
    "I8, 0x80, 0x7f, 255",
    "U8, 0x00, 0xff, 255",
    "U64, 0, -1, 9223372036854775807",
    "I64, -1, 1, 2",
    "F64, -1, 0, 9223372036854775807",
  })
  void stepsAreCountedOverTheValuesInOrder(ElementType type, String a, String b, long steps) {
    long x = Long.decode(a);
    long y = Long.decode(b);
    assertThat(type.distance(x, y)).isEqualTo(steps);
    assertThat(type.distance(y, x)).isEqualTo(steps);
  }
}
