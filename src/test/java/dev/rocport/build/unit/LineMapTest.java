package dev.rocport.build.unit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LineMapTest {
  @Test
  void followsAddedChangedAndRemovedLines() {
    List<String> before = List.of("a", "b", "c", "d", "e", "f");
    List<String> after = List.of("new", "a", "B", "c", "e", "f");
    LineMap map = LineMap.of(before, after);

    assertThat(map.before(2)).isEqualTo(1);
    assertThat(map.before(3)).isEqualTo(2);
    assertThat(map.before(4)).isEqualTo(3);
    assertThat(map.before(5)).isEqualTo(5);
    assertThat(map.before(6)).isEqualTo(6);
  }

  @Test
  void givesAnAddedLineTheOneBeforeIt() {
    LineMap map = LineMap.of(List.of("a", "b"), List.of("a", "x", "y", "b"));

    assertThat(map.before(2)).isEqualTo(1);
    assertThat(map.before(3)).isEqualTo(1);
    assertThat(map.before(4)).isEqualTo(2);
  }
}
