package dev.rocport.warp;

import java.util.Set;

/** What was decided about the warp code of a project. Thread-safe. */
interface WarpPlans {
  /** Returns the plan for a file. */
  WarpPlan plan(String path);

  /** Returns all files with plans, and perhaps some others. */
  Set<String> files();
}
