package dev.rocport.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.device.check.Checks;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class DelaySearchTest {
  private static final List<DelayedPlace> PLACES =
      IntStream.range(0, 21)
          .mapToObj(i -> new DelayedPlace(i, "store", "k.hip:" + i, "k.hip:" + i, "k", false))
          .toList();

  private int runs;

  /** The search in a program that fails if all these are late and the seed is one of some. */
  private DelaySearch search(Set<Integer> deciding, int everySeeds, int mostRuns) {
    return new DelaySearch(
        checks ->
            ++runs > mostRuns
                ? Optional.empty()
                : Optional.of(
                    checks.delays().places().containsAll(deciding)
                        && checks.seed().orElseThrow() % everySeeds == 0),
        Checks.order(30));
  }

  private static List<Integer> numbers(List<DelayedPlace> places) {
    return places.stream().map(DelayedPlace::number).toList();
  }

  @Test
  void findsOnePlaceAmongMany() throws Exception {
    DelaySearch search = search(Set.of(13), 1, 100);
    List<DelayedPlace> deciding = search.among(PLACES);
    assertThat(numbers(deciding)).containsExactly(13);
    assertThat(search.witness(deciding).map(Checks::text)).contains("order=30@d");
    assertThat(search.isCut()).isFalse();
  }

  @Test
  void findsPlacesThatAreNeededTogether() throws Exception {
    assertThat(numbers(search(Set.of(2, 3, 19), 1, 200).among(PLACES))).containsExactly(2, 3, 19);
  }

  @Test
  void triesMoreSeedsWhereAProgramFailsByChance() throws Exception {
    DelaySearch search = search(Set.of(5, 20), 5, 500);
    List<DelayedPlace> deciding = search.among(PLACES);
    assertThat(numbers(deciding)).containsExactly(5, 20);
    assertThat(search.witness(deciding).map(Checks::text)).contains("order=30@5+14");
  }

  @Test
  void tellsThatNoDelayIsNeeded() throws Exception {
    DelaySearch search = search(Set.of(), 1, 100);
    assertThat(search.among(PLACES)).isEmpty();
    assertThat(search.witness(List.of()).map(Checks::text)).contains("order=30@none");
  }

  @Test
  void keepsWhatIsLeftWhenTheTimeIsUp() throws Exception {
    DelaySearch search = search(Set.of(13), 1, 9);
    List<DelayedPlace> left = search.among(PLACES);
    assertThat(search.isCut()).isTrue();
    assertThat(numbers(left)).contains(13).hasSizeBetween(2, 20);
  }

  @Test
  void hasNoWitnessWhereTheProgramDoesNotFailAgain() throws Exception {
    DelaySearch search = search(Set.of(99), 1, 100);
    assertThat(search.witness(search.among(PLACES))).isEmpty();
  }
}
