package dev.rocport.warp.uniformity;

import dev.rocport.Choices;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A small random kernel that can be written as CUDA and interpreted thread by thread. It calls
 * {@code use(value, site)} and {@code reach(site)}; both are logged by site and by the trips that
 * the loops around it had made, since threads that reach one place in different iterations do not
 * arrive together. Loops call {@code enter}, {@code trip} and {@code leave} with their depth, so
 * that a compiled kernel can count the trips, too.
 */
public final class LaneProgram {
  static final List<String> VARIABLES = List.of("a", "b", "c", "d", "e");

  private static final int TRIPS = 5;

  /** Entries of a thread's log, at most. */
  public static final int LOG = 64;

  /** The block, its width and the argument that a run is made for. */
  public record Launch(int block, int width, int n) {}

  /** A site and the trips of the loops around it, three bits for each. */
  public record Place(int site, int trips) {}

  /** What a thread logs; 0 as the value of a {@code reach}. */
  public record Entry(Place place, int value) {}

  private enum Jump {
    NONE,
    BREAK,
    CONTINUE,
    RETURN
  }

  private interface Expr {
    int value(Thread t);
  }

  private interface Stmt {
    Jump run(Thread t);
  }

  private record Code<T>(String text, T run) {}

  /**
   * A variable; one that hides another has the same name.
   *
   * @param counter true for the counter of a loop, which the body must not assign
   */
  private record Variable(String name, int key, boolean counter) {}

  private static final class Thread {
    final Launch launch;
    final int id;
    final Map<Integer, Integer> values = new HashMap<>();
    final int[] trips = new int[4];
    final List<Entry> log = new ArrayList<>();

    Thread(Launch launch, int id) {
      this.launch = launch;
      this.id = id;
    }

    Jump put(int site, int value) {
      if (log.size() < LOG) {
        log.add(new Entry(new Place(site, trips[1] | trips[2] << 3 | trips[3] << 6), value));
      }
      return Jump.NONE;
    }
  }

  private final Choices choices;
  private final List<Variable> scope = new ArrayList<>();
  private int sites;
  private int keys;
  private int labels;
  private int depth;
  private int loops;
  private final Code<Stmt> body;

  /** Makes a kernel by a list of choices. */
  public LaneProgram(Choices choices) {
    this.choices = choices;
    List<Code<Stmt>> all = new ArrayList<>();
    for (String v : VARIABLES) {
      Code<Expr> x = expr(1);
      Variable variable = declare(v);
      all.add(new Code<>("int " + v + " = " + x.text + ";\n", set(variable, x.run)));
    }
    while (!choices.isOver() && all.size() < 14) {
      all.add(stmt());
    }
    for (int i = 0; i < VARIABLES.size(); i++) {
      all.add(use(variable(scope.get(i))));
    }
    this.body = sequence(all);
  }

  /** Returns the body of the kernel, with {@code n} as its parameter. */
  public String body() {
    return body.text;
  }

  /** Returns the kernel as CUDA. */
  public String text() {
    return "__global__ void k(int n) {\n" + body.text + "}\n";
  }

  /** Returns the number of sites, the calls of {@code use} and {@code reach}. */
  public int sites() {
    return sites;
  }

  /** Returns what one thread logs, in order. */
  public List<Entry> run(Launch launch, int thread) {
    Thread t = new Thread(launch, thread);
    body.run.run(t);
    return t.log;
  }

  private Variable declare(String name, boolean counter) {
    Variable v = new Variable(name, keys++, counter);
    scope.add(v);
    return v;
  }

  private Variable declare(String name) {
    return declare(name, false);
  }

  /** A variable that may be assigned. */
  private Variable target() {
    return visible(scope.stream().filter(v -> !v.counter()).toArray(Variable[]::new));
  }

  /** A variable that a name stands for here; a hidden one is not chosen. */
  private Variable visible(Variable... of) {
    String name = choices.of(of).name();
    for (Variable v : scope.reversed()) {
      if (v.name().equals(name)) {
        return v;
      }
    }
    throw new AssertionError(name);
  }

  private static Code<Stmt> sequence(List<Code<Stmt>> all) {
    StringBuilder text = new StringBuilder();
    all.forEach(s -> text.append(s.text));
    return new Code<>(
        text.toString(),
        t -> {
          for (Code<Stmt> s : all) {
            Jump jump = s.run.run(t);
            if (jump != Jump.NONE) {
              return jump;
            }
          }
          return Jump.NONE;
        });
  }

  private static Stmt set(Variable v, Expr x) {
    return t -> {
      t.values.put(v.key(), x.value(t));
      return Jump.NONE;
    };
  }

  private Code<Stmt> use(Code<Expr> x) {
    int site = sites++;
    return new Code<>("use(" + x.text + ", " + site + ");\n", t -> t.put(site, x.run.value(t)));
  }

  private Code<Stmt> reach() {
    int site = sites++;
    return new Code<>("reach(" + site + ");\n", t -> t.put(site, 0));
  }

  private Code<Stmt> block() {
    int outer = scope.size();
    depth++;
    List<Code<Stmt>> all = new ArrayList<>();
    if (choices.below(4) == 1) {
      String name = choices.below(2) == 1 ? VARIABLES.getFirst() : "t" + depth;
      // C++ sees the new variable in its initializer already, without a value.
      List<Variable> before = List.copyOf(scope);
      scope.removeIf(v -> v.name().equals(name));
      Code<Expr> x = expr(2);
      scope.clear();
      scope.addAll(before);
      Variable v = declare(name);
      all.add(new Code<>("int " + v.name() + " = " + x.text + ";\n", set(v, x.run)));
    }
    for (int i = 1 + choices.below(3); i > 0; i--) {
      all.add(stmt());
    }
    depth--;
    scope.subList(outer, scope.size()).clear();
    Code<Stmt> inner = sequence(all);
    return new Code<>("{\n" + inner.text + "}\n", inner.run);
  }

  private Code<Stmt> stmt() {
    return switch (choices.below(depth < 3 ? 16 : 6)) {
      case 0, 1 -> assignment();
      case 2 -> {
        Variable v = target();
        String op = choices.of("+", "-", "*");
        Code<Expr> x = expr(2);
        Code<Expr> sum = binary(op, variable(v), x);
        yield new Code<>(v.name() + " " + op + "= " + x.text + ";\n", set(v, sum.run));
      }
      case 3 -> use(expr(2));
      case 4 -> reach();
      case 5 -> {
        Code<Expr> c = condition();
        Variable v = target();
        Code<Expr> x = expr(1);
        Stmt set = set(v, x.run);
        yield new Code<>(
            "if (" + c.text + " && ((" + v.name() + " = " + x.text + ") > 3)) {\n}\n",
            t -> c.run.value(t) != 0 ? set.run(t) : Jump.NONE);
      }
      case 6, 7, 8 -> {
        Code<Expr> c = condition();
        Code<Stmt> yes = block();
        Code<Stmt> no = block();
        yield new Code<>(
            "if (" + c.text + ") " + yes.text + "else " + no.text,
            t -> c.run.value(t) != 0 ? yes.run.run(t) : no.run.run(t));
      }
      case 9 -> skip();
      case 10 -> select();
      case 11 -> {
        Code<Expr> c = condition();
        yield choices.below(3) == 1
            ? new Code<>(
                "if (" + c.text + ") {\nreturn;\n}\n",
                t -> c.run.value(t) != 0 ? Jump.RETURN : Jump.NONE)
            : assignment();
      }
      case 12 -> {
        // A lambda that assigns what it captures.
        Code<Expr> c = condition();
        Variable v = target();
        Code<Expr> x = expr(1);
        Stmt set = set(v, x.run);
        String name = "set" + labels++;
        yield new Code<>(
            "auto "
                + name
                + " = [&] { "
                + v.name()
                + " = "
                + x.text
                + "; };\n"
                + "if ("
                + c.text
                + ") {\n"
                + name
                + "();\n}\n",
            t -> c.run.value(t) != 0 ? set.run(t) : Jump.NONE);
      }
      default -> loop();
    };
  }

  private Code<Stmt> assignment() {
    Variable v = target();
    Code<Expr> x = expr(2);
    return new Code<>(v.name() + " = " + x.text + ";\n", set(v, x.run));
  }

  /** A jump forward over a block. */
  private Code<Stmt> skip() {
    Code<Expr> c = condition();
    String label = "l" + labels++;
    Code<Stmt> over = block();
    return new Code<>(
        "if (" + c.text + ") {\ngoto " + label + ";\n}\n" + over.text + label + ":;\n",
        t -> c.run.value(t) != 0 ? Jump.NONE : over.run.run(t));
  }

  private Code<Stmt> jumpIf(Jump jump) {
    Code<Expr> c = condition();
    String word = jump == Jump.BREAK ? "break" : "continue";
    return new Code<>(
        "if (" + c.text + ") {\n" + word + ";\n}\n", t -> c.run.value(t) != 0 ? jump : Jump.NONE);
  }

  /** A switch with two cases and a default; the first case may fall through. */
  private Code<Stmt> select() {
    Code<Expr> x = binary("&", expr(1), number(3));
    Code<Stmt> first = sequence(List.of(block(), jumpIf(Jump.BREAK)));
    Code<Stmt> second = block();
    Code<Stmt> other = block();
    return new Code<>(
        "switch ("
            + x.text
            + ") {\ncase 0:\n"
            + first.text
            + "case 1:\n"
            + second.text
            + "break;\ndefault:\n"
            + other.text
            + "}\n",
        t -> {
          int selected = x.run.value(t);
          Jump jump = selected == 0 ? first.run.run(t) : Jump.NONE;
          if (jump == Jump.NONE) {
            jump = selected < 2 ? second.run.run(t) : other.run.run(t);
          }
          return jump == Jump.BREAK ? Jump.NONE : jump;
        });
  }

  /** A loop of each form, with a bounded number of trips, perhaps with a jump in its middle. */
  private Code<Stmt> loop() {
    if (loops == 3) {
      return assignment();
    }
    loops++;
    int level = loops;
    int form = choices.below(3);
    int outer = scope.size();
    Variable i = form == 0 ? declare("i" + level, true) : declare("w" + level, true);
    Code<Expr> goesOn = condition();
    List<Code<Stmt>> all = new ArrayList<>(List.of(block()));
    if (choices.below(2) == 1) {
      all.add(jumpIf(choices.of(Jump.BREAK, Jump.CONTINUE)));
      all.add(block());
    }
    scope.subList(outer, scope.size()).clear();
    loops--;
    Code<Stmt> inner = sequence(all);
    String c = i.name() + " < " + TRIPS + " && " + goesOn.text;
    String trip = "trip(" + level + ");\n" + inner.text;
    String text =
        switch (form) {
          case 0 ->
              "for (int " + i.name() + " = 0; " + c + "; " + i.name() + "++) {\n" + trip + "}\n";
          case 1 ->
              "{\nint "
                  + i.name()
                  + " = -1;\nwhile ("
                  + i.name()
                  + "++, "
                  + c
                  + ") {\n"
                  + trip
                  + "}\n}\n";
          default -> "{\nint " + i.name() + " = 0;\ndo {\n" + trip + "} while (++" + c + ");\n}\n";
        };
    return new Code<>(
        "enter(" + level + ");\n" + text + "leave(" + level + ");\n",
        t -> {
          t.values.put(i.key(), 0);
          Jump jump = Jump.NONE;
          t.trips[level] = 0;
          boolean more = form == 2 || goesOn.run.value(t) != 0;
          while (more && jump != Jump.BREAK && jump != Jump.RETURN) {
            t.trips[level]++;
            jump = inner.run.run(t);
            if (jump != Jump.BREAK && jump != Jump.RETURN) {
              t.values.merge(i.key(), 1, Integer::sum);
              more = t.values.get(i.key()) < TRIPS && goesOn.run.value(t) != 0;
            }
          }
          t.trips[level] = 0;
          return jump == Jump.RETURN ? jump : Jump.NONE;
        });
  }

  private Code<Expr> condition() {
    if (choices.below(4) == 1) {
      Code<Expr> x = choices.of(thread(), warp(), lane(), binary("%", thread(), number(64)));
      return binary("==", x, number(0));
    }
    String op = choices.of("<", ">", "<=", ">=", "==", "!=");
    return binary(op, expr(2), expr(1));
  }

  private static Code<Expr> number(int n) {
    return new Code<>(Integer.toString(n), t -> n);
  }

  private static Code<Expr> variable(Variable v) {
    return new Code<>(v.name(), t -> t.values.get(v.key()));
  }

  private static Code<Expr> thread() {
    return new Code<>("(int)threadIdx.x", t -> t.id);
  }

  private static Code<Expr> warp() {
    return new Code<>("(int)(threadIdx.x / 32)", t -> t.id / 32);
  }

  private static Code<Expr> lane() {
    return new Code<>("(int)(threadIdx.x & 31)", t -> t.id & 31);
  }

  private Code<Expr> expr(int deep) {
    int kinds = deep > 0 ? 15 : 12;
    return switch (choices.below(kinds)) {
      case 0 -> number(choices.of(0, 1, 2, 3, 5, 7, 32, 33, 64, 96, 128));
      case 1 -> thread();
      case 2 -> new Code<>("(int)blockDim.x", t -> t.launch.width);
      case 3 -> new Code<>("n", t -> t.launch.n);
      case 4 -> new Code<>("(int)(blockIdx.x * blockDim.x)", t -> t.launch.block * t.launch.width);
      case 5 -> new Code<>("(int)(blockIdx.x * 64)", t -> t.launch.block * 64);
      case 6, 7, 8 ->
          scope.isEmpty() ? number(4) : variable(visible(scope.toArray(Variable[]::new)));
      case 9 -> warp();
      case 10 -> new Code<>("(int)(threadIdx.x >> 6)", t -> t.id >> 6);
      case 11 -> lane();
      case 12 -> {
        Code<Expr> c = condition();
        Code<Expr> x = expr(deep - 1);
        Code<Expr> y = expr(deep - 1);
        yield new Code<>(
            "(" + c.text + " ? " + x.text + " : " + y.text + ")",
            t -> c.run.value(t) != 0 ? x.run.value(t) : y.run.value(t));
      }
      case 13 -> {
        String op = choices.of("/", "%", ">>", "<<", "&");
        Code<Expr> by =
            number(
                switch (op) {
                  case "<<", ">>" -> choices.of(5, 6, 1);
                  case "&" -> choices.of(31, 63, 1);
                  default -> choices.of(32, 64, 16, 96, 3);
                });
        yield binary(op, expr(deep - 1), by);
      }
      default -> binary(choices.of("+", "*", "-"), expr(deep - 1), expr(deep - 1));
    };
  }

  private static Code<Expr> binary(String op, Code<Expr> x, Code<Expr> y) {
    return new Code<>(
        "(" + x.text + " " + op + " " + y.text + ")",
        t -> {
          int a = x.run.value(t);
          int b = y.run.value(t);
          return switch (op) {
            case "+" -> a + b;
            case "-" -> a - b;
            case "*" -> a * b;
            case "/" -> a / b;
            case "%" -> a % b;
            case "<<" -> a << b;
            case ">>" -> a >> b;
            case "&" -> a & b;
            case "<" -> a < b ? 1 : 0;
            case ">" -> a > b ? 1 : 0;
            case "<=" -> a <= b ? 1 : 0;
            case ">=" -> a >= b ? 1 : 0;
            case "==" -> a == b ? 1 : 0;
            default -> a != b ? 1 : 0;
          };
        });
  }
}
