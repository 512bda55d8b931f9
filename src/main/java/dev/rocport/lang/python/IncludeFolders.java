package dev.rocport.lang.python;

import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Severity;
import dev.rocport.lang.python.syntax.Argument;
import dev.rocport.lang.python.syntax.Expr;
import dev.rocport.rules.Rule;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Leaves out include folders that lead to copies of libraries where a build is for ROCm. */
final class IncludeFolders {
  private final PythonWork w;
  private final Rule rule;
  private final RocmTexts texts;

  IncludeFolders(PythonWork w, Rule rule, RocmTexts texts) {
    this.w = w;
    this.rule = rule;
    this.texts = texts;
  }

  /** Looks at the folders in a list, also in several that {@code +} joins. */
  void list(Expr x, Scope scope) {
    if (w.copies() == CopiedFolders.NONE || !texts.isFirst(x)) {
      return;
    }
    switch (x) {
      case Expr.ListOf l -> items(l, l.items(), scope, "[", "]");
      case Expr.TupleOf t -> items(t, t.items(), scope, "(", ")");
      case Expr.Binary b when b.op().equals("+") -> {
        list(b.left(), scope);
        list(b.right(), scope);
      }
      case Expr.Conditional c when !PythonTree.asksPlatform(w.tree().text(c.condition())) -> {
        list(c.then(), scope);
        list(c.otherwise(), scope);
      }
      case Expr.Name n -> FlagLists.values(n, scope).forEach(v -> list(v.value(), v.scope()));
      default -> {}
    }
  }

  private void items(Expr list, List<Expr> items, Scope scope, String open, String close) {
    List<String> kept = new ArrayList<>();
    for (Expr x : items) {
      Optional<String> folder = folder(x, scope);
      if (folder.isEmpty() || !isLeftOut(x, folder.get())) {
        kept.add(texts.of(x));
      }
    }
    if (kept.size() < items.size()) {
      String comma = open.equals("(") && kept.size() == 1 ? "," : "";
      texts.done(list);
      w.gate(
          list,
          open + String.join(", ", kept) + comma + close,
          rule.id(),
          w.tree().text(list).lines().findFirst().orElse(""));
    }
  }

  /** Returns whether a folder is left out, and reports what becomes of it. */
  boolean isLeftOut(Expr x, String folder) {
    String path = w.file().path();
    Optional<CopiedFolders.Found> found =
        w.copies()
            .at(
                path.substring(0, path.lastIndexOf('/') + 1),
                folder,
                w.tree().text(x),
                new String(w.file().bytes(), StandardCharsets.ISO_8859_1));
    if (found.isEmpty()) {
      return false;
    }
    String message = found.get().message();
    switch (found.get().kind()) {
      case LEFT_OUT -> note(x, message);
      case STAYS -> w.review(x, rule.id(), message);
      case HIDES -> SetupPass.unported(w, rule, x, message);
    }
    return found.get().kind() == CopiedFolders.Kind.LEFT_OUT;
  }

  private void note(Expr x, String message) {
    if (w.allows(rule.id()) && !w.tree().isDecided(w.tree().at(x))) {
      w.changes()
          .finding(
              rule.id(),
              Severity.NOTE,
              Disposition.PORTED,
              x.start(),
              x.end(),
              message,
              rule.advice());
    }
  }

  /** Returns the folder that an expression names; a part that is not known begins with $. */
  private Optional<String> folder(Expr x, Scope scope) {
    Optional<String> known = w.tree().string(x, scope);
    if (known.isPresent()) {
      return known;
    }
    boolean join =
        x instanceof Expr.Call c
            && SetupPass.last(c.function()).equals("join")
            && c.arguments().stream().allMatch(Argument::isPositional);
    if (!join) {
      return Optional.empty();
    }
    List<String> parts = new ArrayList<>();
    for (Argument a : ((Expr.Call) x).arguments()) {
      Optional<String> part = w.tree().string(a.value(), scope);
      if (part.isEmpty() && !parts.isEmpty()) {
        return Optional.empty();
      }
      parts.add(part.orElse("$here"));
    }
    return Optional.of(String.join("/", parts));
  }
}
