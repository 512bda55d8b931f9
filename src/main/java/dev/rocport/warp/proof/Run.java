package dev.rocport.warp.proof;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the whole run of a kernel shares. */
final class Run {
  /** Bounds the work: calls within calls, loops within loops. */
  static final int STEPS = 200_000;

  final Trace trace = new Trace();
  final FunctionTable functions;

  /** The threads of a block, of all launches that are known. */
  final Set<Long> blockSizes;

  /** What shared arrays hold. */
  final Map<String, Value> shared = new HashMap<>();

  final List<Vote> votes = new ArrayList<>();
  int steps;

  Run(FunctionTable functions, Set<Long> blockSizes) {
    this.functions = functions;
    this.blockSizes = blockSizes;
  }

  /**
   * A vote.
   *
   * @param predicate identifies what was voted on; empty for the active lanes
   * @param guards under which it was taken
   * @param wholeWarps true if all lanes of the warp took part
   * @param match true for lanes with the same value
   */
  record Vote(String predicate, List<Guard> guards, boolean wholeWarps, boolean match) {}

  int vote(Vote v) {
    votes.add(v);
    return votes.size() - 1;
  }

  Vote vote(int id) {
    return votes.get(id);
  }

  /** The latest vote on the same thing; -1 if there was none. */
  int voteOn(String predicate) {
    for (int i = votes.size() - 1; i >= 0; i--) {
      if (!predicate.isEmpty() && votes.get(i).predicate().equals(predicate)) {
        return i;
      }
    }
    return -1;
  }
}
