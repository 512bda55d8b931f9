package dev.rocport.warp.proof;

import dev.rocport.warp.ir.Span;

/**
 * A place whose text names the number of lanes in a warp, in one way or another.
 *
 * @param text what stands there
 * @param wide what stands there where warps are the target's waves; empty where it stays
 */
public record Site(Kind kind, String path, Span at, String text, String wide) {
  /** What it is. */
  public enum Kind {
    LANE("lane number"),
    WARP("warp index"),
    WARPS("number of warps"),
    BASE("first thread of a warp"),
    LADDER("ladder of shuffles"),
    FULL_MASK("mask of all lanes"),
    LANE_BIT("bit of a lane"),
    BITS("function on a mask's bits"),
    FUNCTION("warp function"),
    /** What all lanes of a warp do together, in a library: it has no other text here. */
    COLLECTIVE("call that all lanes of a warp make together"),
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
