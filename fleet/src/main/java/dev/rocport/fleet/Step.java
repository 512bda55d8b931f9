package dev.rocport.fleet;

import java.util.Locale;

/** The steps of an audit in parts, after the plan, in their order. */
enum Step {
  /** The facts of the sources of a part. */
  FACTS,
  /** What the sources of all parts declare together. */
  JOIN,
  /** The results of the files of a part. */
  FILES,
  /** The report on all files, and the tables. */
  REPORT;

  /** Whether each part has this step; otherwise all parts together have it. */
  boolean isOfPart() {
    return this == FACTS || this == FILES;
  }

  /** The name in command lines and tables. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
