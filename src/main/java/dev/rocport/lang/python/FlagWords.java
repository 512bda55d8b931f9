package dev.rocport.lang.python;

import dev.rocport.commandline.NvccWords;
import dev.rocport.lang.python.syntax.Expr;
import java.util.ArrayList;
import java.util.List;

/** Translates words of nvcc and linker arguments, in the spelling of their list. */
final class FlagWords {
  private FlagWords() {}

  /** Stands for a word that is not known, where it may be the value of the flag before it. */
  static final String UNKNOWN = "0";

  /** The changes, and the values of {@code -gencode} that are alone. */
  static List<NvccWords.Change> changes(List<String> run) {
    List<NvccWords.Change> changes = new ArrayList<>();
    int done = 0;
    List<NvccWords.Change> known = NvccWords.changes(run);
    int next = 0;
    for (int i = 0; i < run.size(); i++) {
      if (next < known.size() && known.get(next).first() == i) {
        NvccWords.Change change = known.get(next++);
        changes.add(change);
        done = i + change.count();
      } else if (i >= done && run.get(i).startsWith("arch=compute_")) {
        changes.add(new NvccWords.Change(i, 1, List.of(), true, "", ""));
      }
    }
    return changes;
  }

  /** A word with a value put in that names an NVIDIA GPU or a setting of nvcc's alone. */
  static boolean isForNvidia(Expr x, PythonTree tree) {
    String said =
        switch (x) {
          case Expr.Text t when !t.parts().isEmpty() -> filled(tree.text(t));
          case Expr.Binary b when b.op().equals("%") && b.left() instanceof Expr.Text t ->
              filled(tree.text(t));
          case Expr.Binary b when b.op().equals("+") && b.left() instanceof Expr.Text t ->
              filled(tree.text(t)) + UNKNOWN;
          case Expr.Call c
              when c.function() instanceof Expr.Attribute a
                  && a.name().equals("format")
                  && a.base() instanceof Expr.Text t ->
              filled(tree.text(t));
          default -> "";
        };
    if (said.isEmpty()) {
      return false;
    }
    List<NvccWords.Change> changes = changes(List.of(said));
    return changes.size() == 1
        && changes.getFirst().words().isEmpty()
        && changes.getFirst().problem().isEmpty();
  }

  /** The text of a string, with a placeholder for each unknown value. */
  private static String filled(String text) {
    String said = text.replaceFirst("^[fFrRuUbB]*[\"']", "");
    return said.substring(0, Math.max(0, said.length() - 1))
        .replaceAll("\\{[^{}]*\\}|%[sdr]", UNKNOWN)
        .strip();
  }

  static String spelled(String word, FlagLists.Kind kind) {
    return kind == FlagLists.Kind.LIBRARIES ? "-l" + word : word;
  }

  static String plain(String word, FlagLists.Kind kind) {
    return kind == FlagLists.Kind.LIBRARIES && word.startsWith("-l") ? word.substring(2) : word;
  }

  static String quoted(String word) {
    return "\"" + word.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
  }
}
