package dev.rocport.lang.cuda.condition;

import dev.rocport.lang.cuda.lex.Directive;
import dev.rocport.lang.cuda.lex.Tokens;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The conditional chains of a file: which {@code #if}, {@code #elif}, {@code #else} belong
 * together.
 */
public final class Regions {
  /**
   * One branch of a chain.
   *
   * @param directive the directive that opens it
   * @param from first token of its text
   * @param to token after its text
   */
  public record Branch(Directive directive, int from, int to) {}

  /**
   * A whole conditional.
   *
   * @param branches at least one
   * @param depth 0 for chains that are in no other
   * @param hasElse whether the last branch is taken when no condition holds
   */
  public record Chain(List<Branch> branches, int depth, boolean hasElse) {
    public int from() {
      return branches.getFirst().directive().first();
    }

    public int to() {
      return branches.getLast().to();
    }
  }

  private final List<Chain> chains;
  private final int[] begins;
  private final int[] ends;
  private final BitSet dead = new BitSet();
  private final BitSet hip = new BitSet();
  private final BitSet foreign = new BitSet();

  private Regions(List<Chain> chains) {
    this.chains = chains;
    this.begins = chains.stream().mapToInt(Chain::from).sorted().toArray();
    this.ends = chains.stream().mapToInt(Chain::to).sorted().toArray();
  }

  public static Regions of(Tokens t) {
    List<Chain> chains = new ArrayList<>();
    Deque<List<Directive>> open = new ArrayDeque<>();
    for (Directive d : t.directives()) {
      if (d.opens()) {
        List<Directive> list = new ArrayList<>();
        list.add(d);
        open.push(list);
      } else if (d.turns() && !open.isEmpty()) {
        open.element().add(d);
      } else if (d.closes() && !open.isEmpty()) {
        chains.add(chain(open.pop(), d.first(), open.size()));
      }
    }
    while (!open.isEmpty()) { // no #endif: the file's end closes
      chains.add(chain(open.pop(), t.count(), open.size()));
    }
    return new Regions(chains);
  }

  private static Chain chain(List<Directive> directives, int end, int depth) {
    List<Branch> branches = new ArrayList<>();
    for (int i = 0; i < directives.size(); i++) {
      Directive d = directives.get(i);
      int to = i + 1 < directives.size() ? directives.get(i + 1).first() : end;
      branches.add(new Branch(d, d.last(), to));
    }
    return new Chain(branches, depth, directives.getLast().name().equals("else"));
  }

  /** All chains; inner ones before the outer ones that hold them. */
  public List<Chain> chains() {
    return chains;
  }

  /** The branch is known never to be compiled for HIP. */
  public void markDead(Branch branch) {
    dead.set(branch.from(), branch.to());
  }

  /** CUDA never compiles the branch: it is the project's own code for HIP. */
  public void markHip(Branch branch) {
    hip.set(branch.from(), branch.to());
  }

  /** Neither CUDA nor HIP compiles the branch: it is the project's own code for SYCL and others. */
  public void markForeign(Branch branch) {
    foreign.set(branch.from(), branch.to());
  }

  /** True if token {@code i} is in a branch for a platform that is neither CUDA nor HIP. */
  public boolean isForeign(int i) {
    return foreign.get(i);
  }

  /** The tokens for which {@link #isForeign} is true, in order. */
  public IntStream foreign() {
    return foreign.stream();
  }

  /** True if token {@code i} is in a branch that CUDA never compiles. */
  public boolean isForHip(int i) {
    return hip.get(i);
  }

  /** True if token {@code i} is in a branch that HIP never compiles. */
  public boolean isDead(int i) {
    return dead.get(i);
  }

  /** How many conditionals token {@code i} is in. */
  public int depth(int i) {
    return upTo(begins, i) - upTo(ends, i);
  }

  /** How many of these are not after token {@code i}. */
  private static int upTo(int[] sorted, int i) {
    int low = 0;
    int high = sorted.length;
    while (low < high) {
      int mid = (low + high) >>> 1;
      if (sorted[mid] <= i) {
        low = mid + 1;
      } else {
        high = mid;
      }
    }
    return low;
  }

  /** True in {@code #ifdef NAME}, {@code #undef NAME} and {@code defined(NAME)}. */
  public static boolean asksForMacro(Tokens t, int i) {
    int d = t.directiveOf(i);
    if (d < 0) {
      return false;
    }
    String directive = t.directives().get(d).name();
    return directive.endsWith("def")
        || t.is(i - 1, "defined")
        || (t.is(i - 1, '(') && t.is(i - 2, "defined"));
  }
}
