package dev.rocport.device.server;

import dev.rocport.device.memory.Allocation;
import dev.rocport.device.memory.Ranges;
import dev.rocport.device.memory.SharedArena;
import java.util.OptionalLong;

/** A part of the arena: the memory of a GPU, or the host's. */
record Pool(SharedArena arena, Ranges ranges, String owner) {
  long take(long size, long align) {
    OptionalLong at = ranges.take(size, align);
    if (at.isEmpty()) {
      throw new RequestException(
          Status.OUT_OF_MEMORY,
          "%d bytes asked for, %s has %d left".formatted(size, owner, ranges.available()));
    }
    return at.getAsLong();
  }

  void give(Allocation allocation) {
    arena.release(allocation.base(), allocation.size());
    ranges.give(allocation.base());
  }
}
