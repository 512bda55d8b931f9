package dev.rocport.device.memory;

/**
 * The memory that programs and the device share: one sparse anonymous file, mapped at the same
 * address in every process, so that a device pointer is a plain address. It exists as long as the
 * process.
 *
 * @param base its address
 * @param size bytes, a multiple of the page size
 * @param fd the file, which another process of this user opens as {@code /proc/PID/fd/FD}
 */
public record SharedArena(long base, long size, int fd) {
  /**
   * The address of the arena: free in every process, and far from the addresses that Linux chooses.
   */
  public static final long ADDRESS = 0x2000_0000_0000L;

  /** Where programs reserve addresses of their own, at which parts of the file are mapped again. */
  public static final long VIRTUAL_ADDRESS = 0x3000_0000_0000L;

  /** Bytes of these addresses. */
  public static final long VIRTUAL_SIZE = 0x1000_0000_0000L;

  private static final long PAGE = 4096;

  /**
   * Makes and maps an arena.
   *
   * @throws IllegalStateException where the system refuses
   */
  public static SharedArena create(long size) {
    int fd = Posix.sharedFile("rocport-arena", size);
    Posix.map(ADDRESS, size, fd);
    return new SharedArena(ADDRESS, size, fd);
  }

  /**
   * Makes addresses safe to access for this process. Nothing is shared there: a wave that runs
   * while its program unmaps memory there harms no other program.
   */
  public void reserve(long address, long bytes) {
    Posix.blank(address, bytes);
  }

  /** Gives reserved addresses back to the system. */
  public void unreserve(long address, long bytes) {
    Posix.unmap(address, bytes);
  }

  /**
   * Maps a part of the arena again: at reserved addresses, or in place of another part of the
   * arena. There, {@code from == address} undoes it.
   */
  public void map(long address, long bytes, long from) {
    Posix.place(address, bytes, fd, from - base);
  }

  /** Undoes {@link #map}: the addresses are only reserved again. */
  public void unmap(long address, long bytes) {
    Posix.blank(address, bytes);
  }

  /** Gives the whole pages inside a range back to the system. They read as zero from then on. */
  public void release(long address, long bytes) {
    long from = address + PAGE - 1 & -PAGE;
    long to = address + bytes & -PAGE;
    if (to > from) {
      Posix.release(from, to - from);
    }
  }

  /** Fills a range with zeros; whole pages take no memory. */
  public void clear(long address, long bytes) {
    release(address, bytes);
    long end = address + bytes;
    long head = Math.min(end, address + PAGE - 1 & -PAGE);
    long tail = Math.max(head, end & -PAGE);
    Memory.fill(address, head - address, (byte) 0);
    Memory.fill(tail, end - tail, (byte) 0);
  }
}
