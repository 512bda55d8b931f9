package dev.rocport.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LineBufferTest {
  private final LineBuffer line = new LineBuffer();

  private void add(String text) {
    for (int i = 0; i < text.length(); i++) {
      line.add((byte) text.charAt(i));
    }
  }

  @Test
  void givesEachLineOnce() {
    add("one");
    assertThat(line.text()).isEqualTo("one");
    assertThat(line.take()).isEqualTo("one");
    assertThat(line.isEmpty()).isTrue();
    add("two");
    assertThat(line.take()).isEqualTo("two");
  }

  @Test
  void keepsTheBeginningOfALineWithoutEnd() {
    add("begin" + "x".repeat(2 * LineBuffer.MOST));
    assertThat(line.take()).hasSize(LineBuffer.MOST).startsWith("beginx");
  }
}
