package dev.rocport.device.wave;

import dev.rocport.device.memory.MemoryFault.Access;

/**
 * Bytes of global memory that waves have read and written, counted for each lane separately; an
 * atomic counts as both. Only one thread at a time may update it.
 */
public final class Traffic {
  private long read;
  private long written;

  public void add(Access access, long bytes) {
    if (access != Access.STORE) {
      read += bytes;
    }
    if (access != Access.LOAD) {
      written += bytes;
    }
  }

  public long read() {
    return read;
  }

  public long written() {
    return written;
  }
}
