package dev.rocport.core.result;

/**
 * Some lines of a file before and after its edits.
 *
 * @param rule id of the rule that asked for the first of them that this was kept for
 * @param line of the original where it begins, 1-based
 * @param before lines of the original, shortened where they are many or long
 * @param after the same lines of the ported file
 */
public record Change(String rule, int line, String before, String after) {
  /** Stands for lines, or the end of a line, that were left out. */
  public static final String MORE = "\u2026";
}
