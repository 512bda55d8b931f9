package dev.rocport.core.result;

/**
 * Some lines of a file before and after its edits.
 *
 * @param rule id of the rule of the first edit that this change shows
 * @param first line in the original, 1-based
 * @param before lines of the original, shortened if there are many or if they are long
 * @param after the same lines of the ported file
 */
public record Change(String rule, int line, String before, String after) {
  /** Stands for lines, or the end of a line, that were left out. */
  public static final String MORE = "\u2026";
}
