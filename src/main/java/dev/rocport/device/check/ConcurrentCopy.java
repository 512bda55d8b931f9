package dev.rocport.device.check;

/**
 * A copy or fill of the program that is not ordered with a launch: it may run before, during or
 * after the kernel.
 *
 * @param address of the first byte that it touches
 * @param size in bytes
 * @param written whether it writes these bytes; otherwise it reads them
 * @param what {@code copy} or {@code fill}
 * @param site where the program asks for it
 */
public record ConcurrentCopy(long address, long size, boolean written, String what, Site site) {
  /** Returns whether it overlaps a range of bytes. */
  public boolean meets(long at, long bytes) {
    return at < address + size && address < at + bytes;
  }
}
