package dev.rocport.core.result;

/** What the port did at the location of a finding. */
public enum Disposition {
  /** Rewritten; the finding says what changed in meaning or is worth a look. */
  PORTED,
  /** Left alone, or rewritten with doubt: a person should look. */
  REVIEW,
  /** Left alone and will not work on AMD as it stands. */
  UNPORTED
}
