package dev.rocport.python;

import dev.rocport.nvcc.NvccWords;
import dev.rocport.python.syntax.Argument;
import dev.rocport.python.syntax.Expr;
import dev.rocport.python.syntax.Node;
import dev.rocport.python.syntax.Stmt;
import dev.rocport.rules.Rule;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Builds of PyTorch's extensions. A rule of {@code analysis: python-extension} names in {@code
 * functions} what builds one, whose flags for nvcc and libraries are translated behind the gate,
 * and names and variables of the environment that are only told of.
 */
final class ExtensionPass {
  private static final String MODULE = "torch.utils.cpp_extension";
  private static final Set<String> FLAGS = Set.of("extra_cuda_cflags", "extra_ldflags");
  private static final String COMPILE_ARGS = "extra_compile_args";

  private final PythonWork w;
  private final Rule rule;
  private final Set<Node> seen = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Set<String> told = new HashSet<>();

  ExtensionPass(PythonWork w, Rule rule) {
    this.w = w;
    this.rule = rule;
  }

  /** What the words of a list are. */
  private enum Kind {
    FLAGS,
    LIBRARIES
  }

  void run() {
    boolean builds = imports();
    for (At at : w.tree().all()) {
      switch (at.node()) {
        case Expr.Call c when isBuilder(c.function(), at) -> build(c, at);
        case Expr.Text t ->
            t.value()
                .filter(v -> v.indexOf('.') < 0 && names(v))
                .ifPresent(v -> tell(t, v, "ROCm's builds do not read it"));
        case Expr x when builds && w.names(x, at) && isNoCall(at) -> {
          String name = w.qualified(x, at);
          if (names(name)) {
            tell(x, name, "it is None on ROCm");
          }
        }
        default -> {}
      }
    }
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
            && values(n, at.scope()).stream()
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
        list(a.value(), at.scope(), Kind.FLAGS);
      } else if (a.name().equals("libraries")) {
        list(a.value(), at.scope(), Kind.LIBRARIES);
      } else if (a.name().equals(COMPILE_ARGS)) {
        compileArguments(a.value(), at.scope());
      } else if (a.name().equals("**")) {
        w.review(a, rule.id(), "what " + w.tree().text(a) + " holds is not looked at");
      }
    }
  }

  // ---- where the words come from

  /** A dictionary whose entry {@code nvcc} is a list of flags. */
  private void compileArguments(Expr x, Scope scope) {
    if (!seen.add(x)) {
      return;
    }
    switch (x) {
      case Expr.Dict d -> {
        for (Expr.Entry e : d.entries()) {
          if (e.key().flatMap(PythonTree::literal).filter("nvcc"::equals).isPresent()) {
            list(e.value(), scope, Kind.FLAGS);
          }
        }
      }
      case Expr.Call c when w.tree().qualified(c.function(), scope).equals("dict") -> {
        Argument nvcc = PythonTree.keyword(c, "nvcc");
        if (nvcc != null) {
          list(nvcc.value(), scope, Kind.FLAGS);
        }
      }
      case Expr.Conditional c when !PythonTree.asksPlatform(w.tree().text(c.condition())) -> {
        compileArguments(c.then(), scope);
        compileArguments(c.otherwise(), scope);
      }
      case Expr.Name n -> {
        values(n, scope).forEach(v -> compileArguments(v.value(), v.scope()));
        entries(n, scope);
      }
      default -> {}
    }
  }

  /** {@code arguments["nvcc"] = [...]} and what is added to it. */
  private void entries(Expr.Name dictionary, Scope scope) {
    for (At a : w.tree().all()) {
      if (a.node() instanceof Expr.Subscript s
          && s.base() instanceof Expr.Name n
          && isSame(n, a.scope(), dictionary, scope)
          && PythonTree.literal(s.index()).filter("nvcc"::equals).isPresent()) {
        more(s, a, Kind.FLAGS);
      }
    }
  }

  /** What a statement does to a list that it names. */
  private void more(Expr list, At at, Kind kind) {
    At parent = at.parent();
    if (parent == null) {
      return;
    }
    if (parent.node() instanceof Stmt.Assign s
        && s.targets().contains(list)
        && s.value().isPresent()) {
      list(s.value().get(), parent.scope(), kind);
    } else if (parent.node() instanceof Expr.Attribute f
        && parent.parent() != null
        && parent.parent().node() instanceof Expr.Call c
        && c.function() == f
        && c.arguments().size() == 1) {
      Expr given = c.arguments().getFirst().value();
      switch (f.name()) {
        case "extend" -> list(given, at.scope(), kind);
        case "append" -> append(c, list, given, parent.parent(), kind);
        default -> {}
      }
    }
  }

  private boolean isSame(Expr.Name a, Scope as, Expr.Name b, Scope bs) {
    return a.id().equals(b.id()) && as.lookup(a.id()).equals(bs.lookup(b.id()));
  }

  private List<Scope.Value> values(Expr.Name n, Scope scope) {
    return scope.lookup(n.id()).stream()
        .filter(b -> b instanceof Scope.Value)
        .map(b -> (Scope.Value) b)
        .toList();
  }

  private void list(Expr x, Scope scope, Kind kind) {
    if (!seen.add(x)) {
      return;
    }
    switch (x) {
      case Expr.ListOf l -> words(l, l.items(), scope, kind);
      case Expr.TupleOf t -> words(t, t.items(), scope, kind);
      case Expr.Binary b when b.op().equals("+") -> {
        list(b.left(), scope, kind);
        list(b.right(), scope, kind);
      }
      case Expr.Logical l -> l.operands().forEach(o -> list(o, scope, kind));
      case Expr.Conditional c when !PythonTree.asksPlatform(w.tree().text(c.condition())) -> {
        list(c.then(), scope, kind);
        list(c.otherwise(), scope, kind);
      }
      case Expr.Call c -> {
        // list(flags), with_threads(flags): what goes in comes out.
        c.arguments().stream()
            .filter(a -> a.isPositional() && !(a.value() instanceof Expr.Text))
            .forEach(a -> list(a.value(), scope, kind));
        if (c.function() instanceof Expr.Name n) {
          scope.lookup(n.id()).forEach(b -> returned(b.at(), kind));
        }
      }
      case Expr.Name n -> {
        values(n, scope).forEach(v -> list(v.value(), v.scope(), kind));
        for (At a : w.tree().all()) {
          if (a.node() instanceof Expr.Name other && isSame(other, a.scope(), n, scope)) {
            more(other, a, kind);
          }
        }
      }
      default -> {}
    }
  }

  /** What a function of the file gives back. */
  private void returned(Node function, Kind kind) {
    for (At a : w.tree().all()) {
      if (a.node() instanceof Stmt.Keyword k && k.word().equals("return")) {
        At in = a.parent();
        while (in != null && !(in.node() instanceof Stmt.Function)) {
          in = in.parent();
        }
        if (in != null && in.node() == function) {
          k.values().forEach(v -> list(v, a.scope(), kind));
        }
      }
    }
  }

  // ---- words

  /** Stands for a word that is not known, where it may be the value of the flag before it. */
  private static final String UNKNOWN = "0";

  /** A word that is known, or the text of an expression that is not. */
  private record Word(Expr at, Optional<String> text) {}

  private Word word(Expr x, Scope scope) {
    return new Word(x, x instanceof Expr.Text ? PythonTree.literal(x) : w.tree().string(x, scope));
  }

  private void words(Expr list, List<Expr> items, Scope scope, Kind kind) {
    List<Word> words = items.stream().map(x -> word(x, scope)).toList();
    List<String> rocm = new ArrayList<>();
    List<NvccWords.Change> single = new ArrayList<>();
    List<Integer> singleAt = new ArrayList<>();
    boolean changed = false;
    boolean whole = false;
    int i = 0;
    while (i < words.size()) {
      if (words.get(i).text().isEmpty()) {
        Expr x = words.get(i).at();
        if (x instanceof Expr.Starred s) {
          list(s.value(), scope, kind);
        } else if (x instanceof Expr.Text t && isForNvidia(t)) {
          changed = true;
          whole = true;
          i++;
          continue;
        }
        rocm.add(w.tree().text(x));
        i++;
        continue;
      }
      int end = i;
      while (end < words.size() && words.get(end).text().isPresent()) {
        end++;
      }
      List<String> run =
          words.subList(i, end).stream().map(x -> spelled(x.text().orElseThrow(), kind)).toList();
      int size = run.size();
      if (end < words.size() && !(words.get(end).at() instanceof Expr.Starred)) {
        run = Stream.concat(run.stream(), Stream.of(UNKNOWN)).toList();
      }
      boolean taken = false;
      int at = 0;
      for (NvccWords.Change c : changes(run)) {
        if (c.first() + c.count() > size && !c.words().isEmpty()) {
          w.review(
              words.get(i + c.first()).at(),
              rule.id(),
              run.get(c.first()) + " is not translated: its value is not known here");
          continue;
        }
        taken |= c.first() + c.count() > size;
        if (!c.problem().isEmpty()) {
          w.review(
              words.get(i + c.first()).at(),
              rule.id(),
              run.get(c.first()) + " is not translated: " + c.problem());
          continue;
        }
        keep(words, i + at, i + c.first(), rocm);
        at = c.first() + c.count();
        c.words().forEach(x -> rocm.add(quoted(plain(x, kind))));
        changed = true;
        whole |= c.count() != 1 || c.words().size() != 1;
        single.add(c);
        singleAt.add(i + c.first());
        note(words.get(i + c.first()).at(), run.get(c.first()), c);
      }
      keep(words, Math.min(i + at, end), end, rocm);
      unknown(words.subList(i, end), kind);
      i = taken ? end + 1 : end;
    }
    if (!changed) {
      return;
    }
    if (!whole) {
      for (int k = 0; k < single.size(); k++) {
        Expr x = words.get(singleAt.get(k)).at();
        gate(x, quoted(plain(single.get(k).words().getFirst(), kind)));
      }
      return;
    }
    boolean tuple = list instanceof Expr.TupleOf;
    String comma = tuple && rocm.size() == 1 ? "," : "";
    gate(list, (tuple ? "(" : "[") + String.join(", ", rocm) + comma + (tuple ? ")" : "]"));
  }

  private void gate(Expr x, String rocm) {
    w.gate(x, rocm, rule.id(), w.tree().text(x).lines().findFirst().orElse(""));
  }

  private void keep(List<Word> words, int from, int to, List<String> rocm) {
    words.subList(from, to).forEach(x -> rocm.add(w.tree().text(x.at())));
  }

  /** The changes, and the values of {@code -gencode} that stand alone. */
  private static List<NvccWords.Change> changes(List<String> run) {
    List<NvccWords.Change> changes = new ArrayList<>();
    int done = 0;
    List<NvccWords.Change> known = NvccWords.changes(run);
    for (int i = 0; i < run.size(); i++) {
      int at = i;
      Optional<NvccWords.Change> change = known.stream().filter(c -> c.first() == at).findFirst();
      if (change.isPresent()) {
        changes.add(change.get());
        done = i + change.get().count();
      } else if (i >= done && run.get(i).startsWith("arch=compute_")) {
        changes.add(new NvccWords.Change(i, 1, List.of(), true, "", ""));
      }
    }
    return changes;
  }

  /** An f-string that names an NVIDIA GPU or a setting of nvcc's alone. */
  private boolean isForNvidia(Expr.Text t) {
    String text = w.tree().text(t);
    int quote = Math.max(text.indexOf('"'), text.indexOf('\''));
    if (quote < 0 || t.parts().isEmpty()) {
      return false;
    }
    String said =
        text.substring(quote + 1, text.length() - 1).replaceAll("\\{[^{}]*\\}", "0").strip();
    List<NvccWords.Change> changes = changes(List.of(said));
    return changes.size() == 1
        && changes.getFirst().words().isEmpty()
        && changes.getFirst().problem().isEmpty();
  }

  private static String spelled(String word, Kind kind) {
    return kind == Kind.LIBRARIES ? "-l" + word : word;
  }

  private static String plain(String word, Kind kind) {
    return kind == Kind.LIBRARIES && word.startsWith("-l") ? word.substring(2) : word;
  }

  private void note(Expr x, String word, NvccWords.Change c) {
    if (!c.note().isEmpty()) {
      w.review(x, rule.id(), word + " is left out on ROCm: " + c.note());
    }
  }

  private void unknown(List<Word> words, Kind kind) {
    if (kind == Kind.FLAGS) {
      for (Word x : words) {
        String said = x.text().orElseThrow();
        if (NvccWords.isUnknown(said)) {
          w.review(x.at(), rule.id(), said + " is no flag of nvcc: look whether hipcc knows it");
        }
      }
    }
  }

  private static String quoted(String word) {
    return "\"" + word.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
  }

  /** {@code flags.append("--flag")}: what is one word stays an argument, else a statement. */
  private void append(Expr.Call c, Expr list, Expr given, At call, Kind kind) {
    if (!seen.add(given)) {
      return;
    }
    Word word = word(given, call.scope());
    boolean drops = given instanceof Expr.Text t && word.text().isEmpty() && isForNvidia(t);
    if (word.text().isEmpty() && !drops) {
      return;
    }
    String said = spelled(word.text().orElse(""), kind);
    List<NvccWords.Change> changes = drops ? List.of() : changes(List.of(said));
    if (!drops) {
      unknown(List.of(word), kind);
    }
    if (changes.isEmpty() && !drops) {
      return;
    }
    NvccWords.Change change =
        drops ? new NvccWords.Change(0, 1, List.of(), true, "", "") : changes.getFirst();
    if (!change.problem().isEmpty()) {
      w.review(given, rule.id(), said + " is not translated: " + change.problem());
      return;
    }
    note(given, said, change);
    List<String> words = change.words().stream().map(x -> quoted(plain(x, kind))).toList();
    if (words.size() == 1) {
      gate(given, words.getFirst());
      return;
    }
    At statement = call.parent();
    if (statement == null || !(statement.node() instanceof Stmt.Expression)) {
      w.review(c, rule.id(), said + " is not translated: it is added inside of an expression");
      return;
    }
    if (w.tree().isDecided(statement)) {
      return;
    }
    String more =
        words.stream().collect(Collectors.joining(", ", w.tree().text(list) + ".extend([", "])"));
    String why =
        w.gates().statement(statement, words.isEmpty() ? List.of() : List.of(more), rule.id());
    if (!why.isEmpty()) {
      w.review(c, rule.id(), said + " is not gated: " + why);
    }
  }
}
