package dev.rocport.port.decide;

import java.util.Locale;

/**
 * What a person decided about a change.
 *
 * @param id of the change, or of all equal changes: see {@link Item}
 * @param action what to do
 * @param always whether it is about all equal changes
 * @param rules of the change, separated by commas, for a reader
 * @param change what changes, for a reader
 * @param path of the change when it was decided; empty for all equal changes
 * @param line of the change when it was decided; 0 for all equal changes
 * @param text for {@code EDIT}: the lines to write instead
 * @param reason why; empty for {@code ACCEPT}
 * @param by who decided
 * @param on the day, as {@code yyyy-mm-dd}
 */
public record Decision(
    String id,
    Action action,
    boolean always,
    String rules,
    String change,
    String path,
    int line,
    String text,
    String reason,
    String by,
    String on) {
  /** What to do with a change. */
  public enum Action {
    ACCEPT,
    SKIP,
    EDIT;

    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Returns the decision as a report shows it. */
  public String sentence() {
    String done =
        action == Action.EDIT ? "written by hand" : action == Action.SKIP ? "skipped" : "accepted";
    return "decided: " + done + " by " + by + " on " + on + " because " + reason;
  }
}
