package dev.rocport.device.check.order;

import dev.rocport.device.memory.Memory;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The recent stores of kernels, line by line: the writer, and the value of bytes in flight. An old
 * line may be forgotten; it is not reported then.
 */
final class History {
  private static final int BITS = 14;
  private static final int TOGETHER = 4;

  /**
   * What was stored last. Valid: bytes that were stored. Dirty: bytes of these that memory does not
   * have yet.
   */
  private final Lines lines = new Lines(BITS, TOGETHER);

  private final @Nullable Writer[] writers = new Writer[lines.slots() * Lines.BYTES];

  /** Who stored all bytes of a line, where one did; it stands for those of the line then. */
  private final @Nullable Writer[] wholes = new Writer[lines.slots()];

  /** Bytes of a line have been stored to a cache. */
  void stored(long number, long mask, long data, Writer writer) {
    int slot = own(number);
    Bytes.copy(data, lines.data(slot), mask);
    lines.valid[slot] |= mask;
    lines.dirty[slot] |= mask;
    sign(slot, mask, writer);
  }

  /** Bytes of a line have been changed in memory. */
  void changed(long number, long mask, Writer writer) {
    int slot = own(number);
    Bytes.copy(number * Lines.BYTES, lines.data(slot), mask);
    lines.valid[slot] |= mask;
    lines.dirty[slot] &= ~mask;
    sign(slot, mask, writer);
  }

  /** Bytes of a line have reached memory; newer ones may still be in flight. */
  void arrived(long number, long mask) {
    int slot = lines.slot(number);
    if (lines.holds(slot, number)) {
      long sent = mask & lines.dirty[slot];
      lines.dirty[slot] &= ~(sent & Bytes.equal(number * Lines.BYTES, lines.data(slot), sent));
    }
  }

  private int own(long number) {
    int slot = lines.slot(number);
    if (!lines.holds(slot, number)) {
      lines.dirty[slot] = 0;
      lines.take(slot, number, Kind.COARSE);
    }
    return slot;
  }

  private void sign(int slot, long mask, Writer writer) {
    if (mask == -1) {
      wholes[slot] = writer;
      return;
    }
    int first = slot * Lines.BYTES;
    Writer whole = wholes[slot];
    if (whole != null) {
      Arrays.fill(writers, first, first + Lines.BYTES, whole);
      wholes[slot] = null;
    }
    for (long m = mask; m != 0; m &= m - 1) {
      writers[first + Long.numberOfTrailingZeros(m)] = writer;
    }
  }

  /** The slot of a line of which something is known, or -1. */
  int find(long number) {
    int slot = lines.slot(number);
    return lines.holds(slot, number) && lines.valid[slot] != 0 ? slot : -1;
  }

  /**
   * The first of some bytes of a line that differs from what was stored there last, or -1. Bytes
   * that something else than kernels has changed since do not count.
   *
   * @param seen the address of the first of the bytes as they were seen
   */
  int missed(int slot, long number, int offset, int bytes, long seen) {
    long memory = number * Lines.BYTES;
    long data = lines.data(slot);
    if (bytes == 4 && Memory.loadInt(data + offset) == Memory.loadInt(seen)) {
      return -1;
    }
    for (int b = 0; b < bytes; b++) {
      int at = offset + b;
      if ((lines.valid[slot] >>> at & 1) != 0) {
        byte newest = Memory.loadByte(data + at);
        if (newest != Memory.loadByte(seen + b)
            && (isOnItsWay(slot, at) || newest == Memory.loadByte(memory + at))) {
          return at;
        }
      }
    }
    return -1;
  }

  /**
   * Whether all of a line was stored, and looks as it was stored last.
   *
   * @param seen the address of its bytes as they were seen
   */
  boolean isAsStored(int slot, long seen) {
    if (lines.valid[slot] != -1) {
      return false;
    }
    long data = lines.data(slot);
    long differ = 0;
    for (int at = 0; at < Lines.BYTES; at += Long.BYTES) {
      differ |= Memory.loadLong(data + at) ^ Memory.loadLong(seen + at);
    }
    return differ == 0;
  }

  /** Whether memory does not have a byte yet. */
  boolean isOnItsWay(int slot, int offset) {
    return (lines.dirty[slot] >>> offset & 1) != 0;
  }

  /** Whether a byte was stored by a kernel and looks as it was stored last. */
  boolean isStored(int slot, int offset, byte seen) {
    return (lines.valid[slot] >>> offset & 1) != 0
        && Memory.loadByte(lines.data(slot) + offset) == seen;
  }

  /** Who stored all bytes of a line that were stored, if that is known to be one; else null. */
  @Nullable Writer whole(int slot) {
    return wholes[slot];
  }

  /** Whether some bytes were stored by kernels and look as they were stored last. */
  boolean areStored(int slot, int offset, int bytes, long seen) {
    long mask = Bytes.mask(offset, bytes);
    return (lines.valid[slot] & mask) == mask
        && bytes == Integer.BYTES
        && Memory.loadInt(lines.data(slot) + offset) == Memory.loadInt(seen);
  }

  /** Who stored a byte. */
  @Nullable Writer writer(int slot, int offset) {
    Writer whole = wholes[slot];
    return whole != null ? whole : writers[slot * Lines.BYTES + offset];
  }

  void forget() {
    Arrays.fill(lines.numbers, 0);
    Arrays.fill(lines.valid, 0);
    Arrays.fill(lines.dirty, 0);
    Arrays.fill(writers, null);
    Arrays.fill(wholes, null);
  }
}
