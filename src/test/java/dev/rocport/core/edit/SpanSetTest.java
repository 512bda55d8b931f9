package dev.rocport.core.edit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class SpanSetTest {
  @Test
  void neighboursAreParted() {
    SpanSet spans = new SpanSet();
    spans.add(2, 4);
    spans.add(4, 6);
    assertThat(spans.touches(0, 2)).isFalse();
    assertThat(spans.touches(4, 4)).isFalse();
    assertThat(spans.touches(3, 3)).isTrue();
    assertThat(spans.touches(6, 9)).isFalse();
    assertThat(spans.touches(0, 9)).isTrue();
  }

  @Test
  void answersAsASearchThroughAllOfThem() {
    Random random = new Random(3);
    for (int run = 0; run < 200; run++) {
      SpanSet spans = new SpanSet();
      List<int[]> all = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        int start = random.nextInt(60);
        int end = start + 1 + random.nextInt(8);
        boolean touched = all.stream().anyMatch(s -> start < s[1] && s[0] < end);
        assertThat(spans.touches(start, end)).isEqualTo(touched);
        spans.add(start, end);
        all.add(new int[] {start, end});
      }
    }
  }
}
