package dev.rocport.warp.flow;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A control-flow graph: basic blocks, numbered from 0 in the order of their creation. */
public final class FlowGraph {
  private final List<Set<Integer>> successors = new ArrayList<>();

  /** Adds a block without edges; returns its number. */
  public int add() {
    successors.add(new LinkedHashSet<>());
    return successors.size() - 1;
  }

  /** Adds an edge. */
  public void edge(int from, int to) {
    successors.get(from).add(to);
  }

  /** Returns the number of blocks. */
  public int size() {
    return successors.size();
  }

  /** Returns the blocks that may follow a block. */
  public Set<Integer> successors(int block) {
    return successors.get(block);
  }
}
