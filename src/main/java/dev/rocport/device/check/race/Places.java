package dev.rocport.device.check.race;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Numbers of instructions that fit into a {@link PackedAccess}. In code of up to 4 MiB, they are
 * the indexes of the instructions. Libraries have longer code, and few of its instructions run:
 * there, instructions are numbered in the order in which they are first met.
 */
final class Places {
  private static final int MOST = 1 << PackedAccess.PLACE_BITS;

  /**
   * By index, plus one; 0 for an instruction that has not been met. None if numbers are indexes.
   */
  private final int @Nullable [] numbers;

  private int[] indexes = {};
  private int count;

  Places(int instructions) {
    this.numbers = instructions <= MOST ? null : new int[instructions];
  }

  /** The number of the instruction with an index. */
  int number(int index) {
    if (numbers == null) {
      return index;
    }
    // A stale 0 is harmless: it is looked up again under the lock.
    int known = numbers[index];
    return known != 0 ? known - 1 : add(numbers, index);
  }

  private synchronized int add(int[] all, int index) {
    if (all[index] == 0) {
      if (count == MOST) {
        return MOST - 1;
      }
      if (count == indexes.length) {
        indexes = Arrays.copyOf(indexes, Math.max(256, 2 * count));
      }
      indexes[count++] = index;
      all[index] = count;
    }
    return all[index] - 1;
  }

  /** The index of the instruction with a number. */
  int index(int number) {
    if (numbers == null) {
      return number;
    }
    synchronized (this) {
      return indexes[number];
    }
  }
}
