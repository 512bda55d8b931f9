package dev.rocport.device.check;

import dev.rocport.device.codeobject.CodeObject;
import dev.rocport.device.memory.Allocation;
import dev.rocport.device.wave.Op;
import org.jspecify.annotations.Nullable;

/**
 * One check of one program, from its first call to its end. State that a check keeps for a wave is
 * in {@link dev.rocport.device.wave.Wave}'s notes. Called by several threads concurrently.
 */
public interface Checker {
  /**
   * The operation that runs in place of a plain one: the same object where the check does not care,
   * or one that does what {@code plain} does and looks at it. Checks go around each other.
   */
  default Op around(Op plain) {
    return plain;
  }

  /**
   * Code was loaded.
   *
   * @param image what the program has it from: perhaps with code for other targets beside it
   */
  default void loaded(CodeObject object, byte[] image) {}

  /** A kernel is about to start. */
  default LaunchWatch launch(LaunchView launch) {
    return LaunchWatch.NONE;
  }

  /**
   * Memory was allocated, with no contents.
   *
   * @param gpu -1 for memory of the host
   */
  default void allocated(Allocation allocation, int gpu) {}

  default void freed(Allocation allocation) {}

  /** The host has written device memory: a copy from the host, a fill. */
  default void hostWrote(long address, long size) {}

  /** The host has read device memory: a copy to the host. */
  default void hostRead(long address, long size) {}

  /**
   * A library whose work is done on the host may have written any of these bytes, in the order of a
   * stream, as a kernel would.
   */
  default void mayHaveWritten(long address, long size) {}

  /** The host has copied device memory to device memory. */
  default void copied(long to, long from, long size) {}

  /**
   * {@link #hostWrote}, {@link #hostRead}, {@link #mayHaveWritten} or {@link #copied} will be
   * called next, for what happens at that moment.
   *
   * @param to where it writes; 0 where it only reads
   * @param from where it reads; 0 where it only writes
   * @param moment null where the program has not told: after all that has ended
   */
  default void touches(long to, long from, long size, @Nullable Moment moment) {}
}
