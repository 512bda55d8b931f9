package dev.rocport.device.check;

import java.util.Map;
import java.util.function.Function;

/**
 * A vector clock: the position of an operation in the order of the program's streams and host.
 *
 * @param stream a line of operations that happen one after the other
 * @param sequence its place in that line, from 1 on
 * @param after for each stream the last operation that has ended before this one begins
 * @param what it is, in words
 * @param site finds where the host enqueued the operation, for what happened there in words
 */
public record VectorClock(
    long stream, long sequence, Map<Long, Long> after, String what, Function<String, Site> site) {
  /** What an access by MPI is. */
  public static final String OF_MPI = "use by an MPI function";

  /** The line of the moments at which the hosts of several processes meet. */
  private static final long MEETINGS = 0;

  public VectorClock {
    after = Map.copyOf(after);
  }

  /** Whether what happens at another moment has ended before what happens at this one. */
  public boolean isAfter(VectorClock other) {
    return (other.stream == stream && other.sequence < sequence)
        || after.getOrDefault(other.stream, 0L) >= other.sequence;
  }

  /** The number of the last moment at which another process told what this one has heard; or 0. */
  public long met() {
    return after.getOrDefault(MEETINGS, 0L);
  }
}
