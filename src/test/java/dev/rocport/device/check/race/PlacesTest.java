package dev.rocport.device.check.race;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

final class PlacesTest {
  /** More instructions than 20 bits can number. */
  private static final int LONG = 5 << 20;

  @Test
  void numbersOfShortCodeAreIndexes() {
    Places places = new Places(1 << 20);
    assertThat(places.number((1 << 20) - 1)).isEqualTo((1 << 20) - 1);
    assertThat(places.index(1234)).isEqualTo(1234);
  }

  @Test
  void instructionsOfLongCodeKeepTheirIndexes() {
    Places places = new Places(LONG);
    for (int index = LONG - 1; index >= LONG - 3000; index--) {
      int info = PackedAccess.inLane(PackedAccess.of(places.number(index), true, false), 63);
      assertThat(places.index(PackedAccess.place(info))).isEqualTo(index);
      assertThat(PackedAccess.lane(info)).isEqualTo(63);
    }
    assertThat(places.number(LONG - 2)).isEqualTo(1);
  }

  @Test
  void threadsAgreeOnNumbers() throws Exception {
    Places places = new Places(LONG);
    Map<Integer, Integer> numbers = new ConcurrentHashMap<>();
    List<Future<?>> ends = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      for (int thread = 0; thread < 4; thread++) {
        ends.add(
            threads.submit(
                () -> {
                  for (int index = LONG - 2000; index < LONG; index++) {
                    int number = places.number(index);
                    assertThat(numbers.putIfAbsent(index, number)).isIn(null, number);
                    assertThat(places.index(number)).isEqualTo(index);
                  }
                }));
      }
    }
    for (Future<?> end : ends) {
      end.get();
    }
    assertThat(numbers.values()).doesNotHaveDuplicates().hasSize(2000);
  }
}
