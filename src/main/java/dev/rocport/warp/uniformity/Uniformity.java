package dev.rocport.warp.uniformity;

/** The size of the groups of adjacent threads that have the same value; ascending in a lattice. */
public enum Uniformity {
  /** All threads of a block have it. */
  BLOCK,
  /** All lanes of a wave of 64 have it. */
  WAVE,
  /** All lanes of a warp of 32 have it; the two warps in a wave may differ. */
  WARP,
  /** Lanes of a warp may differ. */
  LANE;

  /** Returns the size of the smaller groups. */
  public Uniformity join(Uniformity other) {
    return compareTo(other) >= 0 ? this : other;
  }
}
