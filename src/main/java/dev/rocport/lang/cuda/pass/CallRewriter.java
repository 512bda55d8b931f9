package dev.rocport.lang.cuda.pass;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.edit.Piece;
import dev.rocport.core.result.Disposition;
import dev.rocport.lang.cuda.lex.Arguments;
import dev.rocport.lang.cuda.lex.Comments;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.names.CallPattern;
import dev.rocport.rules.ApiName;
import dev.rocport.rules.Confidence;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Applies a {@link CallPattern} to one call. */
public final class CallRewriter {
  private CallRewriter() {}

  /** True if the pattern writes another name than the API table's, so that the table must not. */
  public static boolean replacesName(CallPattern p) {
    return !p.rewrite().isEmpty() && !p.rewrite().getFirst().equals("$f");
  }

  /**
   * Rewrites the call whose name is at token {@code i}, if it fits.
   *
   * @return whether it fitted, rewritten or reported
   */
  public static boolean rewrite(CudaFile f, CallPattern p, int i, @Nullable ApiName name) {
    Tokens t = f.t;
    if (!t.is(i + 1, '(')
        || t.match(i + 1) < 0
        || !(p.rule().where().isEmpty() || t.mentions(p.rule().where()))) {
      return false;
    }
    List<Arguments.Span> arguments = Arguments.of(t, i + 1);
    boolean count =
        p.rest().isEmpty()
            ? arguments.size() == p.arguments().size()
            : arguments.size() >= p.arguments().size();
    if (!count || isDeclaration(t, i)) {
      return false;
    }
    Map<String, Arguments.Span> bound = new LinkedHashMap<>();
    for (int k = 0; k < p.arguments().size(); k++) {
      String want = p.arguments().get(k);
      Arguments.Span a = arguments.get(k);
      if (want.startsWith("$")) {
        bound.put(want, a);
      } else if (!t.text(a.first(), a.last()).equals(want)) {
        return false;
      }
    }
    boolean hasRest = arguments.size() > p.arguments().size();
    if (hasRest) {
      bound.put(
          p.rest(),
          new Arguments.Span(
              arguments.get(p.arguments().size()).first(), arguments.getLast().last()));
    }
    int close = t.match(i + 1);
    String rule = p.rule().id();
    if (p.rule().confidence() != Confidence.CERTAIN || p.rewrite().isEmpty()) {
      boolean edited = p.rule().confidence() == Confidence.LIKELY && !p.rewrite().isEmpty();
      f.changes.finding(
          rule,
          edited ? Disposition.PORTED : Disposition.REVIEW,
          t.start(i),
          t.end(close),
          p.rule().title());
      if (!edited) {
        return true;
      }
    }
    String shim = f.api.shim(rule);
    if (shim != null) {
      f.shims.add(shim);
    }
    if (isInOrder(p, bound)) {
      minimalEdits(f, p, i, close, bound, rule);
    } else {
      wholeEdit(f, p, i, close, bound, rule, name);
    }
    return true;
  }

  /** {@code type f(...)} declares; {@code return f(...)} calls. */
  public static boolean isDeclaration(Tokens t, int i) {
    return t.isIdentifier(i - 1)
        && !t.is(i - 1, "return")
        && !t.is(i - 1, "else")
        && !t.is(i - 1, "do")
        && !t.is(i - 1, "throw")
        && !t.is(i - 1, "case")
        && !t.is(i - 1, "co_return")
        && !t.inDirective(i)
        && t.text(i - 1).chars().anyMatch(Character::isLowerCase);
  }

  /** True if all arguments stay, in their order, so that only what is between them changes. */
  private static boolean isInOrder(CallPattern p, Map<String, Arguments.Span> bound) {
    List<String> holes =
        p.rewrite().stream()
            .filter(s -> s.startsWith("$") && !s.equals("$f"))
            .map(CallRewriter::hole)
            .filter(bound::containsKey)
            .toList();
    return holes.equals(List.copyOf(bound.keySet()));
  }

  private static String hole(String part) {
    return part.endsWith("...") ? part.substring(0, part.length() - 3) : part;
  }

  /**
   * A rewrite with the arguments of a call.
   *
   * @param texts between the arguments, one more than there are arguments
   */
  private record Filled(List<String> texts, List<Arguments.Span> spans) {
    static Filled of(CallPattern p, Map<String, Arguments.Span> bound) {
      List<String> texts = new ArrayList<>();
      List<Arguments.Span> spans = new ArrayList<>();
      StringBuilder text = new StringBuilder();
      for (String part : p.rewrite()) {
        Arguments.Span span = bound.get(hole(part));
        if (!part.startsWith("$")) {
          text.append(part);
        } else if (span != null) {
          texts.add(text.toString());
          text.setLength(0);
          spans.add(span);
        } else if (!part.equals("$f")) {
          dropComma(text); // the rest is empty
        }
      }
      texts.add(text.toString());
      return new Filled(texts, spans);
    }
  }

  /** Edits what differs between the arguments, which keep their order. */
  private static void minimalEdits(
      CudaFile f, CallPattern p, int i, int close, Map<String, Arguments.Span> bound, String rule) {
    Tokens t = f.t;
    List<String> between = Filled.of(p, bound).texts();
    int from = p.rewrite().contains("$f") ? t.end(i) : t.start(i);
    List<Arguments.Span> spans = List.copyOf(bound.values());
    boolean first = true;
    for (int k = 0; k < between.size(); k++) {
      int to = k < spans.size() ? t.start(spans.get(k).first()) : t.end(close);
      first = !gap(f, from, to, between.get(k), rule, k < spans.size(), first) && first;
      if (k < spans.size()) {
        from = t.end(spans.get(k).last());
      }
    }
  }

  private static void dropComma(StringBuilder text) {
    int end = text.length();
    while (end > 0 && (text.charAt(end - 1) == ' ' || text.charAt(end - 1) == ',')) {
      end--;
    }
    text.setLength(end);
  }

  /** Edits one gap so that its tokens become the wanted ones; comments and spaces stay. */
  private static boolean gap(
      CudaFile f, int from, int to, String want, String rule, boolean opens, boolean count) {
    String have = f.source.text(from, to);
    if (squeeze(have).equals(squeeze(want))) {
      return false;
    }
    int comma = squeeze(have).equals(",") ? want.strip().indexOf(',') : -1;
    if (comma >= 0 && want.strip().lastIndexOf(',') == comma) {
      // What is new goes to its side of the comma, so that a comment there stays.
      String before = want.strip().substring(0, comma);
      String behind = want.strip().substring(comma + 1).stripLeading();
      List<Edit> edits = new ArrayList<>();
      if (!before.isEmpty()) {
        edits.add(Edit.after(from, before, rule));
      }
      if (!behind.isEmpty()) {
        edits.add(Edit.before(to, behind, rule));
      }
      boolean counts = count;
      for (Edit e : edits) {
        if (counts) {
          f.changes.edit(e);
        } else {
          f.changes.alsoEdit(e);
        }
        counts = false;
      }
      return true;
    }
    int head = commonPrefix(have, want);
    int tail = commonSuffix(have, want, head);
    int start = from + head;
    int end = to - tail;
    String comments = Comments.of(have.substring(head, have.length() - tail));
    String text = want.substring(head, want.length() - tail) + comments;
    Edit edit =
        start == end
            ? (opens ? Edit.before(start, text, rule) : Edit.after(start, text, rule))
            : Edit.replace(start, end, text, rule);
    f.changes.dropInside(start, end);
    if (count) {
      f.changes.edit(edit);
    } else {
      f.changes.alsoEdit(edit);
    }
    return true;
  }

  private static String squeeze(String s) {
    return s.replaceAll("/\\*.*?\\*/", "").replaceAll("\\s+", "");
  }

  private static int commonPrefix(String a, String b) {
    int i = 0;
    while (i < a.length() && i < b.length() && a.charAt(i) == b.charAt(i)) {
      i++;
    }
    return i;
  }

  private static int commonSuffix(String a, String b, int head) {
    int i = 0;
    while (i < a.length() - head
        && i < b.length() - head
        && a.charAt(a.length() - 1 - i) == b.charAt(b.length() - 1 - i)) {
      i++;
    }
    return i;
  }

  /** An argument with the comments around it, up to its comma or bracket. */
  private static Piece.Moved moved(Tokens t, Arguments.Span a) {
    int from = t.start(a.first());
    int to = t.end(a.last());
    String before = t.file().text(t.end(a.first() - 1), from);
    String behind = t.file().text(to, t.start(a.last() + 1));
    if (!before.isBlank()) {
      from -= bytes(before.stripLeading());
    }
    if (!behind.isBlank()) {
      // A line comment needs its line end.
      to += bytes(behind.contains("//") ? behind : behind.stripTrailing());
    }
    return new Piece.Moved(from, to);
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  private static boolean isInside(Arguments.Span a, Arguments.@Nullable Span all) {
    return all != null && a.first() >= all.first() && a.last() <= all.last();
  }

  private static void wholeEdit(
      CudaFile f,
      CallPattern p,
      int i,
      int close,
      Map<String, Arguments.Span> bound,
      String rule,
      @Nullable ApiName name) {
    Tokens t = f.t;
    Filled filled = Filled.of(p, bound);
    List<Piece> pieces = new ArrayList<>();
    for (int k = 0; k < filled.spans().size(); k++) {
      pieces.add(new Piece.Text(filled.texts().get(k)));
      pieces.add(moved(t, filled.spans().get(k)));
    }
    pieces.add(new Piece.Text(filled.texts().getLast()));
    for (Arguments.Span a : Arguments.of(t, i + 1)) {
      Piece.Moved moved = moved(t, a);
      boolean inRest = p.rewrite().contains(p.rest() + "...") && !p.rest().isEmpty();
      if (!pieces.contains(moved) && !(inRest && isInside(a, bound.get(p.rest())))) {
        f.changes.dropInside(t.start(a.first()), t.end(a.last()));
      }
    }
    if (!p.rewrite().contains("$f")) {
      f.changes.edit(new Edit(t.start(i), t.end(close), pieces, Edit.Side.BEFORE, rule));
    } else {
      Objects.requireNonNull(name, () -> "rule " + rule + " keeps a name that no table has");
      f.changes.edit(new Edit(t.end(i), t.end(close), pieces, Edit.Side.BEFORE, rule));
    }
  }
}
