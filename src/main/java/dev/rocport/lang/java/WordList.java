package dev.rocport.lang.java;

import com.github.javaparser.ast.Node;
import com.github.javaparser.ast.NodeList;
import com.github.javaparser.ast.body.VariableDeclarator;
import com.github.javaparser.ast.expr.ArrayCreationExpr;
import com.github.javaparser.ast.expr.ArrayInitializerExpr;
import com.github.javaparser.ast.expr.Expression;
import com.github.javaparser.ast.expr.FieldAccessExpr;
import com.github.javaparser.ast.expr.IntegerLiteralExpr;
import com.github.javaparser.ast.expr.MethodCallExpr;
import com.github.javaparser.ast.expr.ObjectCreationExpr;
import com.github.javaparser.ast.nodeTypes.NodeWithSimpleName;
import dev.rocport.commandline.NvccWords;
import dev.rocport.core.edit.Edit;
import dev.rocport.lang.ptx.find.PtxText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A sequence of words: elements of an array, or arguments of a call. */
final class WordList {
  /** Stands for a word that is known at run time only. */
  private static final String UNKNOWN = "\ufffc";

  private final JavaWork w;
  private final Node node;
  private final List<Expression> elements;
  private final List<Optional<JavaString>> strings = new ArrayList<>();
  private final List<String> words = new ArrayList<>();

  private WordList(JavaWork w, Node node, List<Expression> elements) {
    this.w = w;
    this.node = node;
    this.elements = elements;
    for (Expression e : elements) {
      Optional<JavaString> s = w.string(e);
      strings.add(s);
      words.add(s.map(JavaString::said).orElse(UNKNOWN));
    }
  }

  /** All lists of a file with a literal in them. */
  static List<WordList> of(JavaWork w) {
    List<WordList> lists = new ArrayList<>();
    w.tree()
        .unit()
        .walk(
            n -> {
              NodeList<Expression> elements =
                  switch (n) {
                    case ArrayInitializerExpr a -> a.getValues();
                    case ObjectCreationExpr o -> o.getArguments();
                    case MethodCallExpr c -> c.getArguments();
                    default -> new NodeList<>();
                  };
              if (!elements.isEmpty()) {
                WordList list = new WordList(w, n, List.copyOf(elements));
                if (list.strings.stream().anyMatch(Optional::isPresent)) {
                  lists.add(list);
                }
              }
            });
    return lists;
  }

  /** What the words say; a part that is known at run time only is {@link PtxText#HOLE}. */
  List<String> words() {
    return List.copyOf(words);
  }

  /** True for lists that hold nothing but texts. */
  boolean isTexts() {
    return strings.stream().allMatch(Optional::isPresent);
  }

  boolean isTaken() {
    return strings.stream().flatMap(Optional::stream).anyMatch(w::isTaken);
  }

  void take() {
    strings.stream().flatMap(Optional::stream).forEach(w::take);
  }

  Optional<JavaString> string(int i) {
    return strings.get(i);
  }

  int start(int i) {
    return w.tree().start(elements.get(i));
  }

  int end(int i) {
    return w.tree().end(elements.get(i));
  }

  int size() {
    return elements.size();
  }

  /** True if the list can grow and shrink: no number elsewhere holds its length. */
  boolean isFree() {
    if (node instanceof MethodCallExpr c) {
      return List.of("of", "asList").contains(c.getNameAsString());
    }
    if (node instanceof ObjectCreationExpr) {
      return true;
    }
    Node at = node;
    while (at.getParentNode().orElse(null) instanceof ArrayCreationExpr made) {
      at = made;
    }
    if (!(at.getParentNode().orElse(null) instanceof VariableDeclarator v)) {
      return !isCounted();
    }
    return isMeasured(v.getNameAsString()) && !isCounted();
  }

  /** True if code reads the length of a variable of this name. */
  private boolean isMeasured(String variable) {
    return w.tree().unit().findAll(FieldAccessExpr.class).stream()
        .filter(f -> f.getNameAsString().equals("length"))
        .anyMatch(
            f ->
                f.getScope() instanceof NodeWithSimpleName<?> n
                    && n.getNameAsString().equals(variable));
  }

  /** True if a call that compiles is given a number that is the list's length. */
  private boolean isCounted() {
    String length = String.valueOf(elements.size());
    return w.tree().unit().findAll(MethodCallExpr.class).stream()
        .filter(
            c ->
                c.getArguments().stream()
                    .anyMatch(
                        a -> a instanceof IntegerLiteralExpr i && i.getValue().equals(length)))
        .anyMatch(c -> w.tree().text(c).contains("ompileProgram"));
  }

  /** True if a change touches nothing but texts that are known. */
  boolean isSure(NvccWords.Change c) {
    if (!c.problem().isEmpty()) {
      return false;
    }
    for (int i = c.first(); i < c.first() + c.count(); i++) {
      if (strings.get(i).isEmpty()) {
        return false;
      }
    }
    return c.words().stream().noneMatch(word -> word.indexOf(PtxText.HOLE) >= 0);
  }

  /** Writes the replacement of some words; elements that are removed lose their comma, too. */
  void write(List<NvccWords.Change> changes, String rule) {
    boolean[] gone = new boolean[elements.size()];
    for (NvccWords.Change c : changes) {
      int last = c.first() + c.count() - 1;
      if (c.words().isEmpty()) {
        for (int i = c.first(); i <= last; i++) {
          gone[i] = true;
        }
      } else {
        StringBuilder text = new StringBuilder();
        for (String word : c.words()) {
          text.append(text.isEmpty() ? "" : ", ").append(quoted(word));
        }
        w.changes().edit(Edit.replace(start(c.first()), end(last), text.toString(), rule));
      }
    }
    for (int i = 0; i < gone.length; i++) {
      if (gone[i]) {
        int from = i;
        while (i + 1 < gone.length && gone[i + 1]) {
          i++;
        }
        drop(from, i, rule);
      }
    }
  }

  private void drop(int from, int to, String rule) {
    if (to + 1 < elements.size()) {
      w.changes().edit(Edit.delete(start(from), start(to + 1), rule));
    } else if (from > 0) {
      w.changes().edit(Edit.delete(end(from - 1), end(to), rule));
    } else {
      w.changes().edit(Edit.delete(start(from), end(to), rule));
    }
  }

  private static String quoted(String word) {
    return '"' + word.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
