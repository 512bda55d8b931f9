package dev.rocport.device.dispatch;

/**
 * What a program asks for with a launch.
 *
 * @param kernel index in the code object's kernels
 * @param grid blocks in x, y, z
 * @param block threads in x, y, z
 * @param dynamicLds bytes
 * @param cooperative whether all workgroups have to be resident at once
 * @param arguments the explicit arguments at their offsets
 */
public record LaunchRequest(
    LoadedCode code,
    int kernel,
    Dim3 grid,
    Dim3 block,
    int dynamicLds,
    boolean cooperative,
    byte[] arguments) {

  /** Extents in x, y, z. */
  public record Dim3(int x, int y, int z) {
    public long count() {
      return (long) x * y * z;
    }
  }
}
