package dev.rocport.device.check.order;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A compute unit: its L1 holds what its waves have loaded, and what they have stored until it
 * drains. Accesses of one compute unit see each other in the order in which they are issued; LLVM's
 * AMDGPU memory model rests on that within a workgroup.
 */
final class ComputeUnit {
  private static final int L1_BITS = 8;
  private static final int MOST_LATE = 16;

  /** Unlike that of all others of the program. */
  final int number;

  final int gpu;
  private final Lines l1 = new Lines(L1_BITS);
  private final @Nullable Lines l2;
  private final Lines remote;
  private final History history;

  /** When its L1 last forgot what it had loaded, as a wave wanted. */
  long acquired;

  /**
   * The same, as a wave wanted that meets those of its workgroup: their compute unit is another.
   */
  long acquiredInGroup;

  /** The same of the cache behind L1, which a pair of compute units has in common. */
  private long acquiredBehind;

  /** The other one of its pair, if waves of a workgroup run on both. */
  private @Nullable ComputeUnit other;

  /** When it last forgot all that other GPUs may change. */
  long metOthers;

  /** The same of the cache behind L1, which a pair of compute units has in common. */
  private long metOthersBehind;

  /** Accesses that were issued and have not been performed, in order. */
  private final List<Late> late = new ArrayList<>();

  /**
   * @param l2 what it shares with others of its XCD, where the GPU has several; otherwise memory
   *     stands for the L2
   * @param remote what the GPU holds of the memory of others
   */
  ComputeUnit(int number, int gpu, @Nullable Lines l2, Lines remote, History history) {
    this.number = number;
    this.gpu = gpu;
    this.l2 = l2;
    this.remote = remote;
    this.history = history;
  }

  /** Waves of a workgroup run on two compute units. */
  static void pair(ComputeUnit first, ComputeUnit second) {
    first.other = second;
    second.other = first;
  }

  /** It forgets what may have changed on the GPU, as a wave wants. */
  void acquires(long now) {
    acquired = now;
    acquiredBehind = now;
    if (other != null) {
      other.acquiredBehind = now;
    }
  }

  /** The same also of what other GPUs may change. */
  void acquiresOfOthers(long now) {
    acquires(now);
    metOthers = now;
    if (other != null) {
      other.metOthersBehind = now;
    }
  }

  /** All waves of its workgroups meet those of others, and forget what may have changed. */
  void meets(long now) {
    acquires(now);
    if (other != null) {
      other.acquires(now);
    }
  }

  /** Its L1 alone forgets, as a wave wants; the cache behind may have forgotten before. */
  void acquiresInGroup(long now) {
    acquiredInGroup = now;
    acquired = Math.max(acquired, acquiredBehind);
    metOthers = Math.max(metOthers, metOthersBehind);
  }

  /** Whether an access may be performed later than it was issued. */
  boolean hasRoomForLate() {
    return late.size() < MOST_LATE;
  }

  /** An access is performed later. */
  void postpone(Late access) {
    late.add(access);
  }

  /** Performs what was issued before and touches some of these addresses, in order. */
  void settle(long first, long last) {
    for (int i = 0; i < late.size(); i++) {
      Late access = late.get(i);
      if (access.touches(first, last)) {
        late.remove(i--);
        access.perform();
      }
    }
  }

  /** The same for the addresses of some lanes. */
  void settle(long lanes, long[] addresses, int bytes) {
    if (late.isEmpty()) {
      return;
    }
    long min = Long.MAX_VALUE;
    long max = Long.MIN_VALUE;
    for (long m = lanes; m != 0; m &= m - 1) {
      long address = addresses[Long.numberOfTrailingZeros(m)];
      min = Math.min(min, address);
      max = Math.max(max, address);
    }
    settle(min, max + bytes - 1);
  }

  /**
   * Performs an access after the earlier accesses of this compute unit that touch the same bytes.
   */
  void perform(Late access) {
    int at = access.isPerformed() ? -1 : late.indexOf(access);
    if (at < 0) {
      access.perform();
      return;
    }
    for (int i = 0; i < at; i++) {
      Late before = late.get(i);
      if (before.touches(access.first, access.last)) {
        late.remove(i--);
        at--;
        before.perform();
      }
    }
    late.remove(at);
    access.perform();
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
    Lines table = behind(kind);
    if (table == null) {
      return line * Lines.BYTES;
    }
    int slot = slotBehind(table, line, kind);
    if (table.valid[slot] != -1) {
      Bytes.copy(line * Lines.BYTES, table.data(slot), ~table.valid[slot]);
      table.valid[slot] = -1;
    }
    return table.data(slot);
  }

  /** The cache behind L1, or null for memory. */
  private @Nullable Lines behind(Kind kind) {
    return switch (kind) {
      case COARSE -> l2;
      case REMOTE -> remote;
      case FINE, INTERNAL, UNCACHED -> null;
    };
  }

  private int slotBehind(Lines table, long line, Kind kind) {
    int slot = table.slot(line);
    if (!table.holds(slot, line)) {
      writeBackSlot(table, slot);
      table.take(slot, line, kind);
    }
    return slot;
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

  /** Lets the stores to a line complete. */
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
    Kind kind = l1.kinds[slot];
    Lines table = behind(kind);
    if (table == null) {
      publish(data, line, mask);
    } else {
      long through = kind == Kind.REMOTE ? 0 : l1.through[slot] & mask;
      pass(table, data, line, kind, mask & ~through);
      passThrough(table, data, line, through);
    }
    l1.settle(slot, mask);
  }

  private void pass(Lines table, long data, long line, Kind kind, long mask) {
    if (mask != 0) {
      int slot = slotBehind(table, line, kind);
      Bytes.copy(data, table.data(slot), mask);
      table.soil(slot, mask, false);
    }
  }

  private void passThrough(Lines table, long data, long line, long mask) {
    if (mask != 0) {
      publish(data, line, mask);
      int slot = table.slot(line);
      if (table.holds(slot, line)) {
        Bytes.copy(data, table.data(slot), mask);
        table.valid[slot] |= mask;
        table.settle(slot, mask);
      }
    }
  }

  private void publish(long data, long line, long mask) {
    Bytes.publish(data, line * Lines.BYTES, mask);
    history.arrived(line, mask);
  }

  private void writeBackSlot(Lines table, int slot) {
    long mask = table.dirty[slot];
    if (mask != 0) {
      publish(table.data(slot), table.numbers[slot], mask);
      table.settle(slot, mask);
    }
  }

  /** Writes a line back to memory and invalidates it. */
  void giveUp(long line) {
    int slot = l1.slot(line);
    if (l1.holds(slot, line)) {
      drainSlot(slot);
      l1.valid[slot] = 0;
    }
    giveUp(remote, line);
    if (l2 != null) {
      giveUp(l2, line);
    }
  }

  private void giveUp(Lines table, long line) {
    int slot = table.slot(line);
    if (table.holds(slot, line)) {
      writeBackSlot(table, slot);
      table.valid[slot] = 0;
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

  /** Lets all stores complete. */
  void drainAll() {
    for (int slot = 0; l1.dirtySlots > 0 && slot < l1.slots(); slot++) {
      drainSlot(slot);
    }
  }

  /** Writes the L2 of its XCD back to memory. */
  void writeBack() {
    if (l2 != null) {
      writeBack(l2);
    }
  }

  private void writeBack(Lines table) {
    for (int slot = 0; table.dirtySlots > 0 && slot < table.slots(); slot++) {
      writeBackSlot(table, slot);
    }
  }

  /** Writes back and invalidates the cached memory of other GPUs. */
  void meetOthers() {
    writeBack(remote);
    remote.invalidate();
  }

  /** Lets one line go, if it is there. */
  void evict(int chosen) {
    int slot = chosen & l1.slots() - 1;
    drainSlot(slot);
    l1.valid[slot] = 0;
  }
}
