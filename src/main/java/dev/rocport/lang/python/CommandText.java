package dev.rocport.lang.python;

import dev.rocport.commandline.NvccWords;
import dev.rocport.lang.python.syntax.Argument;
import dev.rocport.lang.python.syntax.Expr;
import dev.rocport.lang.python.syntax.Stmt;
import dev.rocport.rules.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An nvcc command in one string: for a shell, or split into words. */
final class CommandText {
  private static final Pattern STARTS = Pattern.compile("\\s*(?:\\S*/)?nvcc\\s.*", Pattern.DOTALL);
  private static final Pattern LITERAL =
      Pattern.compile("([fFuU]?)(\"|')((?:(?!\\2)[^\\\\\\n])*)\\2");
  private static final Set<String> HANDED_ON = Set.of("format", "split", "strip");

  private final PythonWork w;
  private final Rule rule;
  private final RocmTexts texts;

  CommandText(PythonWork w, Rule rule, RocmTexts texts) {
    this.w = w;
    this.rule = rule;
    this.texts = texts;
  }

  /** True for a string that is such a command by its text. */
  static boolean isCommand(String literal) {
    String text = literal.replaceFirst("^[fFrRuU]?[\"']+", "");
    return STARTS.matcher(text).matches() && text.contains(" -");
  }

  /** True for a string that begins with nvcc and is given to what starts commands. */
  static boolean isStarted(PythonWork w, Rule rule, Expr.Text t, At at) {
    if (!isCommand(w.tree().text(t))) {
      return false;
    }
    for (At up = at.parent(); up != null; up = up.parent()) {
      switch (up.node()) {
        case Expr.Binary b -> {}
        case Expr.Attribute f when HANDED_ON.contains(f.name()) -> {}
        case Expr.Call c when c.function() instanceof Expr.Attribute -> {}
        case Argument x -> {
          return up.parent() != null
              && up.parent().node() instanceof Expr.Call c
              && starts(w, rule, c, up.parent());
        }
        case Stmt.Assign s -> {
          return s.targets().getFirst() instanceof Expr.Name n && isStarted(w, rule, n.id());
        }
        default -> {
          return false;
        }
      }
    }
    return false;
  }

  private static boolean starts(PythonWork w, Rule rule, Expr.Call c, At at) {
    return rule.functions().contains(w.qualified(c.function(), at));
  }

  private static boolean isStarted(PythonWork w, Rule rule, String name) {
    return w.tree().all().stream()
        .anyMatch(
            a ->
                a.node() instanceof Expr.Call c
                    && !c.arguments().isEmpty()
                    && w.tree()
                        .text(c.arguments().getFirst().value())
                        .matches(name + "(\\.split\\(\\))?")
                    && starts(w, rule, c, a));
  }

  /** Translates the string, and those that it is put together with. */
  void port(Expr.Text t, At at) {
    At top = at;
    while (top.parent() != null
        && top.parent().node() instanceof Expr.Binary b
        && b.op().equals("+")) {
      top = top.parent();
    }
    List<Expr> parts = new ArrayList<>();
    parts((Expr) top.node(), parts);
    for (int i = 0; i < parts.size(); i++) {
      if (parts.get(i) instanceof Expr.Text part) {
        part(part, i > 0, i + 1 < parts.size());
      }
    }
  }

  private static void parts(Expr x, List<Expr> parts) {
    if (x instanceof Expr.Binary b && b.op().equals("+")) {
      parts(b.left(), parts);
      parts(b.right(), parts);
    } else {
      parts.add(x);
    }
  }

  private void part(Expr.Text t, boolean before, boolean after) {
    texts.done(t);
    String source = w.tree().text(t);
    Matcher m = LITERAL.matcher(source);
    if (!m.matches() || m.group(3).matches(".*[\"'\\\\`|&;<>].*")) {
      unported(
          t, "the command is not a plain string, or contains quotes, escapes or shell operators");
      return;
    }
    String text = m.group(3);
    List<int[]> places = new ArrayList<>();
    List<String> words = new ArrayList<>();
    Matcher word = Pattern.compile("\\S+").matcher(text);
    while (word.find()) {
      places.add(new int[] {word.start(), word.end()});
      words.add(word.group());
    }
    String formatted = filledBy(t);
    StringBuilder rocm = new StringBuilder(text);
    List<NvccWords.Change> changes = new ArrayList<>();
    for (int i = 0; i < words.size(); i++) {
      if (SetupNames.isProgram(words.get(i))) {
        String hipcc = words.get(i).replaceFirst("nvcc$", "hipcc");
        changes.add(new NvccWords.Change(i, 1, List.of(hipcc), false, "", ""));
      }
    }
    changes.addAll(NvccWords.changes(words));
    changes.sort((a, b) -> Integer.compare(b.first(), a.first()));
    for (NvccWords.Change c : changes) {
      int from = places.get(c.first())[0];
      int to = places.get(c.first() + c.count() - 1)[1];
      boolean last = c.first() + c.count() == words.size();
      boolean waits = last && words.getLast().startsWith("-") && words.getLast().indexOf('=') < 0;
      boolean open = (before && from == 0) || (after && (to == text.length() || waits));
      if (open || !c.problem().isEmpty()) {
        unported(
            t,
            words.get(c.first()) + (open ? " is not complete in this string" : ": " + c.problem()));
        return;
      }
      if (!c.note().isEmpty()) {
        w.review(t, rule.id(), words.get(c.first()) + " is left out on ROCm: " + c.note());
      }
      List<String> was = words.subList(c.first(), c.first() + c.count());
      String with =
          (String.join(" ", c.words()) + " " + fillers(was, c.words(), formatted)).strip();
      int end = with.isEmpty() && to < text.length() ? to + 1 : to;
      rocm.replace(from, end, with);
    }
    String now = rocm.toString();
    if (!now.equals(text)) {
      w.gate(t, m.group(1) + m.group(2) + now + m.group(2), rule.id(), "the nvcc command");
    }
  }

  /**
   * What takes the values of places that are gone, and shows nothing.
   *
   * @param by {@code %} or {@code format}, or empty for a string that is not filled
   */
  private static String fillers(List<String> was, List<String> now, String by) {
    Pattern place =
        Pattern.compile(by.equals("%") ? "%[-+0-9.]*[sdirxo]" : "\\{(![rs])?(:[^{}]*)?\\}");
    long gone = by.isEmpty() ? 0 : count(place, was) - count(place, now);
    return (by.equals("%") ? "%.0s" : "{!s:.0}").repeat((int) Math.max(0, gone));
  }

  private static long count(Pattern place, List<String> words) {
    return words.stream().mapToLong(x -> place.matcher(x).results().count()).sum();
  }

  /** How a string is filled. */
  private String filledBy(Expr.Text t) {
    for (At a = w.tree().at(t).parent(); a != null && a.node() instanceof Expr; a = a.parent()) {
      if (a.node() instanceof Expr.Binary b && b.op().equals("%")) {
        return "%";
      }
      if (a.node() instanceof Expr.Attribute f && f.name().equals("format")) {
        return "format";
      }
    }
    return "";
  }

  private void unported(Expr.Text t, String why) {
    SetupPass.unported(w, rule, t, "the command is not translated: " + why);
  }
}
