package dev.rocport.lang.python;

import dev.rocport.core.result.Disposition;
import dev.rocport.lang.python.syntax.Argument;
import dev.rocport.lang.python.syntax.Expr;
import dev.rocport.lang.python.syntax.Stmt;
import dev.rocport.rules.Rule;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Ports Python builds that call nvcc or link CUDA libraries without PyTorch: setuptools with a
 * compiler patched for {@code .cu} files, and commands that the build runs. A rule of {@code
 * analysis: python-setup} lists in {@code functions} the calls that run a command.
 */
final class SetupPass {
  /** Names of variables that hold flags of nvcc. */
  private static final Pattern FLAGS =
      Pattern.compile("(?i)(?=.*(nvcc|cuda))(?=.*(flags|args|arguments|opts|options)).*");

  /** Words that only nvcc takes. */
  private static final Pattern OF_NVCC =
      Pattern.compile(
          "-?-(gencode|generate-code|arch=(sm_|native)|gpu-architecture|ptxas-options|Xptxas"
              + "|Xcompiler|Xlinker|Xfatbin|compiler-options|compiler-bindir|ccbin|rdc"
              + "|relocatable-device-code|use_fast_math|expt-|extended-lambda|maxrregcount"
              + "|default-stream|lineinfo|cudart|device-c|dc|dlink).*");

  private static final Set<String> QUERIES = Set.of("-V", "--version");

  private final PythonWork w;
  private final Rule rule;
  private final RocmTexts texts;
  private final FlagLists lists;

  SetupPass(PythonWork w, Rule rule, RocmTexts texts, FlagLists lists) {
    this.w = w;
    this.rule = rule;
    this.texts = texts;
    this.lists = lists;
  }

  /** True for a file that is a build, or starts nvcc. */
  static boolean isBuild(PythonTree tree) {
    return List.of("setuptools", "distutils", "skbuild", "pybind11", "Cython").stream()
            .anyMatch(tree::imports)
        || (tree.imports("subprocess") && tree.all().stream().anyMatch(SetupPass::isNvccText))
        || tree.all().stream()
            .anyMatch(
                a ->
                    a.node() instanceof Expr.Text t
                        && (startsNvcc(t, a)
                            || (CommandText.isCommand(tree.text(t))
                                && !(a.statement().node() instanceof Stmt.Expression e
                                    && e.value() == t))));
  }

  private static boolean isOfTorch(PythonTree tree) {
    return tree.body().stream().anyMatch(s -> tree.text(s).contains("cpp_extension"));
  }

  /** The program as a string, but not as a name of the project's own. */
  private static boolean isNvccText(At at) {
    return at.node() instanceof Expr.Text t
        && t.value().filter(SetupNames::isProgram).isPresent()
        && at.parent() != null
        && (at.parent().node() instanceof Argument || at.parent().node() instanceof Expr.ListOf);
  }

  /** The first word of a list of words: a command. */
  private static boolean startsNvcc(Expr.Text t, At at) {
    return t.value().filter(SetupNames::isProgram).isPresent()
        && at.parent() != null
        && at.parent().node() instanceof Expr.ListOf l
        && l.items().size() > 1
        && l.items().getFirst() == t;
  }

  private boolean concerns() {
    return isBuild(w.tree()) || isOfTorch(w.tree());
  }

  /** Must be called before any list is checked. */
  void collect() {
    if (concerns()) {
      new SetupNames(w.tree(), texts, rule.id()).collect();
    }
  }

  void run() {
    if (!concerns()) {
      return;
    }
    for (At at : w.tree().all()) {
      switch (at.node()) {
        case Expr.ListOf l when isCommand(l, at) -> command(l, at);
        case Expr.ListOf l when isForNvcc(l) -> lists.list(l, at.scope(), FlagLists.Kind.FLAGS);
        case Expr.Text t when !texts.isDone(t) && CommandText.isStarted(w, rule, t, at) ->
            new CommandText(w, rule, texts).port(t, at);
        case Expr.Call c when last(c.function()).endsWith("Extension") -> extension(c, at);
        case Stmt.Assign s
            when s.value().isPresent()
                && s.targets().size() == 1
                && FLAGS.matcher(last(s.targets().getFirst())).matches() -> {
          lists.list(s.value().get(), at.scope(), FlagLists.Kind.FLAGS);
          flags(s.value().get());
        }
        default -> {}
      }
    }
  }

  /** Flags in one string, also as the default value of a variable. */
  private void flags(Expr x) {
    switch (x) {
      case Expr.Text t when w.tree().text(t).matches("[\"']\\s*-.*") ->
          new CommandText(w, rule, texts).port(t, w.tree().at(t));
      case Expr.Call c when c.function() instanceof Expr.Attribute f -> {
        if (f.name().equals("split") && c.arguments().isEmpty()) {
          flags(f.base());
        } else if (f.name().equals("split") || SetupNames.reads(f)) {
          c.arguments().stream()
              .skip(f.name().equals("split") ? 0 : 1)
              .forEach(a -> flags(a.value()));
        }
      }
      case Expr.Logical l -> l.operands().forEach(this::flags);
      default -> {}
    }
  }

  // ---- commands

  private boolean isCommand(Expr.ListOf l, At at) {
    if (l.items().size() < 2 || !namesNvcc(l.items().getFirst(), at.scope())) {
      return false;
    }
    boolean flags =
        l.items().stream()
            .anyMatch(
                x -> x instanceof Expr.Text && w.tree().text(x).matches("[fFrRbB]*['\"]+-.*"));
    return flags || isGivenToCommand(at);
  }

  private boolean isGivenToCommand(At at) {
    At up = at.parent();
    return up != null
        && up.node() instanceof Argument
        && up.parent() != null
        && up.parent().node() instanceof Expr.Call c
        && rule.functions().contains(w.qualified(c.function(), up.parent()));
  }

  private boolean namesNvcc(Expr x, Scope scope) {
    return switch (x) {
      case Expr.Text t -> t.value().filter(SetupNames::isProgram).isPresent();
      case Expr.Starred s -> false;
      case Expr.Name n ->
          isNvcc(n.id())
              || (w.tree().resolved(n, scope) != n
                  && namesNvcc(w.tree().resolved(n, scope), scope));
      default -> isNvcc(w.tree().text(x));
    };
  }

  private static boolean isNvcc(String text) {
    return text.toLowerCase(java.util.Locale.ROOT).contains("nvcc");
  }

  private void command(Expr.ListOf l, At at) {
    boolean query =
        l.items().stream()
            .anyMatch(x -> PythonTree.literal(x).filter(QUERIES::contains).isPresent());
    if (query) {
      // Code that queries the version parses the output of nvcc.
      String program = texts.of(l.items().getFirst());
      texts.done(l);
      w.gate(l, "[" + program + ", \"--version\"]", rule.id(), w.tree().text(l));
      w.review(
          l,
          rule.id(),
          "hipcc prints its version in a different format from nvcc: check the code that reads it");
      return;
    }
    At whole = at;
    while (whole.parent() != null
        && whole.parent().node() instanceof Expr.Binary b
        && b.op().equals("+")) {
      whole = whole.parent();
    }
    if (whole.node() instanceof Expr x) {
      lists.list(x, at.scope(), FlagLists.Kind.COMMAND);
    }
    if (whole.parent() != null
        && whole.parent().node() instanceof Stmt.Assign s
        && s.targets().size() == 1) {
      lists.more(s.targets().getFirst(), whole.parent().scope());
    }
  }

  // ---- extensions

  private void extension(Expr.Call c, At at) {
    for (Argument a : c.arguments()) {
      switch (a.name()) {
        case "include_dirs" -> new IncludeFolders(w, rule, texts).list(a.value(), at.scope());
        case "libraries" -> lists.list(a.value(), at.scope(), FlagLists.Kind.LIBRARIES);
        case "extra_link_args" -> lists.list(a.value(), at.scope(), FlagLists.Kind.LINK);
        case "extra_compile_args" -> {
          lists.compileArguments(a.value(), at.scope());
          if (a.value() instanceof Expr.ListOf l && isForNvcc(l)) {
            lists.list(l, at.scope(), FlagLists.Kind.FLAGS);
          }
        }
        default -> {}
      }
    }
  }

  private static boolean isForNvcc(Expr.ListOf l) {
    return l.items().stream()
        .anyMatch(x -> PythonTree.literal(x).filter(v -> OF_NVCC.matcher(v).matches()).isPresent());
  }

  static String last(Expr x) {
    return switch (x) {
      case Expr.Name n -> n.id();
      case Expr.Attribute a -> a.name();
      default -> "";
    };
  }

  /** An error: what is there would not build. */
  static void unported(PythonWork w, Rule rule, Expr x, String message) {
    if (w.allows(rule.id()) && !w.tree().isDecided(w.tree().at(x))) {
      w.changes().finding(rule.id(), Disposition.UNPORTED, x.start(), x.end(), message);
    }
  }
}
