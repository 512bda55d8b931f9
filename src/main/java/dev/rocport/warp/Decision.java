package dev.rocport.warp;

/** The meaning of 32 in the code of one component. */
public enum Decision {
  /** Logical groups of 32 lanes, since 32 is the algorithm's own number. */
  KEEP,
  /** The same, since nothing proves that it is not. */
  UNSURE,
  /** The target's waves. */
  WIDE
}
