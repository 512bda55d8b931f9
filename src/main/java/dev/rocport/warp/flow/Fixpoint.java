package dev.rocport.warp.flow;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Solves data-flow equations {@code value(n) = transfer(n)} with a worklist. A transfer function
 * reads other values through {@link #value}, which records the dependence, so a node is evaluated
 * again whenever a value that it read rises.
 *
 * <p>Terminates for every transfer function: a node keeps the join of all values that it was given,
 * so it can rise less often than the lattice is high, and only a rise queues other nodes. For
 * monotone transfer functions the result is the least fixpoint in every order of nodes.
 *
 * @param <N> the unknowns; compared with {@code equals}
 * @param <V> their values
 */
public final class Fixpoint<N, V> {
  private final Lattice<V> lattice;
  private final Function<N, V> transfer;
  private final Map<N, V> values = new HashMap<>();
  private final Map<N, Integer> rises = new HashMap<>();
  private final Map<N, Set<N>> readers = new HashMap<>();
  private final ArrayDeque<N> queue = new ArrayDeque<>();
  private final Set<N> queued = new HashSet<>();
  private @Nullable N evaluated;

  /**
   * Creates a solver whose nodes are all at the bottom.
   *
   * @param transfer the equation of each node
   */
  public Fixpoint(Lattice<V> lattice, Function<N, V> transfer) {
    this.lattice = lattice;
    this.transfer = transfer;
  }

  /** Returns the present value of a node; a node that is being evaluated now depends on it. */
  public V value(N node) {
    if (evaluated != null) {
      readers.computeIfAbsent(node, k -> new LinkedHashSet<>()).add(evaluated);
    }
    return values.getOrDefault(node, lattice.bottom());
  }

  /** Evaluates nodes, in their order, and all that depend on them, until no value rises. */
  public void solve(Collection<N> nodes) {
    nodes.forEach(this::enqueue);
    while (!queue.isEmpty()) {
      N node = queue.removeFirst();
      queued.remove(node);
      evaluated = node;
      V given = transfer.apply(node);
      evaluated = null;
      raise(node, given);
    }
  }

  /**
   * Joins a value to that of a node and queues the nodes that depend on it for the next {@link
   * #solve}.
   *
   * @throws IllegalStateException if a value rises more often than the lattice is high
   */
  public void raise(N node, V by) {
    V old = values.getOrDefault(node, lattice.bottom());
    V now = lattice.join(old, by);
    if (now.equals(old)) {
      return;
    }
    if (rises.merge(node, 1, Integer::sum) >= lattice.height()) {
      throw new IllegalStateException("the lattice is higher than " + lattice.height());
    }
    values.put(node, now);
    List.copyOf(readers.getOrDefault(node, Set.of())).forEach(this::enqueue);
  }

  private void enqueue(N node) {
    if (queued.add(node)) {
      queue.addLast(node);
    }
  }
}
