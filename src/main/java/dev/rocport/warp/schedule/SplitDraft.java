package dev.rocport.warp.schedule;

import dev.rocport.core.edit.Edit;
import java.util.ArrayList;
import java.util.List;

/** What a split changes inside the statement, and why it is impossible. */
final class SplitDraft {
  /** Spans that are removed, with all other edits inside them. */
  private final List<int[]> dropped = new ArrayList<>();

  private final List<Edit> inner = new ArrayList<>();
  private String problem = "";

  List<int[]> dropped() {
    return dropped;
  }

  List<Edit> inner() {
    return inner;
  }

  /** Returns the first reason of {@link #fail}; empty if there is none. */
  String problem() {
    return problem;
  }

  void fail(String reason) {
    if (problem.isEmpty()) {
      problem = reason;
    }
  }

  void drop(int start, int end) {
    if (end > start) {
      dropped.add(new int[] {start, end});
    }
  }
}
