package dev.rocport.warp.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class ControlDependenceTest {
  private static FlowGraph graph(int size, int[]... edges) {
    FlowGraph g = new FlowGraph();
    for (int i = 0; i < size; i++) {
      g.add();
    }
    for (int[] e : edges) {
      g.edge(e[0], e[1]);
    }
    return g;
  }

  @Test
  void aBranchDecidesAboutItsArmsAndNotAboutTheirEnd() {
    FlowGraph g = graph(4, new int[] {0, 1}, new int[] {0, 2}, new int[] {1, 3}, new int[] {2, 3});
    ControlDependence d = ControlDependence.of(g, 0, 3, false);
    assertThat(d.deciders(1)).containsExactly(0);
    assertThat(d.deciders(2)).containsExactly(0);
    assertThat(d.deciders(3)).isEmpty();
  }

  @Test
  void anArmThatEndsDecidesOnlyWhereEndsCount() {
    FlowGraph g = graph(4, new int[] {0, 1}, new int[] {0, 2}, new int[] {2, 3});
    assertThat(ControlDependence.of(g, 0, 3, false).deciders(2)).isEmpty();
    assertThat(ControlDependence.of(g, 0, 3, true).deciders(2)).containsExactly(0);
  }

  @Test
  void aLoopDecidesAboutItsBodyAndItself() {
    FlowGraph g = graph(4, new int[] {0, 1}, new int[] {1, 2}, new int[] {2, 1}, new int[] {1, 3});
    ControlDependence d = ControlDependence.of(g, 0, 3, false);
    assertThat(d.deciders(2)).contains(1);
    assertThat(d.deciders(3)).isEmpty();
  }

  /**
   * Two paths that take the same way at every decider of a block agree on whether they reach it, in
   * random graphs without cycles.
   */
  @Test
  void pathsThatAgreeAtAllDecidersAgreeAboutTheBlock() {
    Random random = new Random(11);
    for (int run = 0; run < 300; run++) {
      int size = 4 + random.nextInt(9);
      FlowGraph g = graph(size);
      for (int i = 0; i < size - 1; i++) {
        for (int k = 1 + random.nextInt(2); k > 0; k--) {
          g.edge(i, i + 1 + random.nextInt(size - 1 - i));
        }
      }
      ControlDependence d = ControlDependence.of(g, 0, size - 1, false);
      List<Map<Integer, Integer>> paths = paths(g, size - 1);
      for (int block = 0; block < size; block++) {
        Set<Integer> deciders = d.deciders(block);
        Map<Map<Integer, Integer>, Boolean> reached = new HashMap<>();
        for (Map<Integer, Integer> choices : paths) {
          Map<Integer, Integer> decisions = new HashMap<>(choices);
          decisions.keySet().retainAll(deciders);
          boolean reaches = choices.containsKey(block);
          Boolean other = reached.putIfAbsent(decisions, reaches);
          assertThat(other == null || other == reaches).isTrue();
        }
      }
    }
  }

  /** All paths from block 0 to {@code end}, each as the successor taken at each of its blocks. */
  private static List<Map<Integer, Integer>> paths(FlowGraph g, int end) {
    List<Map<Integer, Integer>> all = new ArrayList<>();
    extend(g, 0, end, new HashMap<>(), all);
    return all;
  }

  private static void extend(
      FlowGraph g, int at, int end, Map<Integer, Integer> taken, List<Map<Integer, Integer>> all) {
    if (at == end) {
      Map<Integer, Integer> path = new HashMap<>(taken);
      path.put(end, -1);
      all.add(path);
      return;
    }
    for (int next : new HashSet<>(g.successors(at))) {
      taken.put(at, next);
      extend(g, next, end, taken, all);
      taken.remove(at);
    }
  }
}
