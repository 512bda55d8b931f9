package dev.rocport.device.check.order;

import dev.rocport.device.memory.AddressSpace;
import dev.rocport.device.memory.Allocation;
import dev.rocport.device.memory.SharedArena;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Tells kinds of memory, and remembers the allocation that was asked for last. */
final class Kinds {
  private final Map<Long, Integer> owners;
  private final int gpu;
  private @Nullable Object view;
  private long from;
  private long to;
  private Kind kind = Kind.UNCACHED;

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
    if (address < from || address >= to || space.view() != view) {
      view = space.view();
      Allocation allocation = space.below(address);
      if (allocation == null || address >= allocation.end() + Lines.BYTES) {
        from = to;
        return Kind.UNCACHED;
      }
      from = allocation.base();
      to = allocation.end();
      kind =
          from >= SharedArena.VIRTUAL_ADDRESS
              ? Kind.UNCACHED
              : switch (allocation.kind()) {
                case DEVICE -> owners.getOrDefault(from, gpu) == gpu ? Kind.COARSE : Kind.REMOTE;
                case CODE -> Kind.COARSE;
                case FINE, HOST, MANAGED -> Kind.FINE;
                case INTERNAL -> Kind.INTERNAL;
              };
    }
    return kind;
  }
}
