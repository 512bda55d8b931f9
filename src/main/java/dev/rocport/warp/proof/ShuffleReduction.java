package dev.rocport.warp.proof;

import dev.rocport.warp.ir.Expr;
import dev.rocport.warp.ir.Stmt;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A loop that halves a distance and combines the value of each lane with the value at that
 * distance: {@code for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(m, v, d);}.
 *
 * @param distance the loop's variable
 * @param first its first value; for an ascending loop, the bound of the distance
 * @param ascending true for {@code for (int d = 1; d < 32; d *= 2)}, with {@code __shfl_xor_sync}
 * @param steps what is combined, in order
 */
record ShuffleReduction(String distance, Expr first, boolean ascending, List<Step> steps) {
  /**
   * One value that is reduced.
   *
   * @param ordered true if operands that are no numbers, or zeros, may come out by their order
   */
  record Step(String variable, Reduction op, Expr.Call shuffle, boolean ordered) {}

  /** The ladder that a loop is; null if it is none. */
  static @Nullable ShuffleReduction of(Stmt.For f) {
    String d = distance(f);
    if (d == null || f.condition().isEmpty() || f.step().isEmpty()) {
      return null;
    }
    Expr first = first(f.init());
    boolean down = isDownToOne(f.condition().get(), d) && halves(f.step().get(), d);
    Expr below = below(f.condition().get(), d);
    boolean up = first != null && isNumber(first, 1) && below != null && doubles(f.step().get(), d);
    if (first == null || (!down && !up)) {
      return null;
    }
    List<Stmt> body = f.body() instanceof Stmt.Block b ? b.list() : List.of(f.body());
    Map<String, Expr.Call> held = new HashMap<>();
    List<Step> steps = new ArrayList<>();
    for (Stmt s : body) {
      if (s instanceof Stmt.Let let
          && let.variable().init().orElse(null) instanceof Expr.Call c
          && isShuffle(c, d)) {
        held.put(let.variable().name(), c);
      } else {
        Step step = step(s, held, d);
        if (step == null) {
          return null;
        }
        steps.add(step);
      }
    }
    boolean symmetric = steps.stream().allMatch(s -> s.shuffle().name().contains("xor"));
    return steps.isEmpty() || (up && !symmetric)
        ? null
        : new ShuffleReduction(d, up && below != null ? below : first, up, steps);
  }

  private static @Nullable String distance(Stmt.For f) {
    return switch (f.init()) {
      case Stmt.Let l -> l.variable().name();
      case Stmt.Eval e
          when e.x() instanceof Expr.Binary b
              && b.op().equals("=")
              && b.left() instanceof Expr.Name n ->
          n.id();
      default -> null;
    };
  }

  private static @Nullable Expr first(Stmt init) {
    return switch (init) {
      case Stmt.Let l -> l.variable().init().orElse(null);
      case Stmt.Eval e when e.x() instanceof Expr.Binary b -> b.right();
      default -> null;
    };
  }

  private static boolean isDownToOne(Expr c, String d) {
    if (c instanceof Expr.Name n) {
      return n.id().equals(d);
    }
    if (!(c instanceof Expr.Binary b) || !isName(b.left(), d)) {
      return false;
    }
    return b.right() instanceof Expr.Literal n
        && switch (b.op()) {
          case ">", "!=" -> n.value() == 0;
          case ">=" -> n.value() == 1;
          default -> false;
        };
  }

  private static @Nullable Expr below(Expr c, String d) {
    return c instanceof Expr.Binary b && b.op().equals("<") && isName(b.left(), d)
        ? b.right()
        : null;
  }

  private static boolean doubles(Expr step, String d) {
    return step instanceof Expr.Binary b
        && isName(b.left(), d)
        && switch (b.op()) {
          case "<<=" -> isNumber(b.right(), 1);
          case "*=" -> isNumber(b.right(), 2);
          case "+=" -> isName(b.right(), d);
          default -> false;
        };
  }

  private static boolean halves(Expr step, String d) {
    if (!(step instanceof Expr.Binary b) || !isName(b.left(), d)) {
      return false;
    }
    return switch (b.op()) {
      case ">>=" -> isNumber(b.right(), 1);
      case "/=" -> isNumber(b.right(), 2);
      case "=" ->
          b.right() instanceof Expr.Binary r
              && isName(r.left(), d)
              && ((r.op().equals(">>") && isNumber(r.right(), 1))
                  || (r.op().equals("/") && isNumber(r.right(), 2)));
      default -> false;
    };
  }

  private static @Nullable Step step(Stmt s, Map<String, Expr.Call> held, String d) {
    if (s instanceof Stmt.If i
        && i.no().isEmpty()
        && single(i.yes()) instanceof Stmt.Eval e
        && e.x() instanceof Expr.Binary b
        && b.op().equals("=")
        && b.left() instanceof Expr.Name v
        && i.condition() instanceof Expr.Binary c) {
      // if (other > v) v = other;
      Expr.Call shuffle = shuffle(b.right(), held, d);
      boolean other = isSame(c.left(), b.right()) && isName(c.right(), v.id());
      boolean own = isSame(c.right(), b.right()) && isName(c.left(), v.id());
      Reduction op = other ? extreme(c.op(), true) : own ? extreme(c.op(), false) : null;
      return shuffle == null || op == null ? null : checked(v.id(), op, shuffle);
    }
    if (!(s instanceof Stmt.Eval e)
        || !(e.x() instanceof Expr.Binary b)
        || !(b.left() instanceof Expr.Name v)) {
      return null;
    }
    return switch (b.op()) {
      case "+=" -> found(v.id(), Reduction.ADD, b.right(), held, d);
      case "&=" -> found(v.id(), Reduction.AND, b.right(), held, d);
      case "|=" -> found(v.id(), Reduction.OR, b.right(), held, d);
      case "^=" -> found(v.id(), Reduction.XOR, b.right(), held, d);
      case "=" -> assigned(v.id(), b.right(), held, d);
      default -> null;
    };
  }

  private static @Nullable Step assigned(String v, Expr x, Map<String, Expr.Call> held, String d) {
    return switch (x) {
      case Expr.Binary b -> {
        Reduction op =
            switch (b.op()) {
              case "+" -> Reduction.ADD;
              case "&" -> Reduction.AND;
              case "|" -> Reduction.OR;
              case "^" -> Reduction.XOR;
              default -> null;
            };
        yield op == null
            ? null
            : isName(b.left(), v)
                ? found(v, op, b.right(), held, d)
                : isName(b.right(), v) ? found(v, op, b.left(), held, d) : null;
      }
      case Expr.Call c when c.args().size() == 2 && c.receiver().isEmpty() -> {
        Reduction op = named(c.name());
        Step step =
            op == null
                ? null
                : isName(c.args().get(0), v)
                    ? found(v, op, c.args().get(1), held, d)
                    : isName(c.args().get(1), v) ? found(v, op, c.args().get(0), held, d) : null;
        yield step == null ? null : new Step(v, step.op(), step.shuffle(), false);
      }
      case Expr.Pick p when p.condition() instanceof Expr.Binary c -> {
        // v > other ? v : other, in its four forms; other must be held, or it is shuffled twice
        Expr other = isName(p.yes(), v) ? p.no() : isName(p.no(), v) ? p.yes() : null;
        boolean vFirst = isName(c.left(), v) && other != null && isSame(c.right(), other);
        boolean vSecond = isName(c.right(), v) && other != null && isSame(c.left(), other);
        Reduction whenTrueLeft = extreme(c.op(), true);
        if (other == null || whenTrueLeft == null || !(vFirst || vSecond)) {
          yield null;
        }
        boolean takesLeft = vFirst == isName(p.yes(), v);
        Reduction op = takesLeft ? whenTrueLeft : opposite(whenTrueLeft);
        yield other instanceof Expr.Name ? found(v, op, other, held, d) : null;
      }
      default -> null;
    };
  }

  private static @Nullable Step found(
      String v, Reduction op, Expr x, Map<String, Expr.Call> held, String d) {
    Expr.Call shuffle = shuffle(x, held, d);
    return shuffle == null ? null : checked(v, op, shuffle);
  }

  /** Only if what is shuffled is the variable itself. */
  private static @Nullable Step checked(String v, Reduction op, Expr.Call shuffle) {
    WarpFunction f = WarpFunction.of(shuffle.name());
    int value = f != null && f.masked() ? 1 : 0;
    return isName(shuffle.args().get(value), v) ? new Step(v, op, shuffle, true) : null;
  }

  private static Expr.@Nullable Call shuffle(Expr x, Map<String, Expr.Call> held, String d) {
    return switch (x) {
      case Expr.Call c when isShuffle(c, d) -> c;
      case Expr.Name n -> held.get(n.id());
      default -> null;
    };
  }

  private static boolean isShuffle(Expr.Call c, String d) {
    WarpFunction f = WarpFunction.of(c.name());
    if (f == null
        || (f.kind() != WarpFunction.Kind.SHUFFLE_DOWN
            && f.kind() != WarpFunction.Kind.SHUFFLE_XOR)) {
      return false;
    }
    int at = f.masked() ? 2 : 1;
    return c.args().size() > at && isName(c.args().get(at), d);
  }

  /** What is taken if the left side is, where this comparison holds. */
  private static @Nullable Reduction extreme(String op, boolean left) {
    return switch (op) {
      case ">", ">=" -> left ? Reduction.MAX : Reduction.MIN;
      case "<", "<=" -> left ? Reduction.MIN : Reduction.MAX;
      default -> null;
    };
  }

  private static Reduction opposite(Reduction op) {
    return op == Reduction.MAX ? Reduction.MIN : Reduction.MAX;
  }

  private static @Nullable Reduction named(String name) {
    return switch (name) {
      case "max", "fmax", "fmaxf", "umax", "llmax", "ullmax" -> Reduction.MAX;
      case "min", "fmin", "fminf", "umin", "llmin", "ullmin" -> Reduction.MIN;
      default -> null;
    };
  }

  private static Stmt single(Stmt s) {
    return s instanceof Stmt.Block b && b.list().size() == 1 ? b.list().getFirst() : s;
  }

  private static boolean isName(Expr x, String name) {
    return x instanceof Expr.Name n && n.id().equals(name);
  }

  private static boolean isNumber(Expr x, long value) {
    return x instanceof Expr.Literal n && n.integer() && n.value() == value;
  }

  private static boolean isSame(Expr a, Expr b) {
    return a instanceof Expr.Name x && b instanceof Expr.Name y && x.id().equals(y.id());
  }
}
