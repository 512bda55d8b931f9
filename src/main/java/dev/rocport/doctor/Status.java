package dev.rocport.doctor;

/** The status of an observation, in order of severity. */
public enum Status {
  /** As it should be. */
  OK,
  /** Worth knowing; some uses are slower or not possible. */
  NOTE,
  /** Programs will be slow, or fail in some uses. */
  WARNING,
  /** Programs will hang, fail or be wrong. */
  PROBLEM
}
