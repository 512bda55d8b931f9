package dev.rocport.warp.proof;

import dev.rocport.warp.ir.Span;

/**
 * A reason why wider warps are not proven equivalent.
 *
 * @param why a clause
 */
public record Obstacle(Kind kind, String path, Span at, String why) {
  /** What it implies for 32. */
  public enum Kind {
    /** 32 is the algorithm's own number: it can be seen in the results. */
    MEANT,
    /** A mask of 32 lanes is stored in 32 bits where other code reads it. */
    ESCAPES,
    /** A function works on groups of 32 lanes, whatever the wave size is. */
    FIXED,
    /** The results would be the same but for the rounding of floating-point sums. */
    ROUNDING,
    /** The analysis does not see enough. */
    UNCLEAR,
    /** There is no way to write it with wider warps. */
    UNWRITABLE
  }
}
