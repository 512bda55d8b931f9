package dev.rocport.lang.cuda.warp;

import dev.rocport.core.result.Disposition;
import dev.rocport.lang.cuda.lex.Arguments.Span;
import dev.rocport.lang.cuda.lex.Statements;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.pass.CudaFile;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Finds code that may depend on which element of a wmma fragment a lane holds: CUDA does not
 * specify it, and {@code rocport/wmma.h} distributes elements in another way than NVIDIA GPUs.
 */
public final class FragmentPass {
  static final String RULE = "WMMA-LAYOUT";

  /** Elements of an accumulator in a lane, here and in CUDA. */
  private static final String ACCUMULATORS = "8";

  /** Names of what differs between the lanes of a warp. */
  private static final Pattern LANE =
      Pattern.compile("threadIdx|tid|lane.*|.*_lane.*|.*Lane.*|.*_LANE.*");

  private final CudaFile f;
  private final Tokens t;
  private final Set<String> fragments = new HashSet<>();
  private final Set<String> accumulators = new HashSet<>();

  /** The number of elements, and variables that are set to it. */
  private final Set<String> counts = new HashSet<>();

  /** The loops with {@code for}, in order. */
  private final List<Span> loops = new ArrayList<>();

  /** Statements that have a finding. */
  private final Set<Integer> done = new HashSet<>();

  private FragmentPass(CudaFile f) {
    this.f = f;
    this.t = f.t;
  }

  public static void run(CudaFile f) {
    if (!f.changes.allows(RULE) || !f.t.mentions("wmma") || !f.t.mentions("fragment")) {
      return;
    }
    FragmentPass pass = new FragmentPass(f);
    pass.collect();
    for (int i = 0; i < f.t.count(); i++) {
      if (f.t.is(i, "x")
          && (f.t.is(i - 1, '.') || f.t.isPair(i - 1, '-'))
          && !f.regions.isDead(i)) {
        pass.elements(i);
      }
    }
  }

  /** Objects whose declaration begins with {@code fragment<...>}, their counts, and loops. */
  private void collect() {
    counts.add("num_elements");
    counts.add("num_storage_elements");
    for (int i = 0; i < t.count(); i++) {
      if (t.is(i, "for") && t.is(i + 1, '(') && t.match(i + 1) > i) {
        loops.add(new Span(i, Statements.end(t, i, t.count())));
      } else if (t.is(i, "num_elements") && t.is(i + 1, ';')) {
        int first = Statements.start(t, i);
        for (int k = first; k < i; k++) {
          if (t.isIdentifier(k) && t.is(k + 1, '=')) {
            counts.add(t.text(k));
          }
        }
      }
      int close = t.is(i, "fragment") && t.is(i + 1, '<') ? closed(i + 1) : -1;
      if (close < 0) {
        continue;
      }
      boolean sums = false;
      for (int k = i; k < close; k++) {
        sums |= t.is(k, "accumulator");
      }
      int name = close + 1;
      while (t.is(name, '&') || t.is(name, '*') || t.is(name, "const")) {
        name++;
      }
      while (name > 0 && t.isIdentifier(name)) {
        fragments.add(t.text(name));
        if (sums) {
          accumulators.add(t.text(name));
        }
        name = next(name);
      }
    }
  }

  /** The next name of a declaration {@code f[2], g;}, or -1. */
  private int next(int name) {
    int k = name + 1;
    while (t.is(k, '[')) {
      k = t.match(k) + 1;
    }
    boolean more = t.is(k, ',') && (t.is(k + 2, ',') || t.is(k + 2, ';') || t.is(k + 2, '['));
    return more ? k + 1 : -1;
  }

  /** The token that closes the template bracket, whose arguments hold no comparisons. */
  private int closed(int open) {
    int depth = 0;
    for (int k = open; k < t.count() && !t.is(k, ';') && !t.is(k, '{'); k++) {
      depth += t.is(k, '<') ? 1 : t.is(k, '>') ? -1 : 0;
      if (depth == 0) {
        return k;
      }
    }
    return -1;
  }

  private void elements(int x) {
    String object = object(x - 2);
    if (!t.is(x + 1, '[')) {
      boolean whole = fragments.contains(object) && !isRange(x) && !isSize(x);
      if (whole) {
        tell(x, x, "the elements of a wmma fragment are used as an array");
      }
      return;
    }
    int close = t.match(x + 1);
    int loop = close == x + 3 && t.isIdentifier(x + 2) ? loop(x, t.text(x + 2)) : -1;
    if (loop < 0) {
      tell(x, x, "an element of a wmma fragment is accessed by its number");
      return;
    }
    String index = t.text(x + 2);
    if (!isWhole(loop, index, object)) {
      tell(loop, x, "a loop over elements of a wmma fragment does not end at num_elements");
      return;
    }
    int end = Statements.end(t, loop, t.count());
    for (int i = t.match(loop + 1) + 1; i <= end; i++) {
      if (t.isIdentifier(i) && t.is(i, index) && !(t.is(i - 1, '[') && t.is(i - 2, "x"))) {
        tell(loop, x, "a loop uses the number of an element of a wmma fragment for something else");
        return;
      }
      if (t.isIdentifier(i) && isOfLane(i)) {
        tell(loop, x, "a loop combines elements of a wmma fragment with values of the lane");
        return;
      }
    }
  }

  /** The name of an object that ends at a token: {@code f}, {@code f[i][j]}. */
  private String object(int last) {
    int i = last;
    while (t.is(i, ']')) {
      i = t.match(i) - 1;
    }
    return t.isIdentifier(i) ? t.text(i) : "";
  }

  /** {@code for (auto& e : f.x)}. */
  private boolean isRange(int x) {
    return t.is(x + 1, ')') && t.is(t.match(x + 1) - 1, "for");
  }

  /** {@code sizeof(f.x)}. */
  private boolean isSize(int x) {
    return t.is(x + 1, ')') && t.is(t.match(x + 1) - 1, "sizeof");
  }

  /** The first token of the innermost loop around a token whose header sets the variable, or -1. */
  private int loop(int at, String variable) {
    for (Span loop : loops.reversed()) {
      if (t.match(loop.first() + 1) < at && at <= loop.last() && sets(loop.first(), variable)) {
        return loop.first();
      }
    }
    return -1;
  }

  private boolean sets(int loop, String variable) {
    for (int k = loop + 2; k < t.match(loop + 1) && !t.is(k, ';'); k++) {
      if (t.is(k, variable) && t.is(k + 1, '=')) {
        return true;
      }
    }
    return false;
  }

  /** Whether a loop {@code for (int i = 0; i < f.num_elements; i++)} visits all elements. */
  private boolean isWhole(int loop, String index, String object) {
    int close = t.match(loop + 1);
    int condition = loop + 2;
    while (condition < close && !t.is(condition, ';')) {
      condition++;
    }
    boolean less = t.is(condition + 1, index) && t.is(condition + 2, '<');
    boolean first = t.is(condition - 1, "0") && t.is(condition - 2, '=');
    if (!less || !first) {
      return false;
    }
    int end = condition + 3;
    boolean counted = false;
    while (end < close && !t.is(end, ';')) {
      counted |= t.isIdentifier(end) && counts.contains(t.text(end));
      end++;
    }
    boolean eight = end == condition + 4 && t.is(condition + 3, ACCUMULATORS);
    return counted || (eight && accumulators.contains(object));
  }

  private boolean isOfLane(int i) {
    return LANE.matcher(t.text(i)).matches();
  }

  private void tell(int statement, int x, String message) {
    if (done.add(statement)) {
      f.changes.finding(RULE, Disposition.REVIEW, t.start(x), t.end(x), message);
    }
  }
}
