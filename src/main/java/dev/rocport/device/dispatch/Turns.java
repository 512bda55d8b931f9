package dev.rocport.device.dispatch;

import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** The order and the length of the turns of a workgroup's waves. */
final class Turns {
  /** Instructions of a turn. */
  static final int SLICE = 4096;

  private final int[] order;
  private final @Nullable SplittableRandom random;

  /**
   * Turns of {@code waves} waves.
   *
   * @param first which wave begins
   * @param random null if the order stays the same
   */
  Turns(int waves, TurnOrder first, @Nullable SplittableRandom random) {
    this.order = new int[waves];
    for (int i = 0; i < waves; i++) {
      order[i] = first == TurnOrder.DESCENDING ? waves - 1 - i : i;
    }
    this.random = random;
  }

  /** The waves in the order of this round. */
  int[] order() {
    if (random != null) {
      for (int i = order.length - 1; i > 0; i--) {
        int j = random.nextInt(i + 1);
        int swapped = order[i];
        order[i] = order[j];
        order[j] = swapped;
      }
    }
    return order;
  }

  /** Instructions that a wave may run now. */
  int slice() {
    // Short turns as often as long ones: orders of neighbouring instructions count most.
    return random == null ? SLICE : 1 + random.nextInt(1 << random.nextInt(13));
  }
}
