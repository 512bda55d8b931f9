package dev.rocport.warp.flow;

/**
 * A join semilattice of finite height.
 *
 * @param <V> the abstract values; compared with {@code equals}
 */
public interface Lattice<V> {
  /** The value of what no path has reached yet. */
  V bottom();

  /** The least upper bound of two values. */
  V join(V x, V y);

  /** The number of values in the longest strictly ascending chain. */
  int height();
}
