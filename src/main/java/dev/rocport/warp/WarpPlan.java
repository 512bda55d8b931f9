package dev.rocport.warp;

import dev.rocport.warp.ir.Span;
import dev.rocport.warp.proof.Site;
import java.util.List;

/**
 * The changes to one file.
 *
 * @param sites the places that name the warp size
 * @param notes one for each function with such places
 */
public record WarpPlan(List<Placed> sites, List<Note> notes) {
  public static final WarpPlan NONE = new WarpPlan(List.of(), List.of());

  /** Changes where the decisions do. */
  public String key() {
    return sites + " " + notes;
  }

  /** A place and what was decided for it. */
  public record Placed(Site site, Decision decision) {}

  /**
   * A message about a function.
   *
   * @param at the function's name
   * @param message what was decided, and why
   * @param advice what may be done
   * @param bound it calls functions of a library that all lanes of a wave make together
   * @param proven nothing that depends on the warp size is seen outside
   */
  public record Note(
      Decision decision, Span at, String message, String advice, boolean bound, boolean proven) {}
}
