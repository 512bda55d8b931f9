package dev.rocport.conformance;

/** What became of a test. */
enum Verdict {
  PASSED,
  FAILED,
  /** The suite itself left it out. */
  SKIPPED,
  /** It ran into its time limit. */
  CUT
}
