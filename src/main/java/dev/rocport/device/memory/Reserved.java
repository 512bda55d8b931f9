package dev.rocport.device.memory;

/** Memory of this process at fixed addresses that is backed by pages only where it is touched. */
public final class Reserved {
  private Reserved() {}

  /** Makes addresses safe to touch; they hold zeros, also where they held something before. */
  public static void clear(long address, long size) {
    Posix.blank(address, size);
  }
}
