package dev.rocport.core.result;

/** The severity of a finding. Only code that was not ported, or a failed proof, is an error. */
public enum Severity {
  NOTE,
  WARNING,
  ERROR;

  /** The name as written in rules and reports. */
  public String label() {
    return switch (this) {
      case NOTE -> "note";
      case WARNING -> "warning";
      case ERROR -> "error";
    };
  }

  /**
   * The severity of that name.
   *
   * @throws IllegalArgumentException if there is no such severity
   */
  public static Severity of(String label) {
    return switch (label) {
      case "note" -> NOTE;
      case "warning" -> WARNING;
      case "error" -> ERROR;
      default -> throw new IllegalArgumentException("no such severity: " + label);
    };
  }
}
