package dev.rocport.lang.cuda.warp;

import dev.rocport.core.result.Disposition;
import dev.rocport.lang.cuda.lex.Angles;
import dev.rocport.lang.cuda.lex.Arguments.Span;
import dev.rocport.lang.cuda.lex.Statements;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.pass.CudaFile;
import dev.rocport.lang.cuda.symbols.Variables;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Finds code that may depend on which element of a wmma fragment a lane holds: CUDA does not
 * specify it, and {@code rocport/wmma.h} distributes elements differently from NVIDIA GPUs.
 */
public final class FragmentPass {
  static final String RULE = "WMMA-LAYOUT";

  /** Elements of an accumulator in a lane, here and in CUDA. */
  private static final String ACCUMULATORS = "8";

  private static final Set<String> COPIES = Set.of("memcpy", "memmove", "__builtin_memcpy");

  /** Functions by which lanes exchange values. */
  private static final Pattern EXCHANGES =
      Pattern.compile("(?:__)?shfl(?:_.*)?|__(?:ballot|match|reduce)_.*");

  private static final Set<String> ENDS = Set.of("break", "return", "goto");

  /** Functions with fragments, for files that take the type from a header. */
  private static final List<String> FUNCTIONS =
      List.of("fill_fragment", "load_matrix_sync", "mma_sync", "store_matrix_sync");

  private final CudaFile f;
  private final Tokens t;
  private final Fragments fragments;
  private final LaneValues lanes;

  /** The loops with {@code for}, in order. */
  private final List<Span> loops = new ArrayList<>();

  /** Statements that have a finding. */
  private final Set<Integer> done = new HashSet<>();

  private FragmentPass(CudaFile f) {
    this.f = f;
    this.t = f.t;
    this.fragments = new Fragments(f.t);
    this.lanes = new LaneValues(f.t, fragments::isName);
    for (int i = 0; i < t.count(); i++) {
      if (t.is(i, "for") && t.is(i + 1, '(') && t.match(i + 1) > i) {
        loops.add(new Span(i, Statements.end(t, i, t.count())));
      }
    }
  }

  public static void run(CudaFile f) {
    boolean mentions = f.t.mentions("wmma") && f.t.mentions("fragment");
    if (!f.changes.allows(RULE) || !(mentions || f.t.mentions(FUNCTIONS))) {
      return;
    }
    FragmentPass pass = new FragmentPass(f);
    for (int i = 0; i < f.t.count(); i++) {
      if (f.regions.isDead(i)) {
        continue;
      }
      if (f.t.is(i, "x") && (f.t.is(i - 1, '.') || f.t.isPair(i - 1, '-'))) {
        pass.elements(i);
      } else if (f.t.isIdentifier(i) && pass.fragments.isObject(i)) {
        pass.whole(i);
      }
    }
  }

  /** Reports {@code (float *)&f} and {@code memcpy(to, &f, sizeof f)}. */
  private void whole(int i) {
    int next = t.is(i + 1, '[') ? t.match(i + 1) + 1 : i + 1;
    if (t.is(next, '.') || t.isPair(next, '-') || f.isQualified(i)) {
      return;
    }
    boolean address = t.is(i - 1, '&') && !t.is(i - 2, '&');
    boolean named = t.is(i - 2, '(') && t.is(i - 3, '>');
    boolean cast = named && t.text(Math.max(0, Angles.open(t, i - 3) - 1)).endsWith("_cast");
    int open = i - 1;
    while (open >= 0 && !t.is(open, '(') && !t.is(open, ';') && !t.is(open, '{')) {
      open = t.before(open);
    }
    boolean size = t.is(i - 1, "sizeof") || t.is(open - 1, "sizeof");
    boolean copied = open > 0 && t.is(open, '(') && COPIES.contains(t.text(open - 1)) && !size;
    if (copied || (address && (cast || t.is(i - 2, ')')))) {
      tell(Statements.start(t, i), i, "a wmma fragment is used as bytes");
    }
  }

  private void elements(int x) {
    if (fragments.isOther(x - 2)) {
      return;
    }
    if (!t.is(x + 1, '[')) {
      int head = t.is(x + 1, ')') ? t.match(x + 1) - 1 : -1;
      if (t.is(head, "for")) {
        loop(head, x, "");
      } else if (fragments.isObject(x - 2) && !t.is(head, "sizeof")) {
        tell(x, x, "the elements of a wmma fragment are used as an array");
      }
      return;
    }
    int close = t.match(x + 1);
    if (t.is(close + 1, ')') && t.is(t.match(close + 1) - 1, "sizeof")) {
      return;
    }
    int loop = close == x + 3 && t.isIdentifier(x + 2) ? loopOf(x, t.text(x + 2)) : -1;
    if (loop < 0) {
      tell(x, x, "an element of a wmma fragment is accessed by its index");
    } else if (isWhole(loop, t.text(x + 2), x - 2)) {
      loop(loop, x, t.text(x + 2));
    } else {
      tell(loop, x, "a loop does not visit all elements of a wmma fragment");
    }
  }

  /** Reports a loop over all elements that does not treat them in the same way. */
  private void loop(int loop, int x, String index) {
    int close = t.match(loop + 1);
    Span body = new Span(close + 1, Statements.end(t, loop, t.count()));
    Set<String> own = new HashSet<>(Variables.declared(t, body));
    if (index.isEmpty()) {
      own.addAll(Variables.declared(t, new Span(loop, close))); // the element
    }
    for (int i = body.first(); i <= body.last(); i++) {
      if (!t.isIdentifier(i)) {
        continue;
      }
      String name = t.text(i);
      if (ENDS.contains(name)) {
        tell(loop, x, "a loop does not visit all elements of a wmma fragment");
      } else if (EXCHANGES.matcher(name).matches() && t.is(i + 1, '(')) {
        tell(loop, x, "a loop exchanges elements of a wmma fragment with other lanes");
      } else if (name.equals(index)) {
        if (isElement(i) && isOfOtherKind(i - 4, x - 2)) {
          tell(loop, x, "a loop combines elements of an accumulator with those of other fragments");
        } else if (!isElement(i)) {
          tell(
              loop, x, "a loop also uses the index of a wmma fragment element for another purpose");
        }
      } else if (lanes.differs(i)) {
        tell(
            loop,
            x,
            "a loop combines elements of a wmma fragment with values that depend on the lane");
      } else if (Variables.isAssigned(t, i)
          && !own.contains(name)
          && !isElement(Variables.objectEnd(t, i) - 1)) {
        tell(loop, x, "a loop passes a value from one element of a wmma fragment to the next");
      }
    }
  }

  /** True for an accumulator and another fragment, whose elements are elsewhere. */
  private boolean isOfOtherKind(int one, int other) {
    return fragments.isObject(one)
        && fragments.isObject(other)
        && fragments.isAccumulator(one) != fragments.isAccumulator(other);
  }

  /** True if token {@code i} is the index in {@code f.x[i]}. */
  private boolean isElement(int i) {
    return t.is(i - 1, '[')
        && t.is(i + 1, ']')
        && t.is(i - 2, "x")
        && (t.is(i - 3, '.') || t.isPair(i - 3, '-'))
        && !fragments.isOther(i - 4);
  }

  /** The first token of the innermost loop around a token whose header sets the variable, or -1. */
  private int loopOf(int at, String variable) {
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
  private boolean isWhole(int loop, String index, int object) {
    int close = t.match(loop + 1);
    int condition = semicolon(loop + 2, close);
    int step = semicolon(condition + 1, close);
    boolean first =
        t.is(condition - 1, "0") && t.is(condition - 2, '=') && t.is(condition - 3, index);
    boolean less = t.is(condition + 1, index) && t.is(condition + 2, '<');
    Span bound = new Span(condition + 3, step - 1);
    if (!first || !less || bound.last() < bound.first() || !isIncrement(step, close, index)) {
      return false;
    }
    boolean eight = bound.first() == bound.last() && t.is(bound.first(), ACCUMULATORS);
    return (eight && fragments.isAccumulator(object)) || fragments.isCount(bound);
  }

  private int semicolon(int first, int limit) {
    int k = first;
    while (k < limit && !t.is(k, ';')) {
      k++;
    }
    return k;
  }

  /** {@code i++}, {@code ++i} or {@code i += 1} between two tokens. */
  private boolean isIncrement(int before, int after, String index) {
    boolean plus = t.is(before + 2, '+') && after > before + 3;
    boolean behind = plus && t.is(before + 1, index) && t.is(before + 3, '+');
    boolean ahead = plus && t.is(before + 1, '+') && t.is(before + 3, index);
    boolean added =
        plus && t.is(before + 1, index) && t.is(before + 3, '=') && t.is(before + 4, "1");
    return ((behind || ahead) && after == before + 4) || (added && after == before + 5);
  }

  private void tell(int statement, int x, String message) {
    if (done.add(statement)) {
      f.changes.finding(RULE, Disposition.REVIEW, t.start(x), t.end(x), message);
    }
  }
}
