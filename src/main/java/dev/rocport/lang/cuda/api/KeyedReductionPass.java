package dev.rocport.lang.cuda.api;

import dev.rocport.core.result.Disposition;
import dev.rocport.lang.cuda.lex.Arguments;
import dev.rocport.lang.cuda.lex.Scopes;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.pass.CudaFile;
import java.util.List;
import java.util.Set;

/**
 * Reports reductions by key whose operator loads from memory. rocPRIM reads a last tile that is not
 * full without a default value, and applies the operator to all its elements; CUB applies it only
 * to those in the range.
 */
public final class KeyedReductionPass {
  private static final String RULE = "KEYED-REDUCTION";

  private static final List<String> NAMES = List.of("reduce_by_key", "ReduceByKey");

  /** The position of CUB's operator; Thrust's is the last one. */
  private static final int CUB_OPERATOR = 7;

  /** Arguments of Thrust's function with an operator, without a policy. */
  private static final int THRUST_ARGUMENTS = 7;

  /** What comes before a {@code *} that is no product. */
  private static final Set<Character> BEFORE_LOAD = Set.of('(', '{', ';', ',', '=', '?', ':');

  private final Tokens t;

  private KeyedReductionPass(Tokens t) {
    this.t = t;
  }

  public static void run(CudaFile f) {
    if (!f.t.mentions(NAMES)) {
      return;
    }
    KeyedReductionPass pass = new KeyedReductionPass(f.t);
    for (int i = 0; i < f.t.count(); i++) {
      if (f.t.isIdentifier(i)
          && NAMES.contains(f.t.text(i))
          && f.t.isPair(i - 1, ':')
          && f.t.is(i + 1, '(')
          && !f.regions.isDead(i)
          && pass.loads(i)) {
        f.changes.finding(
            RULE,
            Disposition.REVIEW,
            f.t.start(i),
            f.t.end(i),
            f.t.text(i)
                + ": rocPRIM also calls the operator with undefined values beyond the last element,"
                + " and this operator loads from memory");
      }
    }
  }

  /** Whether the operator of a call is of this file and loads from memory. */
  private boolean loads(int call) {
    List<Arguments.Span> arguments = Arguments.of(t, call + 1);
    boolean thrust = t.is(call, NAMES.getFirst());
    if (arguments.size() < (thrust ? THRUST_ARGUMENTS : CUB_OPERATOR + 1)) {
      return false;
    }
    Arguments.Span op = thrust ? arguments.getLast() : arguments.get(CUB_OPERATOR);
    if (t.is(op.first(), '[')) {
      int body = t.after(op.first());
      while (body <= op.last() && !t.is(body, '{')) {
        body = t.after(body);
      }
      return loadsIn(body);
    }
    int type = declared(Scopes.nameEnd(t, op.first()));
    return type >= 0 && operatorLoads(type);
  }

  /** Returns the opening brace of the class of a functor or of its variable; -1 if unknown. */
  private int declared(int name) {
    int body = body(name);
    for (int i = name - 1; body < 0 && i > 0; i--) {
      if (t.isSame(i, name) && t.isIdentifier(i - 1)) {
        body = body(i - 1);
      }
    }
    return body;
  }

  private int body(int type) {
    for (int i = 1; i < t.count(); i++) {
      if (t.isSame(i, type) && (t.is(i - 1, "struct") || t.is(i - 1, "class"))) {
        int k = i + 1;
        while (k < t.count() && !t.is(k, '{') && !t.is(k, ';') && !t.is(k, '(')) {
          k++;
        }
        if (t.is(k, '{')) {
          return k;
        }
      }
    }
    return -1;
  }

  private boolean operatorLoads(int brace) {
    for (int i = brace + 1; i < t.match(brace); i++) {
      if (t.is(i, "operator") && t.is(i + 1, '(') && t.is(i + 2, ')') && t.is(i + 3, '(')) {
        int body = t.after(i + 3);
        while (body < t.match(brace) && !t.is(body, '{') && !t.is(body, ';')) {
          body = t.after(body);
        }
        if (loadsIn(body)) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean loadsIn(int brace) {
    for (int i = brace + 1; t.is(brace, '{') && i < t.match(brace); i++) {
      if (t.is(i, '[') || t.isPair(i, '-') || (t.is(i, '*') && isPrefix(i))) {
        return true;
      }
    }
    return false;
  }

  private boolean isPrefix(int i) {
    return t.is(i - 1, "return") || BEFORE_LOAD.stream().anyMatch(c -> t.is(i - 1, c));
  }
}
