package dev.rocport.core.result;

/** What the port did at the location of a finding. */
public enum Disposition {
  /** Rewritten; the finding describes a change of meaning or a point to review. */
  PORTED,
  /** Left alone, or rewritten with doubt: a person should look. */
  REVIEW,
  /** Left unchanged; does not work on AMD. */
  UNPORTED
}
