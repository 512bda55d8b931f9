package dev.rocport.device.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class TurnsTest {
  @Test
  void theLowestThreadsRunFirst() {
    assertThat(new Turns(3, TurnOrder.parse(""), null).order()).containsExactly(0, 1, 2);
  }

  @Test
  void theHighestThreadsRunFirst() {
    assertThat(new Turns(3, TurnOrder.parse("descending"), null).order()).containsExactly(2, 1, 0);
  }

  @Test
  void anOrderHasAName() {
    assertThatThrownBy(() -> TurnOrder.parse("random"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("unknown order of turns 'random'");
  }
}
