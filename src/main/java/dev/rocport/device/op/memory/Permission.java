package dev.rocport.device.op.memory;

import dev.rocport.device.memory.AddressSpace;
import dev.rocport.device.memory.Allocation;
import dev.rocport.device.memory.MemoryFault;
import dev.rocport.device.memory.MemoryFault.Access;
import dev.rocport.device.wave.Traffic;
import dev.rocport.device.wave.Wave;
import org.jspecify.annotations.Nullable;

/**
 * Checks that global memory may be accessed, and caches the last matching allocation. Threads may
 * race here: they replace one valid entry with another. Every access passes through here, so they
 * are counted here.
 */
final class Permission {
  private record Known(Object view, Allocation allocation) {}

  private @Nullable Known known;

  /**
   * Requires permission for the accesses of some lanes.
   *
   * @param bytes of each lane
   * @throws MemoryFault in the first lane whose access lies in no allocation that allows it
   */
  void require(Wave wave, long lanes, int bytes, Access access, long[] addresses) {
    long min = Long.MAX_VALUE;
    long max = Long.MIN_VALUE;
    for (long m = lanes; m != 0; m = Lanes.afterRun(m)) {
      int to = Lanes.end(m);
      for (int l = Lanes.start(m); l < to; l++) {
        min = Math.min(min, addresses[l]);
        max = Math.max(max, addresses[l]);
      }
    }
    AddressSpace space = wave.group.environment().memory();
    if (!allows(space, access, min, max - min + bytes)) {
      for (long m = lanes; m != 0; m &= m - 1) {
        int lane = Long.numberOfTrailingZeros(m);
        try {
          space.require(addresses[lane], bytes, access);
        } catch (MemoryFault fault) {
          throw fault.inLane(lane);
        }
      }
    }
    Traffic traffic = wave.traffic;
    if (traffic != null) {
      traffic.add(access, (long) Long.bitCount(lanes) * bytes);
    }
  }

  /**
   * Requires permission for one access.
   *
   * @throws MemoryFault if the access lies in no allocation that allows it
   */
  void require(Wave wave, long address, int bytes, Access access) {
    AddressSpace space = wave.group.environment().memory();
    if (!allows(space, access, address, bytes)) {
      space.require(address, bytes, access);
    }
    Traffic traffic = wave.traffic;
    if (traffic != null) {
      traffic.add(access, bytes);
    }
  }

  /**
   * The allocation that holds these bytes and allows the access to all of its own; null where there
   * is none.
   */
  @Nullable Allocation holder(Wave wave, long address, int bytes, Access access) {
    if (!allows(wave.group.environment().memory(), access, address, bytes)) {
      return null;
    }
    Known last = known;
    return last != null
            && last.allocation.holds(address, bytes)
            && (access == Access.LOAD || last.allocation.isWritable())
        ? last.allocation
        : null;
  }

  /** Counts what lanes move. */
  static void count(Wave wave, long lanes, int bytes, Access access) {
    Traffic traffic = wave.traffic;
    if (traffic != null) {
      traffic.add(access, (long) Long.bitCount(lanes) * bytes);
    }
  }

  /** Whether one allocation holds these bytes and allows the access. */
  private boolean allows(AddressSpace space, Access access, long address, long bytes) {
    Object view = space.view();
    Known last = known;
    if (last != null && last.view == view && last.allocation.allows(access, address, bytes)) {
      return true;
    }
    Allocation below = space.below(address);
    if (below == null || !below.allows(access, address, bytes)) {
      return false;
    }
    known = new Known(view, below);
    return true;
  }
}
