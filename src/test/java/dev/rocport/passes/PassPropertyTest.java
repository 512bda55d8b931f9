package dev.rocport.passes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.Choices;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.PortOptions.Launch;
import dev.rocport.rules.PortOptions.Libs;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.statistics.Statistics;
import net.jqwik.api.statistics.StatisticsReport;
import net.jqwik.api.statistics.StatisticsReport.StatisticsReportMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Any mixture of code that the passes of a language edit is ported soundly. */
final class PassPropertyTest {
  static final List<PortOptions> OPTIONS =
      List.of(PortOptions.DEFAULT, with(Launch.GGL, Libs.HIP), with(Launch.CHEVRONS, Libs.ROC));

  private static PortOptions with(Launch launch, Libs libs) {
    PortOptions d = PortOptions.DEFAULT;
    return new PortOptions(
        launch, libs, d.style(), d.warp(), d.renameSources(), d.hip(), d.filter());
  }

  private static void holds(Language language, List<Integer> numbers) {
    Choices choices = new Choices(numbers);
    PortOptions options =
        language == Language.CUDA ? OPTIONS.get(choices.below(4) % 3) : PortOptions.DEFAULT;
    Mix mix = Mix.of(language, Snippet.of(language), choices);
    boolean edited = !new PortProperty(language, options).holds(mix).isEmpty();
    Statistics.collect(edited);
    Statistics.coverage(c -> c.check(true).percentage(p -> p > 75));
  }

  @Property(tries = 800, seed = "202601")
  @StatisticsReport(StatisticsReportMode.OFF)
  void cuda(@ForAll @Size(max = 60) List<@IntRange(max = 9999) Integer> numbers) {
    holds(Language.CUDA, numbers);
  }

  @Property(tries = 300, seed = "202602")
  @StatisticsReport(StatisticsReportMode.OFF)
  void python(@ForAll @Size(max = 30) List<@IntRange(max = 9999) Integer> numbers) {
    holds(Language.PYTHON, numbers);
  }

  @Property(tries = 60, seed = "202603")
  @StatisticsReport(StatisticsReportMode.OFF)
  void java(@ForAll @Size(max = 8) List<@IntRange(max = 9999) Integer> numbers) {
    holds(Language.JAVA, numbers);
  }

  @Property(tries = 200, seed = "202604")
  @StatisticsReport(StatisticsReportMode.OFF)
  void cmake(@ForAll @Size(max = 20) List<@IntRange(max = 9999) Integer> numbers) {
    holds(Language.CMAKE, numbers);
  }

  @Property(tries = 200, seed = "202605")
  @StatisticsReport(StatisticsReportMode.OFF)
  void make(@ForAll @Size(max = 20) List<@IntRange(max = 9999) Integer> numbers) {
    holds(Language.MAKE, numbers);
  }

  @Property(tries = 150, seed = "202606")
  @StatisticsReport(StatisticsReportMode.OFF)
  void shell(@ForAll @Size(max = 20) List<@IntRange(max = 9999) Integer> numbers) {
    holds(Language.SHELL, numbers);
  }

  @Property(tries = 200, seed = "202607")
  @StatisticsReport(StatisticsReportMode.OFF)
  void meson(@ForAll @Size(max = 20) List<@IntRange(max = 9999) Integer> numbers) {
    holds(Language.MESON, numbers);
  }

  @Property(tries = 80, seed = "202608")
  @StatisticsReport(StatisticsReportMode.OFF)
  void bazel(@ForAll @Size(max = 20) List<@IntRange(max = 9999) Integer> numbers) {
    holds(Language.BAZEL, numbers);
  }

  @Property(tries = 80, seed = "202609")
  @StatisticsReport(StatisticsReportMode.OFF)
  void automake(@ForAll @Size(max = 20) List<@IntRange(max = 9999) Integer> numbers) {
    holds(Language.AUTOMAKE, numbers);
  }

  @Property(tries = 80, seed = "202610")
  @StatisticsReport(StatisticsReportMode.OFF)
  void configure(@ForAll @Size(max = 20) List<@IntRange(max = 9999) Integer> numbers) {
    holds(Language.CONFIGURE, numbers);
  }

  /** Each alone, whatever the numbers of the properties choose. */
  @ParameterizedTest
  @EnumSource(Language.class)
  void everySnippetHoldsAlone(Language language) {
    List<Snippet> all = Snippet.of(language);
    assertThat(all).isNotEmpty();
    for (Snippet s : all) {
      Mix mix = Mix.of(language, List.of(s), new Choices(List.of(0, 2, 1)));
      new PortProperty(language, PortOptions.DEFAULT).holds(mix);
    }
  }
}
