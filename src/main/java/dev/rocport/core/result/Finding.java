package dev.rocport.core.result;

/**
 * A message about one location in the original source.
 *
 * @param rule id of the rule
 * @param path path relative to the tree's root, with {@code /}
 * @param line 1-based; 0 if the finding is about the whole file
 * @param column 1-based, in bytes; 0 with line 0
 * @param endLine line of the last byte
 * @param endColumn column after the last byte
 * @param message what is there
 * @param advice what to do; may be empty
 * @param snippet the source line, trimmed and shortened
 * @param about the instruction that it is about; empty if none
 * @param fingerprint 16 hex digits over rule, path, the line's text without white space, and the
 *     occurrence among equal ones: survives moved lines
 */
public record Finding(
    String rule,
    Severity severity,
    Disposition disposition,
    String path,
    int line,
    int column,
    int endLine,
    int endColumn,
    String message,
    String advice,
    String snippet,
    String about,
    String fingerprint) {
  /** A snippet that is this long may have been cut. */
  public static final int LONGEST_SNIPPET = 160;

  /** A finding about no instruction. */
  public Finding(
      String rule,
      Severity severity,
      Disposition disposition,
      String path,
      int line,
      int column,
      int endLine,
      int endColumn,
      String message,
      String advice,
      String snippet,
      String fingerprint) {
    this(
        rule,
        severity,
        disposition,
        path,
        line,
        column,
        endLine,
        endColumn,
        message,
        advice,
        snippet,
        "",
        fingerprint);
  }

  /** The same with another fingerprint. */
  public Finding with(String fingerprint) {
    return new Finding(
        rule,
        severity,
        disposition,
        path,
        line,
        column,
        endLine,
        endColumn,
        message,
        advice,
        snippet,
        about,
        fingerprint);
  }

  /** Returns the same at the place of another finding, with another message. */
  public Finding at(Finding other, String otherMessage) {
    return new Finding(
        rule,
        severity,
        disposition,
        other.path,
        other.line,
        other.column,
        other.endLine,
        other.endColumn,
        otherMessage,
        advice,
        other.snippet,
        about,
        other.fingerprint);
  }
}
