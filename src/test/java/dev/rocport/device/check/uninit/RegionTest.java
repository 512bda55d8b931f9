package dev.rocport.device.check.uninit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.device.memory.Heap;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The states of pages and the shadow together equal an array of bytes. */
final class RegionTest {
  private static final long START = 0x10_0000;
  private static final int SIZE = 1024;
  private static final int SHIFT = 7;

  @Test
  void keepsWhatAnArrayKeeps() {
    long shadow = Heap.take(SIZE);
    try {
      Region region = new Region(START, SIZE, shadow, SHIFT);
      byte[] model = new byte[SIZE];
      region.forget();
      Arrays.fill(model, (byte) -1);
      SplittableRandom random = new SplittableRandom(11);
      for (int step = 0; step < 20_000; step++) {
        int at = random.nextInt(SIZE - 4);
        int bits = random.nextInt(3) == 0 ? random.nextInt() : random.nextBoolean() ? 0 : -1;
        switch (random.nextInt(5)) {
          case 0 -> {
            region.word(START + at, bits);
            for (int b = 0; b < 4; b++) {
              model[at + b] = (byte) (bits >>> (8 * b));
            }
          }
          case 1 -> {
            region.octet(START + at, bits & 0xff);
            model[at] = (byte) bits;
          }
          case 2 -> {
            int size = random.nextInt(1, Math.min(400, SIZE - at));
            boolean defined = random.nextInt(3) > 0;
            region.set(START + at, size, defined);
            Arrays.fill(model, at, at + size, (byte) (defined ? 0 : -1));
          }
          case 3 -> region.look(START + at, START + at + 3);
          default -> check(region, model, at);
        }
      }
      for (int at = 0; at < SIZE - 4; at++) {
        check(region, model, at);
      }
    } finally {
      Heap.give(shadow);
    }
  }

  private static void check(Region region, byte[] model, int at) {
    int word = 0;
    for (int b = 0; b < 4; b++) {
      word |= (model[at + b] & 0xff) << (8 * b);
    }
    assertThat(region.word(START + at)).as("word at %d", at).isEqualTo(word);
    assertThat(region.octet(START + at)).as("byte at %d", at).isEqualTo(model[at] & 0xff);
    if (region.isDefined(START + at, START + at + 3)) {
      assertThat(word).isZero();
    }
  }

  @Test
  void aPageThatBecameDefinedIsFoundToBe() {
    long shadow = Heap.take(SIZE);
    try {
      Region region = new Region(START, SIZE, shadow, SHIFT);
      region.forget();
      for (int at = 0; at < 1 << SHIFT; at += 4) {
        region.word(START + at, 0);
      }
      assertThat(region.isDefined(START, START + 3)).isFalse();
      for (int looks = 0; looks < 20; looks++) {
        region.look(START, START + 3);
      }
      assertThat(region.isDefined(START, START + (1 << SHIFT) - 1)).isTrue();
      assertThat(region.isDefined(START, START + (1 << SHIFT))).isFalse();
    } finally {
      Heap.give(shadow);
    }
  }
}
