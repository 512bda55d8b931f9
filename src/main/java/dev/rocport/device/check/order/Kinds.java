package dev.rocport.device.check.order;

import dev.rocport.device.memory.AddressSpace;
import dev.rocport.device.memory.Allocation;
import dev.rocport.device.memory.SharedArena;
import org.jspecify.annotations.Nullable;

/** Tells kinds of memory, and remembers the allocation that was asked for last. */
final class Kinds {
  private @Nullable Object view;
  private long from;
  private long to;
  private Kind kind = Kind.UNCACHED;

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
                case DEVICE, CODE -> Kind.COARSE;
                case FINE, HOST, MANAGED, INTERNAL -> Kind.FINE;
              };
    }
    return kind;
  }
}
