package dev.rocport.device.dispatch;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * What memory and registers hold that hardware leaves undefined: a pattern, so that a kernel that
 * reads it goes wrong at once.
 */
final class Poison {
  private static final int WORD = 0x7fa5_5a7f;
  private static final byte BYTE = (byte) 0xa7;

  private final @Nullable SplittableRandom random;

  /** The fixed pattern where {@code random} is null. */
  Poison(@Nullable SplittableRandom random) {
    this.random = random;
  }

  void fill(int[] registers) {
    if (random == null) {
      Arrays.fill(registers, WORD);
    } else {
      Arrays.setAll(registers, _ -> random.nextInt());
    }
  }

  byte octet() {
    return random == null ? BYTE : (byte) random.nextInt();
  }
}
