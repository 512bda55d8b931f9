package dev.rocport.device.check.race;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.device.wave.Wave;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

/** Lanes with the address of a lane before them. */
final class RepeatsTest {
  private static final long ROWS = 1L | 1L << 16 | 1L << 32 | 1L << 48;

  private static long[] addresses(IntUnaryOperator ofLane) {
    long[] all = new long[Wave.LANES];
    for (int l = 0; l < all.length; l++) {
      all[l] = ofLane.applyAsInt(l);
    }
    return all;
  }

  @Test
  void tilesAreReadByFewLanes() {
    assertThat(Repeats.of(addresses(l -> 4 * (l % 16)), -1L)).isEqualTo(-1L << 16);
    assertThat(Repeats.of(addresses(l -> 64 * (l / 16)), -1L)).isEqualTo(~ROWS);
    assertThat(Repeats.of(addresses(l -> 8), -1L)).isEqualTo(~1L);
    assertThat(Repeats.of(addresses(l -> 4 * l), -1L)).isZero();
  }

  @Test
  void aRepeatedAddressIsThatOfALaneThatStays() {
    Random random = new Random(1);
    for (int n = 0; n < 2000; n++) {
      int range = 1 + random.nextInt(8);
      int step = 1 + random.nextInt(17);
      long[] all = addresses(l -> random.nextInt(3) == 0 ? random.nextInt(range) : l / step);
      long lanes = random.nextInt(3) == 0 ? -1L : random.nextLong() | 1;
      long left = lanes & ~Repeats.of(all, lanes);
      for (int l = 0; l < Wave.LANES; l++) {
        if ((lanes >>> l & 1) != 0) {
          long address = all[l];
          boolean stays = false;
          for (int k = 0; k <= l; k++) {
            stays |= (left >>> k & 1) != 0 && all[k] == address;
          }
          assertThat(stays).as("lane %d", l).isTrue();
        }
      }
    }
  }
}
