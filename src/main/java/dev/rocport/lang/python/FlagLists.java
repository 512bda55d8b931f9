package dev.rocport.lang.python;

import dev.rocport.commandline.NvccWords;
import dev.rocport.lang.python.syntax.Argument;
import dev.rocport.lang.python.syntax.Expr;
import dev.rocport.lang.python.syntax.Node;
import dev.rocport.lang.python.syntax.Stmt;
import dev.rocport.rules.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Translates lists of nvcc and linker arguments in Python builds to hipcc. */
final class FlagLists {
  private final PythonWork w;
  private final Rule rule;
  private final RocmTexts texts;

  /**
   * Lists of one file.
   *
   * @param texts the elements of the lists whose text differs on ROCm
   */
  FlagLists(PythonWork w, Rule rule, RocmTexts texts) {
    this.w = w;
    this.rule = rule;
    this.texts = texts;
  }

  /** What the words of a list are. */
  enum Kind {
    FLAGS,
    LIBRARIES,
    /** Flags of the host's linker. */
    LINK,
    /** A whole command: the first word is the program. */
    COMMAND
  }

  /** A dictionary whose entry {@code nvcc} is a list of flags. */
  void compileArguments(Expr x, Scope scope) {
    if (!texts.isFirst(x)) {
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

  /** What is added later to a list that a statement has set. */
  void more(Expr target, Scope scope) {
    for (At a : w.tree().all()) {
      if (a.node() instanceof Expr list && list != target && isSame(list, a, target, scope)) {
        more(list, a, Kind.FLAGS);
      }
    }
  }

  /** The same variable, or the same attribute by its text. */
  private boolean isSame(Expr a, At at, Expr b, Scope scope) {
    if (a instanceof Expr.Name x && b instanceof Expr.Name y) {
      return isSame(x, at.scope(), y, scope);
    }
    boolean attributes = a instanceof Expr.Attribute && b instanceof Expr.Attribute;
    return attributes && w.tree().text(a).equals(w.tree().text(b));
  }

  private boolean isSame(Expr.Name a, Scope as, Expr.Name b, Scope bs) {
    return a.id().equals(b.id()) && as.lookup(a.id()).equals(bs.lookup(b.id()));
  }

  static List<Scope.Value> values(Expr.Name n, Scope scope) {
    return scope.lookup(n.id()).stream()
        .filter(b -> b instanceof Scope.Value)
        .map(b -> (Scope.Value) b)
        .toList();
  }

  void list(Expr x, Scope scope, Kind kind) {
    if (!texts.isFirst(x)) {
      return;
    }
    switch (x) {
      case Expr.ListOf l -> words(l, l.items(), scope, kind);
      case Expr.TupleOf t -> words(t, t.items(), scope, kind);
      case Expr.Binary b when b.op().equals("+") && kind == Kind.COMMAND -> {
        list(b.left(), scope, kind);
        list(b.right(), scope, Kind.FLAGS);
      }
      case Expr.Binary b when b.op().equals("+") -> {
        list(b.left(), scope, kind);
        list(b.right(), scope, kind);
      }
      case Expr.Logical l -> l.operands().forEach(o -> list(o, scope, kind));
      case Expr.Conditional c when !PythonTree.asksPlatform(w.tree().text(c.condition())) -> {
        list(c.then(), scope, kind);
        list(c.otherwise(), scope, kind);
      }
      case Expr.Comprehension c
          when c.kind() == '[' && FlagWords.isForNvidia(c.items().getFirst(), w.tree()) ->
          gate(c, "[]");
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
            more(other, a, kind == Kind.COMMAND ? Kind.FLAGS : kind);
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

  /** A word that is known, or the text of an expression that is not. */
  private record Word(Expr at, Optional<String> text) {}

  private Word word(Expr x, Scope scope) {
    return new Word(x, x instanceof Expr.Text ? PythonTree.literal(x) : w.tree().string(x, scope));
  }

  /** Returns words without include folders of copies of libraries. */
  private List<Word> withoutCopies(List<Word> words, Kind kind) {
    if (w.copies() == CopiedFolders.NONE || kind == Kind.LIBRARIES) {
      return words;
    }
    IncludeFolders folders = new IncludeFolders(w, rule, texts);
    List<Word> kept = new ArrayList<>();
    for (int i = 0; i < words.size(); i++) {
      String flag = words.get(i).text().orElse("");
      boolean apart = flag.equals("-I") || flag.equals("-isystem");
      boolean known = apart && i + 1 < words.size() && words.get(i + 1).text().isPresent();
      String folder =
          known
              ? words.get(i + 1).text().get()
              : flag.startsWith("-I") ? flag.substring("-I".length()) : "";
      if (folder.isEmpty() || !folders.isLeftOut(words.get(i).at(), folder)) {
        kept.add(words.get(i));
      } else if (known) {
        i++;
      }
    }
    return kept;
  }

  private void words(Expr list, List<Expr> items, Scope scope, Kind kind) {
    List<Word> all = items.stream().map(x -> word(x, scope)).toList();
    List<Word> words = withoutCopies(all, kind);
    List<String> rocm = new ArrayList<>();
    List<NvccWords.Change> single = new ArrayList<>();
    List<Integer> singleAt = new ArrayList<>();
    boolean changed = words.size() < all.size();
    boolean whole = changed;
    int i = 0;
    if (kind == Kind.COMMAND && !words.isEmpty()) {
      rocm.add(texts.of(words.getFirst().at()));
      i++;
    }
    while (i < words.size()) {
      if (words.get(i).text().isEmpty()) {
        Expr x = words.get(i).at();
        if (x instanceof Expr.Starred s) {
          list(s.value(), scope, kind);
        } else if (FlagWords.isForNvidia(x, w.tree())) {
          changed = true;
          whole = true;
          i++;
          continue;
        }
        rocm.add(texts.of(x));
        i++;
        continue;
      }
      int end = i;
      while (end < words.size() && words.get(end).text().isPresent()) {
        end++;
      }
      List<String> run =
          words.subList(i, end).stream()
              .map(x -> FlagWords.spelled(x.text().orElseThrow(), kind))
              .toList();
      int size = run.size();
      if (end < words.size() && !(words.get(end).at() instanceof Expr.Starred)) {
        run = Stream.concat(run.stream(), Stream.of(FlagWords.UNKNOWN)).toList();
      }
      boolean taken = false;
      int at = 0;
      for (NvccWords.Change c : FlagWords.changes(run)) {
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
        c.words().forEach(x -> rocm.add(FlagWords.quoted(FlagWords.plain(x, kind))));
        changed = true;
        whole |= c.count() != 1 || c.words().size() != 1;
        single.add(c);
        singleAt.add(i + c.first());
        note(words.get(i + c.first()).at(), run.get(c.first()), c);
      }
      keep(words, Math.min(i + at, end), end, rocm);
      unknown(words.subList(i, end), run, kind);
      i = taken ? end + 1 : end;
    }
    if (!changed) {
      return;
    }
    if (!whole) {
      for (int k = 0; k < single.size(); k++) {
        Expr x = words.get(singleAt.get(k)).at();
        gate(x, FlagWords.quoted(FlagWords.plain(single.get(k).words().getFirst(), kind)));
      }
      return;
    }
    boolean tuple = list instanceof Expr.TupleOf;
    String comma = tuple && rocm.size() == 1 ? "," : "";
    gate(list, (tuple ? "(" : "[") + String.join(", ", rocm) + comma + (tuple ? ")" : "]"));
  }

  private void gate(Expr x, String rocm) {
    texts.done(x);
    w.gate(x, rocm, rule.id(), w.tree().text(x).lines().findFirst().orElse(""));
  }

  private void keep(List<Word> words, int from, int to, List<String> rocm) {
    words.subList(from, to).forEach(x -> rocm.add(texts.of(x.at())));
  }

  private void note(Expr x, String word, NvccWords.Change c) {
    if (!c.note().isEmpty()) {
      w.review(x, rule.id(), word + " is left out on ROCm: " + c.note());
    }
  }

  private void unknown(List<Word> words, List<String> run, Kind kind) {
    if (kind == Kind.FLAGS || kind == Kind.COMMAND) {
      List<NvccWords.Change> changes = FlagWords.changes(run);
      for (int i = 0; i < words.size(); i++) {
        int at = i;
        Word x = words.get(i);
        String said = x.text().orElseThrow();
        boolean known =
            changes.stream().anyMatch(c -> at >= c.first() && at < c.first() + c.count());
        if (!known && NvccWords.isUnknown(said)) {
          w.review(
              x.at(), rule.id(), said + " is not an nvcc flag: check whether hipcc supports it");
        }
      }
    }
  }

  /** {@code flags.append("--flag")}: what is one word stays an argument, else a statement. */
  private void append(Expr.Call c, Expr list, Expr given, At call, Kind kind) {
    if (!texts.isFirst(given)) {
      return;
    }
    Word word = word(given, call.scope());
    boolean drops = word.text().isEmpty() && FlagWords.isForNvidia(given, w.tree());
    if (word.text().isEmpty() && !drops) {
      return;
    }
    String said = FlagWords.spelled(word.text().orElse(""), kind);
    List<NvccWords.Change> changes = drops ? List.of() : FlagWords.changes(List.of(said));
    if (!drops) {
      unknown(List.of(word), List.of(said), kind);
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
    List<String> words =
        change.words().stream().map(x -> FlagWords.quoted(FlagWords.plain(x, kind))).toList();
    if (words.size() == 1) {
      gate(given, words.getFirst());
      return;
    }
    At statement = call.parent();
    if (statement == null || !(statement.node() instanceof Stmt.Expression)) {
      w.review(c, rule.id(), said + " is not translated: it is added inside an expression");
      return;
    }
    if (w.tree().isDecided(statement)) {
      return;
    }
    String more =
        words.stream().collect(Collectors.joining(", ", w.tree().text(list) + ".extend([", "])"));
    texts.done(statement.node());
    String why =
        w.gates().statement(statement, words.isEmpty() ? List.of() : List.of(more), rule.id());
    if (!why.isEmpty()) {
      w.review(c, rule.id(), said + " is not gated: " + why);
    }
  }
}
