package dev.rocport.device.dispatch;

import dev.rocport.device.check.ConcurrentCopy;
import dev.rocport.device.check.VectorClock;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a launch that a program requests.
 *
 * @param kernel index in the code object's kernels
 * @param grid blocks in x, y, z
 * @param block threads in x, y, z
 * @param dynamicLds bytes
 * @param cooperative whether all workgroups have to be resident at once
 * @param part its place among launches that share a barrier, or null where there are none
 * @param clock when it happens, or null where the program has not told
 * @param concurrent copies that may happen while it runs
 * @param arguments the explicit arguments at their offsets
 */
public record LaunchRequest(
    LoadedCode code,
    int kernel,
    Dim3 grid,
    Dim3 block,
    int dynamicLds,
    boolean cooperative,
    @Nullable Part part,
    @Nullable VectorClock clock,
    List<ConcurrentCopy> concurrent,
    byte[] arguments) {

  /**
   * One launch of several, each on a GPU of its own, that meet at a barrier.
   *
   * @param barrier the address of the two words that the barrier is made of
   * @param number from 0 on
   * @param count of all parts
   * @param threadsBefore threads of the parts with smaller numbers
   * @param threads of all parts
   */
  public record Part(long barrier, int number, int count, long threadsBefore, long threads) {}

  /** Extents in x, y, z. */
  public record Dim3(int x, int y, int z) {
    public long count() {
      return (long) x * y * z;
    }

    /** The place of a number inside these extents: x runs first, then y, then z. */
    Dim3 place(long index) {
      return new Dim3((int) (index % x), (int) (index / x % y), (int) (index / x / y));
    }
  }
}
