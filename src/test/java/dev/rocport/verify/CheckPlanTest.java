package dev.rocport.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.device.check.Checks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class CheckPlanTest {
  /** The checks of all runs, each of which takes as long as asked for. */
  private static List<String> runs(int budget, int... seconds) {
    CheckPlan plan = new CheckPlan(Duration.ofSeconds(budget), 7);
    List<String> runs = new ArrayList<>();
    for (Optional<Checks> next = plan.next(); next.isPresent(); next = plan.next()) {
      int time = seconds[Math.min(runs.size(), seconds.length - 1)];
      runs.add(next.get().text());
      plan.ended(Duration.ofSeconds(time));
    }
    return runs;
  }

  @Test
  void takesNewSeedsAndAllChecksInEachFourthRun() {
    assertThat(runs(9, 1))
        .startsWith(
            "",
            "uninit,race,sync",
            "order=7",
            "order=8",
            "order=9",
            "uninit,race,sync,order=10",
            "order=11");
  }

  @Test
  void beginsNoRunThatWouldNotEnd() {
    assertThat(runs(30, 1, 5, 2, 2, 18, 2)).hasSize(6).endsWith("uninit,race,sync,order=10");
    assertThat(runs(10, 20)).containsExactly("");
    // The first run of a kind starts its device.
    assertThat(runs(21, 1, 1, 8, 1, 1)).hasSizeGreaterThan(8);
    assertThat(runs(10, 4, 3, 2)).containsExactly("", "uninit,race,sync", "order=7");
  }
}
