package dev.rocport.device.op.memory;

import dev.rocport.device.memory.MemoryFault.Access;
import dev.rocport.device.wave.AccessObserver;
import dev.rocport.device.wave.Wave;

/** A kind of memory with the way an instruction addresses it. */
interface Space {
  /** The result of {@link #resolve} if the bytes of an access are not contiguous. */
  int SCATTERED = 0;

  /** An address where a load gives 0 and a store is dropped: beyond the records of a buffer. */
  long NOWHERE = 0;

  /**
   * Finds where each lane's access goes, having checked that all of it may be touched.
   *
   * @param lanes the lanes that take part
   * @param bytes of each lane
   * @param addresses receives the address of each lane
   * @return the bytes from one dword of an access to the next; {@link #SCATTERED} if each byte has
   *     to be asked for with {@link #byteAddress}, and then {@code addresses} are offsets
   */
  int resolve(Wave wave, long lanes, int bytes, Access access, long[] addresses);

  /** The address of a byte at an offset of {@link #resolve}, or {@link #NOWHERE}. */
  default long byteAddress(Wave wave, int lane, long offset) {
    throw new IllegalStateException("not scattered");
  }

  /**
   * Returns the address of some bytes at an offset of {@link #resolve}, or {@link #NOWHERE} if they
   * are not contiguous. Contiguous bytes are moved at once, so that no other worker sees a part of
   * them.
   */
  default long together(Wave wave, int lane, long offset, int bytes) {
    long first = byteAddress(wave, lane, offset);
    for (int b = 1; b < bytes && first != NOWHERE; b++) {
      if (byteAddress(wave, lane, offset + b) != first + b) {
        return NOWHERE;
      }
    }
    return first;
  }

  /** What kind of memory this is. Buffers, which may be a wave's scratch, count as global. */
  AccessObserver.Kind kind();

  /** Whether other threads and processes see this memory, so that atomics must be atomic. */
  default boolean shared() {
    return kind() == AccessObserver.Kind.GLOBAL;
  }
}
