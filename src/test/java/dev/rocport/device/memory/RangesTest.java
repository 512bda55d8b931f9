package dev.rocport.device.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

final class RangesTest {
  private static final long BASE = 0x10000;
  private static final long SIZE = 1 << 20;

  private record Taken(long address, long size) {}

  @Property(tries = 200, seed = "202601")
  void rangesNeverOverlapAndAllAreReturned(@ForAll long seed) {
    Random random = new Random(seed);
    Ranges ranges = new Ranges(BASE, SIZE);
    List<Taken> taken = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      if (random.nextInt(3) > 0 || taken.isEmpty()) {
        long size = random.nextInt(20000);
        long align = 1L << random.nextInt(14);
        OptionalLong at = ranges.take(size, align);
        if (at.isPresent()) {
          assertThat(at.getAsLong() % align).isZero();
          assertThat(at.getAsLong()).isGreaterThanOrEqualTo(BASE);
          assertThat(at.getAsLong() + size).isLessThan(BASE + SIZE);
          for (Taken t : taken) {
            assertThat(
                    at.getAsLong() + size < t.address() || t.address() + t.size() < at.getAsLong())
                .isTrue();
          }
          taken.add(new Taken(at.getAsLong(), size));
        }
      } else {
        ranges.give(taken.remove(random.nextInt(taken.size())).address());
      }
    }
    taken.forEach(t -> ranges.give(t.address()));
    assertThat(ranges.available()).isEqualTo(SIZE);
    assertThat(ranges.take(SIZE - 512, 256)).isPresent();
  }

  @Test
  void refusesWhatDoesNotFit() {
    Ranges ranges = new Ranges(BASE, SIZE);
    assertThat(ranges.take(SIZE, 256)).isEmpty();
    assertThat(ranges.take(-1, 256)).isEmpty();
    assertThat(ranges.take(Long.MAX_VALUE, 256)).isEmpty();
  }
}
