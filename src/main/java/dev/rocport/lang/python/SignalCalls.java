package dev.rocport.lang.python;

import dev.rocport.lang.ptx.find.Signal;
import dev.rocport.lang.python.syntax.Argument;
import dev.rocport.lang.python.syntax.Children;
import dev.rocport.lang.python.syntax.Expr;
import dev.rocport.lang.python.syntax.Node;
import dev.rocport.lang.python.syntax.Stmt;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes a kernel with a signal in inline PTX call a function of the module {@code _rocm_triton} on
 * ROCm.
 */
final class SignalCalls {
  private static final Set<String> JIT = Set.of("triton.jit", "triton.runtime.jit.jit");
  private static final int ARGUMENTS = 2;
  private static final int TYPE = 3;
  private static final int PACK = 5;

  private final PythonWork w;

  SignalCalls(PythonWork w) {
    this.w = w;
  }

  /**
   * Writes the gate around a call of {@code inline_asm_elementwise}.
   *
   * @return empty if done, else why it cannot be
   */
  String write(Expr.Call c, At at, Signal signal, String rule) {
    if (!w.qualified(c.function(), at).equals("triton.language.inline_asm_elementwise")
        || !isKernel(at)) {
      return "it is not in a function that triton.jit compiles";
    }
    Argument pack = argument(c, "pack", PACK);
    if (pack == null || !w.tree().text(pack.value()).equals("1")) {
      return "the template works on several elements at once";
    }
    Argument arguments = argument(c, "args", ARGUMENTS);
    List<Expr> given =
        switch (arguments == null ? null : arguments.value()) {
          case Expr.ListOf l -> l.items();
          case Expr.TupleOf t -> t.items();
          case null, default -> null;
        };
    if (given == null || given.stream().anyMatch(x -> !isPlain(x))) {
      return "its arguments are not written out in the call";
    }
    if (given.size() != signal.arguments().size()
        || given.size() != Set.copyOf(signal.arguments()).size()) {
      return "the template does not use every argument exactly once";
    }
    String cast = cast(c, at);
    if (cast == null) {
      return "its result is not a 32-bit integer";
    }
    // The word after rocport_ names the operation, as in atomicwrite_release_system_nomask.
    List<String> words = List.of(signal.symbol().split("_"));
    String function =
        switch (words.get(1)) {
          case "getthreadid" -> "rocm_get_tid";
          case "atomicwrite" -> "rocm_atomic_write";
          default -> "rocm_atomic_spin_wait";
        };
    List<String> parts = new ArrayList<>(arguments(signal, given, words));
    if (words.size() > 2) {
      parts.add("sem=\"" + words.get(2) + "\"");
      parts.add("scope=\"" + words.get(3) + "\"");
    }
    if (words.contains("while")) {
      parts.add("loop=\"" + words.get(5) + "\"");
    }
    String call = function + "(" + String.join(", ", parts) + ")" + cast;
    return w.gates().kernel(at, call, function, rule);
  }

  /** By position, or by name where the template has them in another order: none is moved. */
  private List<String> arguments(Signal signal, List<Expr> given, List<String> words) {
    List<Integer> order = signal.arguments();
    boolean ordered = order.equals(order.stream().sorted().toList());
    List<String> names =
        List.of("flag", words.get(1).equals("atomicwrite") ? "value" : "expected", "mask");
    List<String> parts = new ArrayList<>();
    for (int k = 0; k < given.size(); k++) {
      String name = ordered ? "" : names.get(order.indexOf(k)) + "=";
      parts.add(name + w.tree().text(given.get(k)));
    }
    return parts;
  }

  /** The conversion of the result to the requested type; null if that type is not 32 bits wide. */
  private @Nullable String cast(Expr.Call c, At at) {
    if (at.parent() != null && at.parent().node() instanceof Stmt.Expression) {
      return ""; // nobody looks at it
    }
    Argument type = argument(c, "dtype", TYPE);
    String name = type == null ? "" : w.qualified(type.value(), at);
    return switch (name) {
      case "triton.language.int32" -> "";
      case "triton.language.uint32" ->
          ".to(" + (type == null ? "" : w.tree().text(type.value())) + ", bitcast=True)";
      default -> null;
    };
  }

  private static @Nullable Argument argument(Expr.Call c, String name, int position) {
    Argument named = PythonTree.keyword(c, name);
    return named != null ? named : PythonWork.positional(c, position);
  }

  /** True for an expression that can be repeated in the text and binds no names. */
  static boolean isPlain(Node x) {
    return switch (x) {
      case Expr.Starred s -> false;
      case Expr.Walrus a -> false;
      case Expr.Yield y -> false;
      case Expr.Await a -> false;
      case Expr.Lambda l -> false;
      case Expr.Comprehension c -> false;
      default -> Children.of(x).stream().allMatch(SignalCalls::isPlain);
    };
  }

  private boolean isKernel(At at) {
    for (At a = at; a.parent() != null; a = a.parent()) {
      At around = a.parent();
      if (around.node() instanceof Stmt.Function f) {
        return f.body().contains(a.node())
            && f.decorators().stream()
                .map(d -> d instanceof Expr.Call c ? c.function() : d)
                .anyMatch(d -> JIT.contains(w.tree().qualified(d, around.scope())));
      }
    }
    return false;
  }
}
