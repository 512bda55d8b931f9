package dev.rocport.verify;

/**
 * Something that a verification found.
 *
 * @param rule id of its rule
 * @param message what is there
 */
record Problem(String rule, String message) {
  static final String RUN = "VERIFY-RUN";
  static final String OUTPUT = "VERIFY-OUTPUT";
  static final String TENSOR = "VERIFY-TENSOR";
  static final String CHECKS = "VERIFY-CHECKS";
  static final String ORDER = "VERIFY-DETERMINISM";
  static final String FOUND = "VERIFY-FOUND";
  static final String NO_GOLDEN = "VERIFY-NO-GOLDEN";
  static final String STALE = "VERIFY-STALE";
  static final String LIBRARY = "VERIFY-LIBRARY";
  static final String CAPTURE = "VERIFY-CAPTURE";
  static final String CAPTURED = "VERIFY-CAPTURED";
  static final String KNOWN = "VERIFY-KNOWN";
  static final String FAULT = "VERIFY-FAULT";
}
