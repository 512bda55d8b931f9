package dev.rocport.device.check.order;

import org.jspecify.annotations.Nullable;

/**
 * A compute unit: its L1 holds what its waves have loaded, and what they have stored until it
 * drains. Accesses of one compute unit see each other in the order in which they are issued; LLVM's
 * AMDGPU memory model rests on that within a workgroup.
 */
final class ComputeUnit {
  private static final int L1_BITS = 8;

  /** Unlike that of all others of the program. */
  final int number;

  final int gpu;
  private final Lines l1 = new Lines(L1_BITS);
  private final @Nullable Lines l2;
  private final History history;

  /**
   * @param l2 what it shares with others of its XCD, where the GPU has several; otherwise memory
   *     stands for the L2
   */
  ComputeUnit(int number, int gpu, @Nullable Lines l2, History history) {
    this.number = number;
    this.gpu = gpu;
    this.l2 = l2;
    this.history = history;
  }

  /** The slot of a line, whose bytes need not be there. */
  private int slot(long line, Kind kind) {
    int slot = l1.slot(line);
    if (!l1.holds(slot, line)) {
      drainSlot(slot);
      l1.take(slot, line, kind);
    }
    return slot;
  }

  /** The address of a line with all its bytes, as old as the caches have them. */
  long cached(long line, Kind kind) {
    int slot = slot(line, kind);
    if (l1.valid[slot] != -1) {
      Bytes.copy(below(line, kind), l1.data(slot), ~l1.valid[slot]);
      l1.valid[slot] = -1;
    }
    return l1.data(slot);
  }

  /** The address of a line with all its bytes, as new as the GPU has them. */
  long fresh(long line, Kind kind) {
    int slot = slot(line, kind);
    l1.valid[slot] = l1.dirty[slot];
    if (l2 != null) {
      int second = l2.slot(line);
      if (l2.holds(second, line)) {
        l2.valid[second] = l2.dirty[second];
      }
    }
    return cached(line, kind);
  }

  private long below(long line, Kind kind) {
    if (l2 == null || kind != Kind.COARSE) {
      return line * Lines.BYTES;
    }
    int slot = second(line);
    if (l2.valid[slot] != -1) {
      Bytes.copy(line * Lines.BYTES, l2.data(slot), ~l2.valid[slot]);
      l2.valid[slot] = -1;
    }
    return l2.data(slot);
  }

  private int second(long line) {
    Lines table = l2();
    int slot = table.slot(line);
    if (!table.holds(slot, line)) {
      writeBackSlot(slot);
      table.take(slot, line, Kind.COARSE);
    }
    return slot;
  }

  private Lines l2() {
    if (l2 == null) {
      throw new IllegalStateException("no second cache");
    }
    return l2;
  }

  /** The address of a line, for bytes that are stored there next. */
  long room(long line, Kind kind) {
    return l1.data(slot(line, kind));
  }

  /**
   * Bytes of a line have been stored.
   *
   * @param goesThrough they have to go to where the whole GPU sees them
   */
  void stored(long line, long mask, boolean goesThrough, Writer writer) {
    int slot = l1.slot(line);
    l1.soil(slot, mask, goesThrough);
    history.stored(line, mask, l1.data(slot), writer);
  }

  /** Lets the stores to a line go on. */
  void drain(long line) {
    int slot = l1.slot(line);
    if (l1.holds(slot, line)) {
      drainSlot(slot);
    }
  }

  private void drainSlot(int slot) {
    long mask = l1.dirty[slot];
    if (mask == 0) {
      return;
    }
    long line = l1.numbers[slot];
    long data = l1.data(slot);
    if (l2 == null || l1.kinds[slot] != Kind.COARSE) {
      publish(data, line, mask);
    } else {
      long through = l1.through[slot] & mask;
      toL2(data, line, mask & ~through, through);
    }
    l1.settle(slot, mask);
  }

  private void toL2(long data, long line, long staying, long through) {
    Lines table = l2();
    if (staying != 0) {
      int slot = second(line);
      Bytes.copy(data, table.data(slot), staying);
      table.soil(slot, staying, false);
    }
    if (through != 0) {
      publish(data, line, through);
      int slot = table.slot(line);
      if (table.holds(slot, line)) {
        Bytes.copy(data, table.data(slot), through);
        table.valid[slot] |= through;
        table.settle(slot, through);
      }
    }
  }

  private void publish(long data, long line, long mask) {
    Bytes.publish(data, line * Lines.BYTES, mask);
    history.arrived(line, mask);
  }

  private void writeBackSlot(int slot) {
    Lines table = l2();
    long mask = table.dirty[slot];
    if (mask != 0) {
      publish(table.data(slot), table.numbers[slot], mask);
      table.settle(slot, mask);
    }
  }

  /** Brings a line to memory, and keeps nothing of it. */
  void giveUp(long line) {
    int slot = l1.slot(line);
    if (l1.holds(slot, line)) {
      drainSlot(slot);
      l1.valid[slot] = 0;
    }
    if (l2 != null) {
      int second = l2.slot(line);
      if (l2.holds(second, line)) {
        writeBackSlot(second);
        l2.valid[second] = 0;
      }
    }
  }

  /** Forgets what L1 has loaded. */
  void invalidateL1() {
    l1.invalidate();
  }

  /** Forgets what the L2 of its XCD has loaded. */
  void invalidateL2() {
    if (l2 != null) {
      l2.invalidate();
    }
  }

  /** Lets all stores go on. */
  void drainAll() {
    for (int slot = 0; l1.dirtySlots > 0 && slot < l1.slots(); slot++) {
      drainSlot(slot);
    }
  }

  /** Brings what the L2 of its XCD holds to memory. */
  void writeBack() {
    if (l2 != null) {
      for (int slot = 0; l2.dirtySlots > 0 && slot < l2.slots(); slot++) {
        writeBackSlot(slot);
      }
    }
  }

  /** Lets one line go, if it is there. */
  void evict(int chosen) {
    int slot = chosen & l1.slots() - 1;
    drainSlot(slot);
    l1.valid[slot] = 0;
  }
}
