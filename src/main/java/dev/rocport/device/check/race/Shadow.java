package dev.rocport.device.check.race;

import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The cells of global memory, made where it is first touched. */
final class Shadow {
  /** Bytes that share one {@link Cells}. */
  static final int CHUNK_BITS = 14;

  private static final int WORDS = 1 << (CHUNK_BITS - 2);

  private final ConcurrentHashMap<Long, Cells> chunks = new ConcurrentHashMap<>();

  /** How often cells were removed. */
  private final AtomicInteger removals = new AtomicInteger();

  /** The writer of a whole chunk, if nothing has accessed it since. */
  private final ConcurrentHashMap<Long, Long> wholes = new ConcurrentHashMap<>();

  /** The cells of the chunk with that number: an address without its lowest bits. */
  Cells chunk(long number) {
    Cells cells = chunks.get(number);
    return cells != null ? cells : chunks.computeIfAbsent(number, this::fresh);
  }

  /** A way to the chunks that somebody looks at again and again. */
  Recent recent() {
    return new Recent();
  }

  /** Remembers some chunks; for one thread. */
  final class Recent {
    private static final int SLOTS = 8;

    private final long[] numbers = new long[SLOTS];
    private final @Nullable Cells[] cells = new Cells[SLOTS];
    private int seen = -1;

    /** {@link Shadow#chunk}. */
    Cells chunk(long number) {
      int now = removals.get();
      if (now != seen) {
        Arrays.fill(cells, null);
        seen = now;
      }
      int slot = (int) number & (SLOTS - 1);
      Cells known = cells[slot];
      if (known == null || numbers[slot] != number) {
        known = Shadow.this.chunk(number);
        numbers[slot] = number;
        cells[slot] = known;
      }
      return known;
    }
  }

  private Cells fresh(long number) {
    Cells cells = new Cells(WORDS);
    Long writer = wholes.remove(number);
    if (writer != null) {
      cells.fill(0, WORDS, writer, PackedAccess.of(0, false, false), true);
    }
    return cells;
  }

  /** All of a chunk is written at once; the cells of who was there before, or null. */
  @Nullable Cells writeWhole(long number, long epoch) {
    Cells before = chunks.remove(number);
    wholes.put(number, epoch);
    removals.incrementAndGet();
    return before;
  }

  /** Memory was given back, or is given out anew: what was done to it counts no more. */
  void forget(long address, long size) {
    long first = address >>> CHUNK_BITS;
    long last = (address + size - 1) >>> CHUNK_BITS;
    for (long n = first; n <= last; n++) {
      long start = n << CHUNK_BITS;
      int from = (int) (Math.max(address, start) - start) >>> 2;
      int to = (int) (Math.min(address + size, start + (1 << CHUNK_BITS)) - start + 3) >>> 2;
      if (from == 0 && to == WORDS) {
        wholes.remove(n);
        chunks.remove(n);
        removals.incrementAndGet();
        continue;
      }
      Cells cells = wholes.containsKey(n) ? chunk(n) : chunks.get(n);
      if (cells != null) {
        synchronized (cells) {
          cells.clear(from, to);
        }
      }
    }
  }

  void clear() {
    wholes.clear();
    chunks.clear();
    removals.incrementAndGet();
  }
}
