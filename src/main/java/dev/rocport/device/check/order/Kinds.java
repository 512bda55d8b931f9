package dev.rocport.device.check.order;

import dev.rocport.device.memory.AddressSpace;
import dev.rocport.device.memory.Allocation;
import dev.rocport.device.memory.SharedArena;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Tells kinds of memory, and remembers some allocations that were asked for last. */
final class Kinds {
  private static final int KNOWN = 8;

  private final Map<Long, Integer> owners;
  private final int gpu;
  private @Nullable Object view;
  private final long[] from = new long[KNOWN];
  private final long[] to = new long[KNOWN];
  private final Kind[] kinds = new Kind[KNOWN];
  private int last;

  /**
   * Of the memory as a GPU sees it.
   *
   * @param owners the GPU of each allocation that is of one, by its base
   */
  Kinds(Map<Long, Integer> owners, int gpu) {
    this.owners = owners;
    this.gpu = gpu;
  }

  /** The kind of an address. */
  Kind of(AddressSpace space, long address) {
    if (space.view() != view) {
      forget(space.view());
    }
    for (int i = last; i > last - KNOWN; i--) {
      int at = i & KNOWN - 1;
      if (address >= from[at] && address < to[at]) {
        return kinds[at];
      }
    }
    Allocation allocation = space.below(address);
    if (allocation == null || address >= allocation.end() + Lines.BYTES) {
      return Kind.UNCACHED;
    }
    last = last + 1 & KNOWN - 1;
    from[last] = allocation.base();
    to[last] = allocation.end();
    kinds[last] = of(allocation);
    return kinds[last];
  }

  private void forget(Object now) {
    view = now;
    for (int i = 0; i < KNOWN; i++) {
      from[i] = 0;
      to[i] = 0;
      kinds[i] = Kind.UNCACHED;
    }
  }

  private Kind of(Allocation allocation) {
    if (allocation.base() >= SharedArena.VIRTUAL_ADDRESS) {
      return Kind.UNCACHED;
    }
    return switch (allocation.kind()) {
      case DEVICE -> owners.getOrDefault(allocation.base(), gpu) == gpu ? Kind.COARSE : Kind.REMOTE;
      case CODE -> Kind.COARSE;
      case FINE, HOST, MANAGED -> Kind.FINE;
      case INTERNAL -> Kind.INTERNAL;
    };
  }
}
