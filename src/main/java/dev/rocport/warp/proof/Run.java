package dev.rocport.warp.proof;

import dev.rocport.warp.ir.Span;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The state that one interpretation of a kernel shares. */
final class Run {
  /** Bounds the work: calls within calls, loops within loops. */
  static final int STEPS = 200_000;

  final Trace trace = new Trace();
  final Lookups functions;

  /** The threads of a block, of all launches that are known. */
  final Set<Long> blockSizes;

  /** What shared arrays hold. */
  final Map<String, Value> shared = new HashMap<>();

  /** Types of their elements, those of integers. */
  final Map<String, IntType> elements = new HashMap<>();

  final List<Vote> votes = new ArrayList<>();
  int steps;

  /** Shared arrays that may be read or set through other names. */
  private final Set<String> escaped = new HashSet<>();

  /** A shared array goes where its uses are not followed. */
  void escape(Frame f, Value v, Span at) {
    if (v instanceof Value.Shared s) {
      escaped.add(s.key());
      hidden(f, s.key(), at);
    }
  }

  /** What depends on the warp size must not be where its uses are not followed. */
  void hidden(Frame f, String key, Span at) {
    Value held = shared.get(key);
    if (escaped.contains(key) && held != null && !held.isPlain()) {
      trace.obstacle(
          Obstacle.Kind.UNCLEAR,
          f.function.path(),
          at,
          held.what() + " may be accessed through another name of its array");
    }
  }

  Run(Lookups functions, Set<Long> blockSizes) {
    this.functions = functions;
    this.blockSizes = blockSizes;
  }

  /**
   * A vote.
   *
   * @param predicate identifies what was voted on; empty for the active lanes
   * @param guards under which it was taken
   * @param wholeWarps true if all lanes of the warp took part
   * @param matched identifies what lanes have alike; empty for votes that are no match
   */
  record Vote(String predicate, List<Guard> guards, boolean wholeWarps, String matched) {
    boolean match() {
      return !matched.isEmpty();
    }
  }

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
