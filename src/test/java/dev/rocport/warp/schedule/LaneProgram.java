package dev.rocport.warp.schedule;

import dev.rocport.Choices;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A small kernel that can be written as CUDA and run thread by thread. What {@code use} calls were
 * handed is kept by call and by the trips that the loops around it had made, since threads that
 * reach one place in different iterations do not arrive together.
 */
final class LaneProgram {
  static final List<String> VARIABLES = List.of("a", "b", "c", "d", "e");

  private static final int TRIPS = 5;

  /** The block, grid and argument that a run is made for. */
  record Launch(int block, int width, int n) {}

  /** A call of {@code use}, by its number and the trips of the loops around it. */
  record Place(int use, List<Integer> trips) {}

  private enum Jump {
    NONE,
    BREAK,
    CONTINUE
  }

  private interface Expr {
    int value(Thread t);
  }

  private interface Stmt {
    Jump run(Thread t);
  }

  private record Code<T>(String text, T run) {}

  private static final class Thread {
    final Launch launch;
    final int id;
    final Map<String, Integer> variables = new HashMap<>();
    final List<Integer> trips = new ArrayList<>();
    final Map<Place, Integer> used = new HashMap<>();

    Thread(Launch launch, int id) {
      this.launch = launch;
      this.id = id;
    }
  }

  private final Choices choices;
  private final List<String> scope = new ArrayList<>();
  private int uses;
  private int depth;
  private final Code<Stmt> body;

  LaneProgram(Choices choices) {
    this.choices = choices;
    List<Code<Stmt>> all = new ArrayList<>();
    for (String v : VARIABLES) {
      Code<Expr> x = expr(1);
      scope.add(v);
      all.add(new Code<>("int " + v + " = " + x.text + ";\n", set(v, x.run)));
    }
    while (!choices.isOver() && all.size() < 14) {
      all.add(stmt());
    }
    for (String v : VARIABLES) {
      all.add(use(variable(v)));
    }
    this.body = sequence(all);
  }

  String text() {
    return "__global__ void k(int n) {\n" + body.text + "}\n";
  }

  int uses() {
    return uses;
  }

  /** The values that one thread passes to the uses that it reaches. */
  Map<Place, Integer> run(Launch launch, int thread) {
    Thread t = new Thread(launch, thread);
    body.run.run(t);
    return t.used;
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

  private static Stmt set(String name, Expr x) {
    return t -> {
      t.variables.put(name, x.value(t));
      return Jump.NONE;
    };
  }

  private Code<Stmt> use(Code<Expr> x) {
    int number = uses++;
    return new Code<>(
        "use(" + x.text + ");\n",
        t -> {
          t.used.put(new Place(number, List.copyOf(t.trips)), x.run.value(t));
          return Jump.NONE;
        });
  }

  private Code<Stmt> block() {
    int outer = scope.size();
    depth++;
    List<Code<Stmt>> all = new ArrayList<>();
    if (choices.below(4) == 1) {
      Code<Expr> x = expr(2);
      String name = "t" + depth;
      scope.add(name);
      all.add(new Code<>("int " + name + " = " + x.text + ";\n", set(name, x.run)));
    }
    for (int i = 1 + choices.below(3); i > 0; i--) {
      all.add(stmt());
    }
    depth--;
    while (scope.size() > outer) {
      scope.removeLast();
    }
    return sequence(all);
  }

  private Code<Stmt> stmt() {
    return switch (choices.below(depth < 3 ? 8 : 4)) {
      case 0, 1 -> assignment();
      case 2 -> {
        String name = choices.of(scope.toArray(String[]::new));
        String op = choices.of("+", "-", "*");
        Code<Expr> x = expr(2);
        Code<Expr> sum = binary(op, variable(name), x);
        yield new Code<>(name + " " + op + "= " + x.text + ";\n", set(name, sum.run));
      }
      case 3 -> use(expr(2));
      case 4 -> {
        Code<Expr> c = condition();
        Code<Stmt> yes = block();
        Code<Stmt> no = block();
        yield new Code<>(
            "if (" + c.text + ") {\n" + yes.text + "} else {\n" + no.text + "}\n",
            t -> c.run.value(t) != 0 ? yes.run.run(t) : no.run.run(t));
      }
      case 5 -> {
        Code<Expr> c = condition();
        String name = choices.of(scope.toArray(String[]::new));
        Code<Expr> x = expr(1);
        Stmt set = set(name, x.run);
        yield new Code<>(
            "if (" + c.text + " && ((" + name + " = " + x.text + ") > 3)) {\n}\n",
            t -> c.run.value(t) != 0 ? set.run(t) : Jump.NONE);
      }
      default -> loop();
    };
  }

  private Code<Stmt> assignment() {
    String name = choices.of(scope.toArray(String[]::new));
    Code<Expr> x = expr(2);
    return new Code<>(name + " = " + x.text + ";\n", set(name, x.run));
  }

  private Code<Stmt> loop() {
    Code<Expr> goesOn = condition();
    String i = "i" + depth;
    scope.add(i);
    List<Code<Stmt>> all = new ArrayList<>(List.of(block()));
    if (choices.below(2) == 1) {
      Code<Expr> c = condition();
      Jump jump = choices.of(Jump.BREAK, Jump.CONTINUE);
      String word = jump == Jump.BREAK ? "break" : "continue";
      all.add(
          new Code<>(
              "if (" + c.text + ") {\n" + word + ";\n}\n",
              t -> c.run.value(t) != 0 ? jump : Jump.NONE));
      all.add(block());
    }
    scope.remove(scope.lastIndexOf(i));
    Code<Stmt> inner = sequence(all);
    String head =
        "for (int "
            + i
            + " = 0; "
            + i
            + " < "
            + TRIPS
            + " && "
            + goesOn.text
            + "; "
            + i
            + "++) {\n";
    return new Code<>(
        head + inner.text + "}\n",
        t -> {
          t.variables.put(i, 0);
          t.trips.add(0);
          int trip = 0;
          while (trip < TRIPS
              && t.variables.get(i) < TRIPS
              && goesOn.run.value(t) != 0
              && inner.run.run(t) != Jump.BREAK) {
            t.trips.set(t.trips.size() - 1, ++trip);
            t.variables.merge(i, 1, Integer::sum);
          }
          t.trips.removeLast();
          return Jump.NONE;
        });
  }

  private Code<Expr> condition() {
    String op = choices.of("<", ">", "<=", ">=", "==", "!=");
    return binary(op, expr(2), expr(1));
  }

  private static Code<Expr> number(int n) {
    return new Code<>(Integer.toString(n), t -> n);
  }

  private static Code<Expr> variable(String name) {
    return new Code<>(name, t -> t.variables.get(name));
  }

  private Code<Expr> expr(int deep) {
    int kinds = deep > 0 ? 15 : 12;
    return switch (choices.below(kinds)) {
      case 0 -> number(choices.of(0, 1, 2, 3, 5, 7, 32, 33, 64, 96, 128));
      case 1 -> new Code<>("threadIdx.x", t -> t.id);
      case 2 -> new Code<>("blockDim.x", t -> t.launch.width);
      case 3 -> new Code<>("n", t -> t.launch.n);
      case 4 -> new Code<>("(blockIdx.x * blockDim.x)", t -> t.launch.block * t.launch.width);
      case 5 -> new Code<>("(blockIdx.x * 64)", t -> t.launch.block * 64);
      case 6, 7, 8 ->
          scope.isEmpty() ? number(4) : variable(choices.of(scope.toArray(String[]::new)));
      case 9 -> new Code<>("(threadIdx.x / 32)", t -> t.id / 32);
      case 10 -> new Code<>("(threadIdx.x >> 6)", t -> t.id >> 6);
      case 11 -> new Code<>("(threadIdx.x & 31)", t -> t.id & 31);
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
