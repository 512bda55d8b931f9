package dev.rocport.lang.python;

import dev.rocport.lang.python.syntax.Argument;
import dev.rocport.lang.python.syntax.Expr;
import dev.rocport.lang.python.syntax.Stmt;
import dev.rocport.rules.Rule;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Ports builds of PyTorch extensions. A rule of {@code analysis: python-extension} lists in {@code
 * functions} the calls that build one, whose nvcc flags and libraries are translated behind the
 * gate, and names and environment variables that are only reported.
 */
final class ExtensionPass {
  private static final String MODULE = "torch.utils.cpp_extension";
  private static final String CUDA_HOME = MODULE + ".CUDA_HOME";
  private static final String ROCM_HOME = MODULE + ".ROCM_HOME";
  private static final Pattern VERSION =
      Pattern.compile("nvcc[\"']\\s*,\\s*[\"'](-V|--version)[\"']");
  private static final Set<String> FLAGS = Set.of("extra_cuda_cflags", "extra_ldflags");
  private static final String COMPILE_ARGS = "extra_compile_args";

  private final PythonWork w;
  private final Rule rule;
  private final FlagLists lists;
  private final RocmTexts texts;
  private final Set<String> told = new HashSet<>();

  ExtensionPass(PythonWork w, Rule rule, FlagLists lists, RocmTexts texts) {
    this.w = w;
    this.rule = rule;
    this.lists = lists;
    this.texts = texts;
  }

  void run() {
    boolean builds = imports();
    for (At at : w.tree().all()) {
      switch (at.node()) {
        case Expr.Call c when isBuilder(c.function(), at) -> build(c, at);
        case Expr.Text t ->
            t.value()
                .filter(v -> v.indexOf('.') < 0 && names(v))
                .ifPresent(v -> tell(t, v, "ROCm builds do not read it"));
        case Expr x when builds && PythonWork.names(x, at) && isNoCall(at) -> {
          String name = w.qualified(x, at);
          boolean gated = name.equals(CUDA_HOME) && w.gates().hasTorch() && !asksVersion(at);
          if (gated && names(name)) {
            if (!w.tree().isDecided(at)) {
              texts.put(x, ROCM_HOME, rule.id());
            }
          } else if (names(name)) {
            tell(x, name, "it is None on ROCm");
          }
        }
        default -> {}
      }
    }
  }

  /** True in and below a condition for what asks nvcc for its version, which ROCm has none of. */
  private boolean asksVersion(At at) {
    for (At a = at; a != null; a = a.parent()) {
      if (a.node() instanceof Stmt.If i) {
        String text = w.tree().text(i);
        if (w.tree().all().stream()
            .anyMatch(
                f ->
                    f.node() instanceof Stmt.Function g
                        && VERSION.matcher(w.tree().text(g)).find()
                        && text.contains(g.name() + "("))) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean imports() {
    return w.tree().all().stream()
        .anyMatch(
            a ->
                switch (a.node()) {
                  case Stmt.ImportFrom f ->
                      f.module().equals(MODULE)
                          || (f.module().equals("torch.utils")
                              && f.names().stream()
                                  .anyMatch(n -> n.name().equals("cpp_extension")));
                  case Stmt.Import i -> i.names().stream().anyMatch(n -> n.name().equals(MODULE));
                  default -> false;
                });
  }

  private boolean names(String name) {
    return rule.functions().contains(name);
  }

  /** Also a variable that is one of several kinds of extension. */
  private boolean isBuilder(Expr function, At at) {
    return names(w.qualified(function, at))
        || (function instanceof Expr.Name n
            && FlagLists.values(n, at.scope()).stream()
                .anyMatch(v -> names(w.tree().qualified(v.value(), v.scope()))));
  }

  private static boolean isNoCall(At at) {
    return at.parent() == null
        || !(at.parent().node() instanceof Expr.Call c && c.function() == at.node());
  }

  /** Once for each name is enough. */
  private void tell(Expr x, String name, String why) {
    if (!name.endsWith("Extension") && !w.tree().isDecided(w.tree().at(x)) && told.add(name)) {
      w.review(x, rule.id(), name + " is used: " + why);
    }
  }

  private void build(Expr.Call c, At at) {
    for (Argument a : c.arguments()) {
      if (FLAGS.contains(a.name())) {
        lists.list(a.value(), at.scope(), FlagLists.Kind.FLAGS);
      } else if (a.name().equals("include_dirs") || a.name().equals("extra_include_paths")) {
        new IncludeFolders(w, rule, texts).list(a.value(), at.scope());
      } else if (a.name().equals("libraries")) {
        lists.list(a.value(), at.scope(), FlagLists.Kind.LIBRARIES);
      } else if (a.name().equals(COMPILE_ARGS)) {
        lists.compileArguments(a.value(), at.scope());
      } else if (a.name().equals("**")) {
        w.review(a, rule.id(), "the contents of " + w.tree().text(a) + " are not checked");
      }
    }
  }
}
