package dev.rocport.device.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DeviceFormatTest {
  private static String format(String format, Object... arguments) {
    ByteBuffer data = ByteBuffer.allocate(1024).order(ByteOrder.LITTLE_ENDIAN);
    for (Object a : arguments) {
      switch (a) {
        case Long l -> data.putLong(l);
        case Integer i -> data.putLong(i & 0xffffffffL);
        case Double d -> data.putDouble(d);
        case String s -> {
          byte[] text = s.getBytes(StandardCharsets.UTF_8);
          data.put(text).put(new byte[8 - text.length % 8]);
        }
        default -> throw new IllegalArgumentException(a.toString());
      }
    }
    byte[] out = DeviceFormat.format(format.getBytes(StandardCharsets.UTF_8), data.flip());
    return new String(out, StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      ignoreLeadingAndTrailingWhitespace = false,
      value = {
        "%d|-7|-7",
        "%5d|42|   42",
        "%-5d!|42|42   !",
        "%05d|-42|-0042",
        "%x|255|ff",
        "%#o|8|010",
        "%u|-1|4294967295",
        "%hhd|511|-1",
        "%+d|3|+3",
        "%c|65|A",
        "%i%%|9|9%"
      })
  void formatsIntegers(String format, int value, String expected) {
    assertThat(format(format, value)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "%f|1.5|1.500000",
        "%.3f|2.0005|2.001",
        "%e|12345.678|1.234568e+04",
        "%g|0.0001|0.0001",
        "%g|1e10|1e+10",
        "%a|1.0|0x1p+0",
        "%8.2f|3.14159|3.14"
      })
  void formatsFloats(String format, double value, String expected) {
    assertThat(format(format, value).strip()).isEqualTo(expected);
  }

  @Test
  void formatsTextsAndWidthsGivenAsArguments() {
    assertThat(format("%s is %*d and %.*f%s", "the answer", 6, 42, 2, 2.71828, "."))
        .isEqualTo("the answer is     42 and 2.72.");
    assertThat(format("%lld %zu %lx", -5L, 7L, -1L)).isEqualTo("-5 7 ffffffffffffffff");
    assertThat(format("%.3s|%10s|%-4s|", "abcdef", "right", "l")).isEqualTo("abc|     right|l   |");
  }

  @Test
  void countsMissingArgumentsAsZeroAndKeepsUnknownConversions() {
    assertThat(format("%d %s %y")).isEqualTo("0  %y");
  }

  @Test
  void boundsHostileWidths() {
    assertThat(format("%999999999d", 1)).hasSize(65536);
  }
}
