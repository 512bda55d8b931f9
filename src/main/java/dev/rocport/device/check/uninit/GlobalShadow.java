package dev.rocport.device.check.uninit;

import dev.rocport.device.memory.Reserved;
import dev.rocport.device.memory.SharedArena;
import org.jspecify.annotations.Nullable;

/**
 * The undefined bits of global memory, of all programs: their allocations do not overlap. Memory
 * that was never reported is defined.
 */
final class GlobalShadow {
  static final GlobalShadow ALL = new GlobalShadow();

  /** Where the shadow of the arena begins. */
  private static final long SHADOW = 0x4000_0000_0000L;

  private static final int SEGMENT = 30;
  private static final int PAGE = 12;
  private static final int MOST =
      (int) ((SharedArena.VIRTUAL_ADDRESS - SharedArena.ADDRESS) >>> SEGMENT);

  private final @Nullable Region[] regions = new @Nullable Region[MOST];

  /** The part that contains an address; null if nothing in it is undefined. */
  @Nullable Region at(long address) {
    long segment = (address - SharedArena.ADDRESS) >>> SEGMENT;
    return segment < MOST && segment >= 0 ? regions[(int) segment] : null;
  }

  private synchronized Region made(long address) {
    int segment = (int) ((address - SharedArena.ADDRESS) >>> SEGMENT);
    Region region = regions[segment];
    if (region == null) {
      long offset = (long) segment << SEGMENT;
      Reserved.clear(SHADOW + offset, 1L << SEGMENT);
      region = new Region(SharedArena.ADDRESS + offset, 1L << SEGMENT, SHADOW + offset, PAGE);
      regions[segment] = region;
    }
    return region;
  }

  private static boolean covers(long address) {
    return address >= SharedArena.ADDRESS && address < SharedArena.VIRTUAL_ADDRESS;
  }

  void set(long address, long size, boolean defined) {
    long at = address;
    long end = address + size;
    while (at < end && covers(at)) {
      long next = Math.min(end, ((at >>> SEGMENT) + 1) << SEGMENT);
      Region region = defined ? at(at) : made(at);
      if (region != null) {
        region.set(at, next - at, defined);
      }
      at = next;
    }
  }

  /** Whether nothing of a range is undefined. */
  boolean isDefined(long from, long last) {
    Region region = at(from);
    if (region == at(last)) {
      return region == null || region.isDefined(from, last);
    }
    long middle = ((from >>> SEGMENT) + 1) << SEGMENT;
    return isDefined(from, middle - 1) && isDefined(middle, last);
  }

  int octet(long address) {
    Region region = at(address);
    return region == null ? 0 : region.octet(address);
  }

  void octet(long address, int bits) {
    Region region = at(address);
    if (region != null) {
      region.octet(address, bits);
    }
  }

  /** What is copied is as undefined as it was. */
  void copy(long to, long from, long size) {
    long at = 0;
    while (at < size) {
      long piece = Math.min(size - at, 1L << PAGE);
      if (isDefined(from + at, from + at + piece - 1)) {
        set(to + at, piece, true);
      } else {
        copyBytes(to + at, from + at, (int) piece);
      }
      at += piece;
    }
  }

  private void copyBytes(long to, long from, int size) {
    byte[] bits = new byte[size];
    for (int i = 0; i < size; i++) {
      bits[i] = (byte) octet(from + i);
    }
    for (int i = 0; i < size; i++) {
      octet(to + i, bits[i] & 0xff);
    }
  }
}
