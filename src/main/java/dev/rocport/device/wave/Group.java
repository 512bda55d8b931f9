package dev.rocport.device.wave;

/**
 * A resident workgroup, as its waves see it.
 *
 * @param lds the address of its LDS in this process
 * @param ldsSize bytes
 * @param x the workgroup's place in the grid
 */
public record Group(
    Environment environment, long lds, int ldsSize, int x, int y, int z, Barrier barrier) {
  /** One that has just started. */
  public Group(Environment environment, long lds, int ldsSize, int x, int y, int z) {
    this(environment, lds, ldsSize, x, y, z, new Barrier());
  }
}
