package dev.rocport.warp.flow;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Which branches decide whether, and how often, a block of a region runs: the control dependence of
 * Ferrante, Ottenstein and Warren (1987).
 *
 * <p>A region is a range of blocks with an entry and an end, the blocks of a scope. Edges that
 * leave it elsewhere are cut, since variables of the scope are dead there, and so are edges to
 * blocks from which no path leads to the end or into a loop. Each loop is analysed once more as a
 * region of its own, in which the way back to its head is a way out: paths that reach a block in
 * different iterations do not meet there.
 */
public final class ControlDependence {
  private final int first;
  private final List<Set<Integer>> deciders = new ArrayList<>();

  private ControlDependence(int first, int size) {
    this.first = first;
    for (int i = 0; i < size; i++) {
      deciders.add(new LinkedHashSet<>());
    }
  }

  /**
   * Analyses the blocks {@code first} to {@code last} of a graph.
   *
   * @param first the entry
   * @param last the end
   * @param endings false to cut the edges to blocks from which every path ends before the end of
   *     the region; true to count such blocks as ends, too
   */
  public static ControlDependence of(FlowGraph graph, int first, int last, boolean endings) {
    int size = last - first + 1;
    List<Set<Integer>> next = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      Set<Integer> inside = new LinkedHashSet<>();
      for (int to : graph.successors(first + i)) {
        if (to >= first && to <= last) {
          inside.add(to - first);
        }
      }
      next.add(inside);
    }
    if (!endings) {
      cut(next);
    }
    ControlDependence result = new ControlDependence(first, size);
    BitSet all = new BitSet();
    all.set(0, size);
    BitSet ends = new BitSet();
    ends.set(size - 1);
    result.analyse(new Region(next, all, ends));
    return result;
  }

  /** Returns the blocks whose branch decides about a block, directly or through others. */
  public Set<Integer> deciders(int block) {
    Set<Integer> all = new LinkedHashSet<>();
    ArrayDeque<Integer> open = new ArrayDeque<>(List.of(block - first));
    while (!open.isEmpty()) {
      for (int d : deciders.get(open.removeFirst())) {
        if (all.add(d + first)) {
          open.addLast(d);
        }
      }
    }
    return all;
  }

  /** Removes edges from blocks that may continue to blocks that cannot; the last one is the end. */
  private static void cut(List<Set<Integer>> next) {
    int last = next.size() - 1;
    List<List<Integer>> before = new ArrayList<>();
    next.forEach(n -> before.add(new ArrayList<>()));
    for (int i = 0; i <= last; i++) {
      for (int to : next.get(i)) {
        before.get(to).add(i);
      }
    }
    int[] ways = new int[last + 1];
    ArrayDeque<Integer> open = new ArrayDeque<>();
    for (int i = 0; i <= last; i++) {
      ways[i] = next.get(i).size();
      if (ways[i] == 0 && i != last) {
        open.add(i);
      }
    }
    BitSet ending = new BitSet();
    while (!open.isEmpty()) {
      int i = open.removeFirst();
      ending.set(i);
      for (int p : before.get(i)) {
        if (--ways[p] == 0 && p != last) {
          open.add(p);
        }
      }
    }
    for (int i = 0; i <= last; i++) {
      if (!ending.get(i)) {
        next.get(i).removeIf(ending::get);
      }
    }
  }

  private void analyse(Region region) {
    region.leaveEndlessLoops();
    Postdominators postdominators = new Postdominators(region);
    region.blocks.stream()
        .filter(a -> region.next(a).size() > 1)
        .forEach(
            a -> {
              int stop = postdominators.of(a);
              for (int b : region.next(a)) {
                for (int r = b; r != stop; r = postdominators.of(r)) {
                  deciders.get(r).add(a);
                }
              }
            });
    region.loops().forEach(this::analyse);
  }

  /** Some blocks of a graph and the edges among them; all others lead to the exit. */
  private static final class Region {
    private final List<Set<Integer>> edges;
    final BitSet blocks;
    private final BitSet ends;

    /** The number of the exit. */
    final int exit;

    /**
     * Creates a region.
     *
     * @param ends blocks with an edge to the exit
     */
    Region(List<Set<Integer>> edges, BitSet blocks, BitSet ends) {
      this.edges = edges;
      this.blocks = blocks;
      this.ends = ends;
      this.exit = edges.size();
      blocks.stream().filter(b -> edges.get(b).isEmpty()).forEach(ends::set);
    }

    Set<Integer> next(int block) {
      if (block == exit) {
        return Set.of();
      }
      if (!ends.get(block)) {
        return edges.get(block);
      }
      Set<Integer> with = new LinkedHashSet<>(edges.get(block));
      with.add(exit);
      return with;
    }

    List<List<Integer>> before() {
      List<List<Integer>> before = new ArrayList<>();
      for (int i = 0; i <= exit; i++) {
        before.add(new ArrayList<>());
      }
      blocks.stream().forEach(b -> next(b).forEach(to -> before.get(to).add(b)));
      return before;
    }

    /** Adds an edge to the exit to the sources of the edges that close a loop without one. */
    void leaveEndlessLoops() {
      BitSet leaving = new BitSet();
      List<List<Integer>> before = before();
      ArrayDeque<Integer> open = new ArrayDeque<>(List.of(exit));
      while (!open.isEmpty()) {
        for (int p : before.get(open.removeFirst())) {
          if (!leaving.get(p)) {
            leaving.set(p);
            open.addLast(p);
          }
        }
      }
      if (leaving.cardinality() == blocks.cardinality()) {
        return;
      }
      for (BitSet loop : cycles()) {
        if (!leaving.intersects(loop)) {
          int head = loop.nextSetBit(0);
          loop.stream().filter(b -> edges.get(b).contains(head)).forEach(ends::set);
        }
      }
    }

    /** One iteration of each outermost loop. */
    List<Region> loops() {
      List<Region> loops = new ArrayList<>();
      for (BitSet loop : cycles()) {
        int head = loop.nextSetBit(0); // blocks of a loop are numbered after its head
        List<Set<Integer>> inside = new ArrayList<>();
        BitSet out = new BitSet();
        for (int i = 0; i < exit; i++) {
          Set<Integer> kept = new LinkedHashSet<>();
          if (loop.get(i)) {
            for (int to : next(i)) {
              if (to != head && to != exit && loop.get(to)) {
                kept.add(to);
              } else {
                out.set(i);
              }
            }
          }
          inside.add(kept);
        }
        loops.add(new Region(inside, loop, out));
      }
      return loops;
    }

    /** The strongly connected components that hold a cycle, by Kosaraju's algorithm. */
    private List<BitSet> cycles() {
      List<Integer> finished = new ArrayList<>();
      BitSet seen = new BitSet();
      blocks.stream().forEach(b -> visit(b, edges, seen, finished));
      List<Set<Integer>> reversed = new ArrayList<>();
      edges.forEach(e -> reversed.add(new LinkedHashSet<>()));
      blocks.stream().forEach(b -> edges.get(b).forEach(to -> reversed.get(to).add(b)));
      seen.clear();
      List<BitSet> cycles = new ArrayList<>();
      for (int b : finished.reversed()) {
        List<Integer> component = new ArrayList<>();
        visit(b, reversed, seen, component);
        if (component.size() > 1
            || (component.size() == 1 && edges.get(b).contains(component.getFirst()))) {
          BitSet cycle = new BitSet();
          component.forEach(cycle::set);
          cycles.add(cycle);
        }
      }
      return cycles;
    }

    /** Depth-first search; adds blocks when all that follows them was visited. */
    private static void visit(
        int root, List<Set<Integer>> next, BitSet seen, List<Integer> finished) {
      if (seen.get(root)) {
        return;
      }
      seen.set(root);
      ArrayDeque<Integer> stack = new ArrayDeque<>(List.of(root));
      ArrayDeque<ArrayDeque<Integer>> rest = new ArrayDeque<>();
      rest.push(new ArrayDeque<>(next.get(root)));
      while (!stack.isEmpty()) {
        Integer to = rest.element().poll();
        if (to == null) {
          finished.add(stack.pop());
          rest.pop();
        } else if (!seen.get(to)) {
          seen.set(to);
          stack.push(to);
          rest.push(new ArrayDeque<>(next.get(to)));
        }
      }
    }
  }

  /** Immediate postdominators by Cooper, Harvey and Kennedy (2001). */
  private static final class Postdominators {
    private final int[] immediate;

    /** A block's place in the postorder of the reversed graph. */
    private final int[] order;

    Postdominators(Region region) {
      int exit = region.exit;
      this.immediate = new int[exit + 1];
      this.order = new int[exit + 1];
      List<Set<Integer>> before = new ArrayList<>();
      region.before().forEach(b -> before.add(new LinkedHashSet<>(b)));
      List<Integer> postorder = new ArrayList<>();
      Region.visit(exit, before, new BitSet(), postorder);
      for (int i = 0; i < postorder.size(); i++) {
        order[postorder.get(i)] = i;
      }
      Arrays.fill(immediate, -1);
      immediate[exit] = exit;
      boolean changed = true;
      while (changed) {
        changed = false;
        for (int i = postorder.size() - 2; i >= 0; i--) {
          int block = postorder.get(i);
          int now = -1;
          for (int s : region.next(block)) {
            if (immediate[s] >= 0) {
              now = now < 0 ? s : common(s, now);
            }
          }
          changed |= now != immediate[block];
          immediate[block] = now;
        }
      }
    }

    /** Every block has a path to the exit, so every block has one. */
    int of(int block) {
      return immediate[block];
    }

    private int common(int x, int y) {
      int a = x;
      int b = y;
      while (a != b) {
        if (order[a] < order[b]) {
          a = immediate[a];
        } else {
          b = immediate[b];
        }
      }
      return a;
    }
  }
}
