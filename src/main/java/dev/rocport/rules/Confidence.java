package dev.rocport.rules;

/** The confidence of a rule in its rewrite. */
public enum Confidence {
  /** Edits. */
  CERTAIN,
  /** Edits, and leaves a finding. */
  LIKELY,
  /** Leaves a finding, never an edit. */
  REVIEW;

  static Confidence of(String label) {
    return switch (label) {
      case "certain" -> CERTAIN;
      case "likely" -> LIKELY;
      case "review" -> REVIEW;
      default -> throw new IllegalArgumentException("no such confidence: " + label);
    };
  }

  public String label() {
    return switch (this) {
      case CERTAIN -> "certain";
      case LIKELY -> "likely";
      case REVIEW -> "review";
    };
  }
}
