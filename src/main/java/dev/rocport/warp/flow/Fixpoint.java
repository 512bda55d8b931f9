package dev.rocport.warp.flow;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Solves data-flow equations {@code value(n) = transfer(n)} with a worklist, only for the nodes
 * whose values are requested and the nodes that these depend on. A transfer function reads other
 * values through {@link #value}, which records the dependence, so a node is evaluated again
 * whenever a value that it read rises.
 *
 * <p>Nodes that are still at the bottom when no value rises any more depend on nothing but each
 * other. They get a value that is given for them, all at once.
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
  private final V unreached;
  private final Map<N, V> values = new HashMap<>();
  private final Map<N, Integer> rises = new HashMap<>();
  private final Map<N, Set<N>> readers = new HashMap<>();
  private final ArrayDeque<N> queue = new ArrayDeque<>();
  private final Set<N> queued = new HashSet<>();

  /** The nodes of the present search. */
  private final List<N> fresh = new ArrayList<>();

  private @Nullable N evaluated;

  /**
   * Creates a solver whose nodes are all at the bottom.
   *
   * @param transfer the equation of each node
   * @param unreached the value of nodes whose least solution is the bottom
   */
  public Fixpoint(Lattice<V> lattice, Function<N, V> transfer, V unreached) {
    this.lattice = lattice;
    this.transfer = transfer;
    this.unreached = unreached;
  }

  /**
   * Returns the value of a node: for a transfer function, the present one, which it then depends
   * on; for others, the solution.
   *
   * @throws IllegalStateException if a value rises more often than the lattice is high
   */
  public V value(N node) {
    if (evaluated != null) {
      readers.computeIfAbsent(node, k -> new LinkedHashSet<>()).add(evaluated);
      find(node);
    } else if (find(node)) {
      solve();
    }
    return present(node);
  }

  private V present(N node) {
    return Objects.requireNonNull(values.get(node));
  }

  /** Returns true for a node that was not known. */
  private boolean find(N node) {
    if (values.putIfAbsent(node, lattice.bottom()) != null) {
      return false;
    }
    fresh.add(node);
    queued.add(node);
    queue.addFirst(node); // a node's equation waits for those that it reads
    return true;
  }

  private void solve() {
    evaluate();
    while (!fresh.isEmpty()) {
      List<N> known = List.copyOf(fresh);
      fresh.clear();
      known.stream()
          .filter(n -> present(n).equals(lattice.bottom()))
          .forEach(n -> raise(n, unreached));
      evaluate();
    }
  }

  private void evaluate() {
    while (!queue.isEmpty()) {
      N node = queue.removeFirst();
      queued.remove(node);
      evaluated = node;
      V given;
      try {
        given = transfer.apply(node);
      } finally {
        evaluated = null;
      }
      raise(node, given);
    }
  }

  private void raise(N node, V by) {
    V old = present(node);
    V now = lattice.join(old, by);
    if (now.equals(old)) {
      return;
    }
    if (rises.merge(node, 1, Integer::sum) >= lattice.height()) {
      throw new IllegalStateException("the lattice is higher than " + lattice.height());
    }
    values.put(node, now);
    for (N reader : readers.getOrDefault(node, Set.of())) {
      if (queued.add(reader)) {
        queue.addLast(reader);
      }
    }
  }
}
