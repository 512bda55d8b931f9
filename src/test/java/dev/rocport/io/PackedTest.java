package dev.rocport.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class PackedTest {
  private enum Color {
    RED,
    GREEN
  }

  @Test
  void valuesAreReadAsTheyWereWritten() {
    List<Long> numbers = List.of(0L, -1L, 63L, 64L, -65L, 1L << 31, Long.MAX_VALUE, Long.MIN_VALUE);
    PackedWriter out = new PackedWriter();
    out.list(numbers, out::number);
    out.bits(0xfedcba9876543210L);
    out.flag(true);
    out.constant(Color.GREEN);
    out.list(List.of("warp", "", "w\u00e4rp", "warp"), out::text);
    out.bytes(new byte[5000]);
    out.optional(Optional.of("warp"), out::text);
    out.optional(Optional.<String>empty(), out::text);
    out.map(Map.of("a", 7L), out::number);
    PackedReader in = new PackedReader(out.toBytes());
    assertThat(in.list(in::number)).isEqualTo(numbers);
    assertThat(in.bits()).isEqualTo(0xfedcba9876543210L);
    assertThat(in.flag()).isTrue();
    assertThat(in.constant(Color.class)).isEqualTo(Color.GREEN);
    assertThat(in.list(in::text)).containsExactly("warp", "", "w\u00e4rp", "warp");
    assertThat(in.bytes()).hasSize(5000);
    assertThat(in.optional(in::text)).contains("warp");
    assertThat(in.optional(in::text)).isEmpty();
    assertThat(in.map(in::number)).isEqualTo(Map.of("a", 7L));
    assertThatThrownBy(in::flag).isInstanceOf(InvalidFileException.class);
  }

  @Test
  void aTextThatIsRepeatedTakesOneByte() {
    PackedWriter out = new PackedWriter();
    out.text("__shfl_down_sync");
    int once = out.toBytes().length;
    out.text("__shfl_down_sync");
    assertThat(out.toBytes()).hasSize(once + 1);
  }

  @Test
  void valuesThatEndTooEarlyAreInvalid() {
    PackedWriter out = new PackedWriter();
    out.text("__shfl_down_sync");
    out.number(1000);
    byte[] all = out.toBytes();
    for (int length = 0; length < all.length; length++) {
      PackedReader in = new PackedReader(Arrays.copyOf(all, length));
      assertThatThrownBy(
              () -> {
                in.text();
                in.number();
              })
          .isInstanceOf(InvalidFileException.class);
    }
  }
}
