package dev.rocport.device.wave;

/**
 * Rows that an operation may use while it runs, for example for a scalar broadcast to the lanes.
 * One per worker thread; their contents are undefined between operations.
 */
public final class Temporaries {
  /**
   * Rows of 64 values: {@code rows[slot * 64 + lane]}. Enough for three sources and one result of
   * 32 registers.
   */
  public final int[] rows = new int[128 * Wave.LANES];

  /** One address a lane. */
  public final long[] addresses = new long[Wave.LANES];

  /** One 64-bit value a lane. */
  public final long[] values = new long[Wave.LANES];
}
