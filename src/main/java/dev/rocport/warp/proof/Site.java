package dev.rocport.warp.proof;

import dev.rocport.warp.ir.Span;

/**
 * A place whose text depends on the number of lanes in a warp.
 *
 * @param text the text there
 * @param wide the replacement if warps become waves of the target; empty if the text stays
 */
public record Site(Kind kind, String path, Span at, String text, String wide) {
  /** What it is. */
  public enum Kind {
    LANE("lane number"),
    WARP("warp index"),
    WARPS("number of warps"),
    BASE("first thread of a warp"),
    LADDER("shuffle reduction"),
    FULL_MASK("mask of all lanes"),
    LANE_BIT("bit of a lane"),
    BITS("bit function on a mask"),
    FUNCTION("warp function"),
    /** What all lanes of a warp do together, in a library: it has no other text here. */
    COLLECTIVE("warp-collective call"),
    COMPARISON("comparison with the warp size"),
    WIDTH("width of a shuffle"),
    TYPE("type of a mask");

    private final String title;

    Kind(String title) {
      this.title = title;
    }

    public String title() {
      return title;
    }
  }
}
