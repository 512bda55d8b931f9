package dev.rocport.warp.uniformity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.Choices;
import dev.rocport.warp.uniformity.LaneProgram.Entry;
import dev.rocport.warp.uniformity.LaneProgram.Launch;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.statistics.Statistics;
import net.jqwik.api.statistics.StatisticsReport;

/** What is said of a value holds for all threads of a block, run one by one. */
final class LanesPropertyTest {
  @Property(tries = 1000, seed = "202601")
  @StatisticsReport(StatisticsReport.StatisticsReportMode.OFF)
  void threadsAgreeAsFarAsTheAnalysisClaims(
      @ForAll @Size(max = 90) List<@IntRange(max = 1000) Integer> numbers) {
    LaneProgram program = new LaneProgram(new Choices(numbers));
    LaneClaims claims = LaneClaims.of(program.text());
    assertThat(claims.size()).isEqualTo(program.sites());
    for (Launch launch : LaneClaims.LAUNCHES) {
      List<List<Entry>> logs = new ArrayList<>();
      for (int t = 0; t < launch.width(); t++) {
        logs.add(program.run(launch, t));
      }
      assertThat(claims.broken(logs)).as(program.text()).isEmpty();
    }
    claims.values().forEach(v -> Statistics.collect(v.uniformity()));
    Statistics.coverage(
        c -> {
          for (Uniformity s : Uniformity.values()) {
            c.check(s).count(n -> n > 30);
          }
        });
  }
}
