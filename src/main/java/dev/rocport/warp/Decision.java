package dev.rocport.warp;

/** What 32 means in code that belongs together. */
public enum Decision {
  /** Logical groups of 32 lanes, since 32 is the algorithm's own number. */
  KEEP,
  /** The same, since nothing proves that it is not. */
  UNSURE,
  /** The target's waves. */
  WIDE
}
