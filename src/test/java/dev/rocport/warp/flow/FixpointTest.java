package dev.rocport.warp.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class FixpointTest {
  /** Numbers from 0 to a greatest one, joined by the maximum. */
  private record UpTo(int most) implements Lattice<Integer> {
    @Override
    public Integer bottom() {
      return 0;
    }

    @Override
    public Integer join(Integer x, Integer y) {
      return Math.max(x, y);
    }

    @Override
    public int height() {
      return most + 1;
    }
  }

  @Test
  void everyOrderGivesTheSameResult() {
    Random random = new Random(7);
    for (int run = 0; run < 200; run++) {
      int size = 12;
      Map<Integer, List<Integer>> reads = new HashMap<>();
      for (int n = 0; n < size; n++) {
        List<Integer> of = new ArrayList<>();
        for (int k = random.nextInt(4); k > 0; k--) {
          of.add(random.nextInt(size));
        }
        reads.put(n, of);
      }
      Map<Integer, Integer> expected = new HashMap<>();
      for (int round = 0; round < 100; round++) {
        for (int n = 0; n < size; n++) {
          int least = n % 5 == 0 ? n : 0;
          for (int r : reads.get(n)) {
            least = Math.max(least, expected.getOrDefault(r, 0));
          }
          expected.put(n, least);
        }
      }
      List<Integer> order = new ArrayList<>(reads.keySet());
      Collections.shuffle(order, random);
      List<Fixpoint<Integer, Integer>> self = new ArrayList<>();
      Fixpoint<Integer, Integer> solver =
          new Fixpoint<>(
              new UpTo(20),
              n ->
                  reads.get(n).stream()
                      .map(r -> self.getFirst().value(r))
                      .reduce(n % 5 == 0 ? n : 0, Math::max),
              0);
      self.add(solver);
      order.forEach(n -> assertThat(solver.value(n)).isEqualTo(expected.get(n)));
    }
  }

  @Test
  void nodesThatDependOnEachOtherOnlyGetTheValueForThem() {
    List<String> evaluated = new ArrayList<>();
    List<Fixpoint<String, Integer>> self = new ArrayList<>();
    Fixpoint<String, Integer> solver =
        new Fixpoint<>(
            new UpTo(9),
            n -> {
              evaluated.add(n);
              return switch (n) {
                case "a" -> self.getFirst().value("b");
                case "b" -> self.getFirst().value("a");
                case "c" -> Math.max(2, self.getFirst().value("a"));
                default -> 0;
              };
            },
            4);
    self.add(solver);
    assertThat(solver.value("c")).isEqualTo(4);
    assertThat(solver.value("b")).isEqualTo(4);
    assertThat(evaluated).doesNotContain("d");
    assertThat(solver.value("d")).isEqualTo(4);
  }

  @Test
  void aLatticeThatIsHigherThanItSaysIsAnError() {
    Lattice<Integer> endless =
        new Lattice<>() {
          @Override
          public Integer bottom() {
            return 0;
          }

          @Override
          public Integer join(Integer x, Integer y) {
            return Math.max(x, y);
          }

          @Override
          public int height() {
            return 50;
          }
        };
    List<Fixpoint<String, Integer>> self = new ArrayList<>();
    Fixpoint<String, Integer> solver =
        new Fixpoint<>(endless, n -> self.getFirst().value(n) + 1, 0);
    self.add(solver);
    assertThatThrownBy(() -> solver.value("a")).isInstanceOf(IllegalStateException.class);
  }
}
