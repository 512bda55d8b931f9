package dev.rocport.device.check.race;

import java.util.concurrent.ConcurrentHashMap;

/** The cells of global memory, made where it is first touched. */
final class Shadow {
  /** Bytes that share one {@link Cells}. */
  static final int CHUNK_BITS = 14;

  private final ConcurrentHashMap<Long, Cells> chunks = new ConcurrentHashMap<>();

  /** The cells of the chunk with that number: an address without its lowest bits. */
  Cells chunk(long number) {
    Cells cells = chunks.get(number);
    return cells != null
        ? cells
        : chunks.computeIfAbsent(number, _ -> new Cells(1 << (CHUNK_BITS - 2)));
  }

  /** Memory was given back, or is given out anew: what was done to it counts no more. */
  void forget(long address, long size) {
    long first = address >>> CHUNK_BITS;
    long last = (address + size - 1) >>> CHUNK_BITS;
    for (long n = first; n <= last; n++) {
      Cells cells = chunks.get(n);
      if (cells == null) {
        continue;
      }
      long start = n << CHUNK_BITS;
      int from = (int) (Math.max(address, start) - start) >>> 2;
      int to = (int) (Math.min(address + size, start + (1 << CHUNK_BITS)) - start + 3) >>> 2;
      if (from == 0 && to == 1 << (CHUNK_BITS - 2)) {
        chunks.remove(n);
      } else {
        synchronized (cells) {
          cells.clear(from, to);
        }
      }
    }
  }

  void clear() {
    chunks.clear();
  }
}
