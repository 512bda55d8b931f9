package dev.rocport.device.check.race;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.device.check.Site;
import dev.rocport.device.check.VectorClock;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the host of one process has let others know. */
final class ReleasesTest {
  private static VectorClock operation(long line, long sequence) {
    return new VectorClock(
        line, sequence, Map.of(), "kernel", role -> new Site(role, "", "", "", "", -1));
  }

  @Test
  void coversWhatHadEndedWhenItWasTold() {
    Releases releases = new Releases();
    releases.add(3, Map.of(1L, 2L), 5);
    releases.add(7, Map.of(1L, 4L, 2L, 1L), 9);

    assertThat(releases.cover(operation(1, 2), 2)).isFalse();
    assertThat(releases.cover(operation(1, 2), 3)).isTrue();
    assertThat(releases.cover(operation(1, 2), 6)).isTrue();
    assertThat(releases.cover(operation(1, 3), 6)).isFalse();
    assertThat(releases.cover(operation(1, 3), 7)).isTrue();
    assertThat(releases.cover(operation(2, 1), 6)).isFalse();
    assertThat(releases.cover(operation(2, 1), 100)).isTrue();
    assertThat(releases.cover(operation(3, 1), 100)).isFalse();
  }

  @Test
  void knowsWhetherAnythingWasToldAfterAnOperationHadBegun() {
    Releases releases = new Releases();
    assertThat(releases.any()).isFalse();
    releases.add(3, Map.of(), 5);

    assertThat(releases.any()).isTrue();
    assertThat(releases.anyAfter(5, 2)).isFalse();
    assertThat(releases.anyAfter(5, 3)).isTrue();
    assertThat(releases.anyAfter(6, 3)).isFalse();
  }

  @Test
  void laterWordsDoNotTakeBackEarlierOnes() {
    Releases releases = new Releases();
    releases.add(1, Map.of(1L, 4L), 1);
    releases.add(2, Map.of(1L, 3L), 1);

    assertThat(releases.cover(operation(1, 4), 2)).isTrue();
  }
}
