package dev.rocport.device.check;

import dev.rocport.device.codeobject.CodeObject;
import dev.rocport.device.memory.Allocation;
import dev.rocport.device.wave.Op;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One check of one program, from its first call to its end. State that a check keeps for a wave is
 * in {@link dev.rocport.device.wave.Wave}'s notes. Called by several threads concurrently.
 */
public interface Checker {
  /**
   * Returns the operation to run instead of a plain one: the same object if the check does not need
   * it, or one that does what {@code plain} does and observes it. Checks can be nested.
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

  /** What has been looked at so far, in launches that have ended. */
  default Coverage coverage() {
    return Coverage.NONE;
  }

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
   * The host of the program lets those of other programs know what has ended, or hears of what they
   * have told.
   *
   * @param known for each line of operations the last one that its host knows to have ended; null
   *     if it only hears
   * @return the number of what was told last; 0 if the check needs none
   */
  default long meets(@Nullable Map<Long, Long> known) {
    return 0;
  }

  /** The program has ended, and all its memory has been freed. */
  default void ended() {}

  /**
   * Announces that {@link #hostWrote}, {@link #hostRead}, {@link #mayHaveWritten} or {@link
   * #copied} is called next, for an event at that moment.
   *
   * @param to the address that it writes; 0 if it only reads
   * @param from the address that it reads; 0 if it only writes
   * @param clock null if the program has not reported one: after everything that has ended
   */
  default void touches(long to, long from, long size, @Nullable VectorClock clock) {}
}
