package dev.rocport.device.check.order;

import dev.rocport.device.memory.Memory;
import dev.rocport.device.op.memory.Width;
import dev.rocport.device.wave.Wave;
import java.util.Deque;

/** A load whose registers are set by the s_waitcnt that waits for it, or earlier. */
final class LateLoad extends Late {
  private static final int MOST_DWORDS = 4;

  private final Deque<LateLoad> home;
  private final long[] addresses = new long[Wave.LANES];
  private final int[] values = new int[MOST_DWORDS * Wave.LANES];
  private OrderedPath path;
  private Wave wave;
  private Width width;
  private int[] registers;
  private int row;
  private long lanes;

  /** The bits of a register that it leaves alone. */
  private int kept;

  /** The index of its instruction. */
  private int pc;

  /** When it was issued. */
  private long clock;

  private LateLoad(
      Deque<LateLoad> home, OrderedPath path, Wave wave, Width width, int[] registers) {
    this.home = home;
    this.path = path;
    this.wave = wave;
    this.width = width;
    this.registers = registers;
  }

  /**
   * A load that is being issued.
   *
   * @param home where loads lie that are not needed any more
   * @param row the index of lane 0 of the first register
   * @param kept the bits of a register that it leaves alone
   */
  static LateLoad of(
      Deque<LateLoad> home,
      OrderedPath path,
      Wave wave,
      Width width,
      long lanes,
      long[] addresses,
      int[] registers,
      int row,
      int kept,
      long clock) {
    LateLoad load = home.pollFirst();
    if (load == null) {
      load = new LateLoad(home, path, wave, width, registers);
    }
    load.path = path;
    load.wave = wave;
    load.width = width;
    load.registers = registers;
    load.row = row;
    load.lanes = lanes;
    load.kept = kept;
    load.pc = wave.pc - 1;
    load.clock = clock;
    load.again();
    System.arraycopy(addresses, 0, load.addresses, 0, Wave.LANES);
    load.spans(lanes, addresses, width.bytes());
    return load;
  }

  @Override
  void work() {
    path.sample(this);
    if (wave.observer != null) {
      wave.observer.seen(wave, lanes, width.bytes(), addresses, registers, row);
    }
  }

  @Override
  void deliver() {
    int rows = width.dwords();
    if (lanes == -1 && kept == 0) {
      System.arraycopy(values, 0, registers, row, rows * Wave.LANES);
      return;
    }
    for (int r = 0; r < rows * Wave.LANES; r += Wave.LANES) {
      for (long m = lanes; m != 0; m &= m - 1) {
        int lane = Long.numberOfTrailingZeros(m);
        int at = row + r + lane;
        registers[at] = (registers[at] & kept) | values[r + lane];
      }
    }
  }

  @Override
  boolean writes(int[] registers, int from, int to) {
    return registers == this.registers && row < to && from < row + width.dwords() * Wave.LANES;
  }

  @Override
  void recycle() {
    home.addFirst(this);
  }

  Wave wave() {
    return wave;
  }

  /** What it does, in words. */
  String what() {
    return "load of " + width.bytes() + " bytes";
  }

  Width width() {
    return width;
  }

  long lanes() {
    return lanes;
  }

  long address(int lane) {
    return addresses[lane];
  }

  /** Whether a line has the whole dword of a lane. */
  boolean isIn(int lane, long line) {
    long offset = addresses[lane] - line * Lines.BYTES;
    return offset >= 0 && offset <= Lines.BYTES - Integer.BYTES;
  }

  /**
   * Takes the values of a dword a lane from one line.
   *
   * @param lanes that have none yet
   * @param data the address of the line's bytes
   * @return the lanes that are left: of another line, or across its end
   */
  long take(long lanes, long line, long data) {
    long start = line * Lines.BYTES;
    long left = lanes;
    while (left != 0) {
      int lane = Long.numberOfTrailingZeros(left);
      if (!isIn(lane, line)) {
        break;
      }
      values[lane] = Memory.loadInt(data + addresses[lane] - start);
      left &= left - 1;
    }
    return left;
  }

  /** Rows of what it has seen. */
  int[] values() {
    return values;
  }

  /** Whether it is the first guess of a compare and swap, which sees to it that it was right. */
  boolean isGuess() {
    return path.isGuess(wave, pc);
  }

  int pc() {
    return pc;
  }

  long clock() {
    return clock;
  }
}
