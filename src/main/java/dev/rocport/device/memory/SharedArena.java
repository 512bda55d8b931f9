package dev.rocport.device.memory;

/**
 * The memory that programs and the device share: one sparse anonymous file, mapped at the same
 * address in every process, so that a device pointer is a plain address. It lives as long as the
 * process.
 *
 * @param base its address
 * @param size bytes, a multiple of the page size
 * @param fd the file, which another process of this user opens as {@code /proc/PID/fd/FD}
 */
public record SharedArena(long base, long size, int fd) {
  /**
   * Where the arena lies: free in every process, and far from where Linux puts anything by itself.
   */
  public static final long ADDRESS = 0x2000_0000_0000L;

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

  /** Gives the whole pages inside a range back to the system. They read as zero from then on. */
  public void release(long address, long bytes) {
    long from = address + PAGE - 1 & -PAGE;
    long to = address + bytes & -PAGE;
    if (to > from) {
      Posix.release(from, to - from);
    }
  }
}
