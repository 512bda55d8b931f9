package dev.rocport.device.memory;

import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Allocates ranges in a part of the arena, first fit. A gap separates any two ranges, so that an
 * access past the end never hits a neighbour.
 */
public final class Ranges {
  private static final long GRANULE = 256;

  private final TreeMap<Long, Long> free = new TreeMap<>();
  private final Map<Long, Long> used = new TreeMap<>();
  private long available;

  /** Hands out of {@code size} bytes from {@code base} on. */
  public Ranges(long base, long size) {
    free.put(base, size);
    available = size;
  }

  /**
   * A range of at least {@code size} bytes.
   *
   * @param align a power of two; 256 is the least
   * @return its address, or empty where nothing fits
   */
  public synchronized OptionalLong take(long size, long align) {
    if (size < 0 || size > available) {
      return OptionalLong.empty();
    }
    long alignment = Math.max(align, GRANULE);
    long bytes = ((Math.max(size, 1) + GRANULE - 1) & -GRANULE) + GRANULE;
    for (Map.Entry<Long, Long> hole : free.entrySet()) {
      long start = hole.getKey();
      long at = (start + alignment - 1) & -alignment;
      if (at + bytes <= start + hole.getValue()) {
        cut(start, start + hole.getValue(), at, bytes);
        return OptionalLong.of(at);
      }
    }
    return OptionalLong.empty();
  }

  private void cut(long start, long end, long at, long bytes) {
    free.remove(start);
    if (at > start) {
      free.put(start, at - start);
    }
    if (at + bytes < end) {
      free.put(at + bytes, end - at - bytes);
    }
    used.put(at, bytes);
    available -= bytes;
  }

  /** Takes a range back. */
  public synchronized void give(long address) {
    Long bytes = used.remove(address);
    if (bytes == null) {
      throw new IllegalArgumentException("not handed out: 0x" + Long.toHexString(address));
    }
    available += bytes;
    long start = address;
    long size = bytes;
    Map.Entry<Long, Long> before = free.lowerEntry(address);
    if (before != null && before.getKey() + before.getValue() == address) {
      start = before.getKey();
      size += before.getValue();
      free.remove(start);
    }
    Long after = free.remove(address + bytes);
    if (after != null) {
      size += after;
    }
    free.put(start, size);
  }

  /** Bytes not handed out. */
  public synchronized long available() {
    return available;
  }
}
