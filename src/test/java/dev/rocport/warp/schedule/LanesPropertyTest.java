package dev.rocport.warp.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.Choices;
import dev.rocport.warp.schedule.LaneProgram.Launch;
import dev.rocport.warp.schedule.LaneProgram.Place;
import dev.rocport.warp.schedule.Value.Kind;
import dev.rocport.warp.schedule.Value.Spread;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.statistics.Statistics;
import net.jqwik.api.statistics.StatisticsReport;
import org.eclipse.cdt.core.dom.ast.IASTFunctionCallExpression;

/** What is said of a value holds for all threads of a block, run one by one. */
final class LanesPropertyTest {
  private static final List<Launch> LAUNCHES =
      List.of(new Launch(0, 128, 64), new Launch(3, 128, 192));

  @Property(tries = 3000, seed = "202601")
  @StatisticsReport(StatisticsReport.StatisticsReportMode.OFF)
  void threadsAgreeAsFarAsTheAnalysisClaims(
      @ForAll @Size(max = 90) List<@IntRange(max = 1000) Integer> numbers) {
    LaneProgram program = new LaneProgram(new Choices(numbers));
    File file = LanesTest.file(program.text());
    Function kernel = file.functions.getFirst();
    Lanes lanes = file.lanes(kernel);
    List<Value> said =
        kernel.all(IASTFunctionCallExpression.class).stream()
            .filter(c -> Ast.callee(c).equals("use"))
            .map(c -> lanes.of(Ast.arguments(c)[0]))
            .toList();
    assertThat(said).hasSize(program.uses());
    for (Launch launch : LAUNCHES) {
      Map<Place, Map<Integer, Integer>> seen = new HashMap<>();
      for (int t = 0; t < launch.width(); t++) {
        for (Map.Entry<Place, Integer> e : program.run(launch, t).entrySet()) {
          seen.computeIfAbsent(e.getKey(), k -> new HashMap<>()).put(t, e.getValue());
        }
      }
      seen.forEach(
          (place, values) -> {
            Value v = said.get(place.use());
            check(program, v, launch, place, values);
          });
    }
    said.forEach(v -> Statistics.collect(v.spread()));
    Statistics.coverage(
        c -> {
          for (Spread s : Spread.values()) {
            c.check(s).count(n -> n > 100);
          }
        });
  }

  private static void check(
      LaneProgram program, Value v, Launch launch, Place place, Map<Integer, Integer> values) {
    int together =
        switch (v.spread()) {
          case BLOCK -> launch.width();
          case WAVE -> 64;
          case WARP -> 32;
          case LANE -> 1;
        };
    Map<Integer, Integer> first = new HashMap<>();
    values.forEach(
        (thread, value) -> {
          Integer other = first.putIfAbsent(thread / together, value);
          assertThat(value)
              .as("use %s of thread %s as %s in\n%s", place, thread, v, program.text())
              .isEqualTo(other == null ? value : other);
          if (v.kind() == Kind.THREAD || v.isConstant()) {
            assertThat((long) value)
                .as("use %s of thread %s as %s in\n%s", place, thread, v, program.text())
                .isEqualTo(v.isConstant() ? v.number() : thread);
          }
        });
  }
}
