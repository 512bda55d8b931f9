package dev.rocport.lang.python;

import dev.rocport.lang.python.syntax.Argument;
import dev.rocport.lang.python.syntax.Expr;
import dev.rocport.rules.Rule;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Replaces the modes of {@code torch.compile} that capture graphs or benchmark kernels with {@code
 * default} on ROCm, however they are passed. The rule of {@code analysis: python-compile-mode}
 * names the modes, and the arguments of other functions that take one as {@code NAME:KEYWORD}.
 */
final class CompilePass {
  private static final Set<String> COMPILE = Set.of("torch.compile", "torch.compiler.compile");
  private static final String ROCM = "\"default\"";
  private static final String OPTIONS = "PY-COMPILE-OPTIONS";

  private final PythonWork w;
  private final SettingPass settings;
  private final String rule;
  private final List<String> modes = new ArrayList<>();
  private final Set<String> takers = new HashSet<>();

  /** Whether the file uses torch. */
  private final boolean torch;

  CompilePass(PythonWork w, SettingPass settings, Rule rule) {
    this.w = w;
    this.settings = settings;
    this.rule = rule.id();
    this.torch = w.tree().imports("torch");
    for (String f : rule.functions()) {
      if (f.indexOf(':') < 0) {
        modes.add(f);
      } else {
        takers.add(f);
      }
    }
  }

  void run() {
    for (At at : w.tree().all()) {
      if (at.node() instanceof Expr.Call c) {
        call(c, at);
      }
    }
  }

  private void call(Expr.Call c, At at) {
    String name = w.qualified(c.function(), at);
    boolean compiles =
        COMPILE.contains(name) || isPartial(c, name, at) || (torch && isMethod(c, name));
    if (compiles) {
      compile(c, at);
      return;
    }
    for (Argument a : c.arguments()) {
      String short0 = name.substring(name.lastIndexOf('.') + 1);
      if (takers.contains(name + ":" + a.name())
          || takers.contains("*:" + a.name())
          || (!short0.isEmpty() && takers.contains("*." + short0 + ":" + a.name()))) {
        mode(a.value(), at, false);
      }
    }
  }

  private boolean isPartial(Expr.Call c, String name, At at) {
    Argument first = PythonWork.positional(c, 0);
    return name.equals("functools.partial")
        && first != null
        && COMPILE.contains(w.qualified(first.value(), at));
  }

  /** {@code model.compile(mode=...)}: the method of a module, which passes its arguments on. */
  private boolean isMethod(Expr.Call c, String name) {
    return c.function() instanceof Expr.Attribute a
        && a.name().equals("compile")
        && (name.isEmpty() || !w.tree().imports(PythonProject.root(name)))
        && (PythonTree.keyword(c, "mode") != null
            || PythonTree.keyword(c, "options") != null
            || c.arguments().stream().anyMatch(this::spreadsMode));
  }

  private boolean spreadsMode(Argument a) {
    return a.name().equals("**")
        && a.value() instanceof Expr.Dict d
        && d.entries().stream()
            .flatMap(e -> e.key().stream())
            .flatMap(k -> PythonTree.literal(k).stream())
            .anyMatch(k -> k.equals("mode") || k.equals("options"));
  }

  private void compile(Expr.Call c, At at) {
    Argument backend = PythonTree.keyword(c, "backend");
    if (backend != null) {
      Optional<String> which = w.tree().string(backend.value(), at.scope());
      if (which.isPresent() && !which.get().equals("inductor")) {
        if (which.get().equals("cudagraphs")) {
          w.gate(backend.value(), "\"inductor\"", rule, "the cudagraphs backend");
        }
        return;
      }
    }
    Argument mode = PythonTree.keyword(c, "mode");
    Argument options = PythonTree.keyword(c, "options");
    if (mode != null) {
      mode(mode.value(), at, options != null);
    }
    if (options != null && !settings.options(options.value(), at)) {
      unseen(
          options.value(), "compile_options", OPTIONS, "a set of options that is not visible here");
    }
    for (Argument a : c.arguments()) {
      if (a.name().equals("**") && !arguments(a.value(), at)) {
        unseen(a.value(), "compile_arguments", rule, "a set of arguments that is not visible here");
      }
    }
  }

  private void mode(Expr x, At at, boolean hasOptions) {
    Expr known = w.tree().resolved(x, at.scope());
    if (known instanceof Expr.Constant || w.tree().isSetByPlatform(x, at.scope())) {
      return;
    }
    Optional<String> said = PythonTree.literal(known);
    if (said.isPresent()) {
      if (modes.contains(said.get())) {
        w.gate(x, ROCM, rule, "the mode " + said.get());
      }
    } else if (PythonWork.isSimple(x)) {
      w.gate(
          x,
          ROCM,
          w.tree().text(x) + " in " + tuple(),
          "",
          rule,
          "a mode that is not known statically");
    } else if (!hasOptions) {
      w.gate(x, ROCM, rule, "a mode that is not known statically");
    } else {
      w.review(
          x,
          rule,
          "the mode is not gated: torch.compile does not accept another mode together with"
              + " options");
    }
  }

  private String tuple() {
    return "(\"" + String.join("\", \"", modes) + "\")";
  }

  /** Arguments that are spread into the call; false if they are not seen. */
  private boolean arguments(Expr x, At at) {
    Expr known = w.tree().resolved(x, at.scope());
    if (known != x && !isUntouched(x, at)) {
      return false;
    }
    boolean all = true;
    if (known instanceof Expr.Dict d) {
      for (Expr.Entry e : d.entries()) {
        Optional<String> key = e.key().flatMap(PythonTree::literal);
        if (key.isPresent()) {
          argument(key.get(), e.value(), at);
        } else {
          all = false;
        }
      }
      return all;
    }
    if (known instanceof Expr.Call c && w.qualified(c.function(), at).equals("dict")) {
      for (Argument a : c.arguments()) {
        if (a.name().isEmpty() || a.name().equals("**")) {
          all = false;
        } else {
          argument(a.name(), a.value(), at);
        }
      }
      return all;
    }
    return false;
  }

  private void argument(String key, Expr value, At at) {
    if (key.equals("mode")) {
      mode(value, at, false);
    } else if (key.equals("options") && !settings.options(value, at)) {
      unseen(value, "compile_options", OPTIONS, "a set of options that is not visible here");
    }
  }

  /** True if a name is read only here and where it is set. */
  private boolean isUntouched(Expr x, At at) {
    return x instanceof Expr.Name n
        && w.tree().all().stream()
                .filter(a -> a.node() instanceof Expr.Name m && m.id().equals(n.id()))
                .filter(a -> a.scope() == at.scope() || a.node() != x)
                .count()
            == 2;
  }

  private void unseen(Expr x, String helper, String by, String what) {
    if (x instanceof Expr.Constant) {
      return;
    }
    w.gate(x, helper + "(" + w.tree().text(x) + ")", "", helper, by, what);
  }
}
