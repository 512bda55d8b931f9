package dev.rocport.device.check.order;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.wave.Notes;
import dev.rocport.device.wave.Wave;
import dev.rocport.device.wave.WaveState;
import java.util.Arrays;

/** The stores of a wave that no s_waitcnt has waited for, in order. */
final class Pending implements Notes {
  /** Accesses that a wave can have on their way: vmcnt has 6 bits. */
  private static final int MOST = 63;

  final ComputeUnit unit;
  final OrderWatch launch;

  /** Waits of a wave in which it stays often. */
  private static final int OFTEN = 32;

  private long[] lines = new long[64];
  private int[] times = new int[64];
  private int head;
  private int tail;
  private int issued;
  private int waits;

  Pending(ComputeUnit unit, OrderWatch launch) {
    this.unit = unit;
    this.launch = launch;
  }

  /** The wave has issued an access that vmcnt counts. */
  void count() {
    issued++;
    complete(MOST);
  }

  /** The access that was counted last has stored to a line. */
  void store(long line) {
    if (head < tail && lines[tail - 1] == line && times[tail - 1] == issued) {
      return;
    }
    if (tail == lines.length) {
      make();
    }
    lines[tail] = line;
    times[tail++] = issued;
  }

  private void make() {
    int live = tail - head;
    int size = live > lines.length / 2 ? 2 * lines.length : lines.length;
    lines = Arrays.copyOf(Arrays.copyOfRange(lines, head, tail), size);
    times = Arrays.copyOf(Arrays.copyOfRange(times, head, tail), size);
    head = 0;
    tail = live;
  }

  /** Waits until at most {@code left} accesses are on their way. */
  void complete(int left) {
    int until = issued - left;
    while (head < tail && times[head] - until <= 0) {
      unit.drain(lines[head++]);
    }
    if (head == tail) {
      head = 0;
      tail = 0;
    }
  }

  /**
   * Whether the wave waits a while longer at an instruction that waits; some of what it waits for
   * goes on, and others have their turns.
   */
  boolean stays(Wave wave, Instruction instruction, int left) {
    waits++;
    Chance chance = launch.chance();
    if (!chance.once(waits < OFTEN ? 4 : 64)) {
      return false;
    }
    int until = issued - left;
    for (int i = head; i < tail && times[i] - until <= 0; i++) {
      if (chance.once(2)) {
        unit.drain(lines[i]);
      }
    }
    wave.pc -= instruction.size() >> 2;
    wave.state = WaveState.YIELDED;
    return true;
  }

  /** Lets one of the stores go on. */
  void drainOne(Chance chance) {
    if (head < tail) {
      unit.drain(lines[head + chance.below(tail - head)]);
    }
  }
}
