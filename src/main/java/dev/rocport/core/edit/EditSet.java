package dev.rocport.core.edit;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/**
 * The edits of one file, applied once, last. Edits may not overlap; the one exception is an edit
 * that moves original bytes ({@link Piece.Moved}): edits inside those bytes are applied to them.
 */
public final class EditSet {
  private final List<Edit> edits = new ArrayList<>();

  public void add(Edit edit) {
    edits.add(edit);
  }

  /**
   * Takes back the edits inside a stretch that is about to be dropped.
   *
   * @return the edits taken back
   */
  public List<Edit> removeInside(int start, int end) {
    List<Edit> inside =
        edits.stream()
            .filter(e -> e.start() >= start && e.end() <= end)
            .filter(e -> !e.isInsertion() || (e.start() > start && e.end() < end))
            .toList();
    edits.removeAll(inside);
    return inside;
  }

  /** The edits of some rules. */
  public EditSet only(Predicate<String> rules) {
    EditSet some = new EditSet();
    edits.stream().filter(e -> rules.test(e.rule())).forEach(some::add);
    return some;
  }

  public boolean isEmpty() {
    return edits.isEmpty();
  }

  public int size() {
    return edits.size();
  }

  /** The edits by place, containing ones before contained ones. */
  public List<Edit> sorted() {
    List<Integer> order = new ArrayList<>(edits.size());
    for (int i = 0; i < edits.size(); i++) {
      order.add(i);
    }
    order.sort(
        Comparator.<Integer>comparingInt(i -> edits.get(i).start())
            .thenComparing(i -> edits.get(i).isInsertion() ? 0 : 1)
            .thenComparing(i -> insertionRank(i))
            .thenComparing(i -> -edits.get(i).end()));
    return order.stream().map(edits::get).toList();
  }

  /** Closers in the order they came, then openers in reverse, so that wrappers nest. */
  private int insertionRank(int i) {
    Edit e = edits.get(i);
    if (!e.isInsertion()) {
      return 0;
    }
    return e.side() == Edit.Side.AFTER ? i - edits.size() : edits.size() - i;
  }

  /**
   * The new content.
   *
   * @throws OverlapException if two edits want the same bytes
   */
  public byte[] apply(byte[] original) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(original.length + original.length / 16);
    render(original, sorted(), 0, original.length, out);
    return out.toByteArray();
  }

  /**
   * The new content of a stretch.
   *
   * @param sorted the edits as {@link #sorted} gives them; none reaches out of the stretch
   */
  public static byte[] apply(byte[] original, List<Edit> sorted, int from, int to) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(2 * (to - from));
    render(original, sorted, from, to, out);
    return out.toByteArray();
  }

  private static void render(
      byte[] original, List<Edit> sorted, int from, int to, ByteArrayOutputStream out) {
    int at = from;
    int i = firstFrom(sorted, from);
    while (i < sorted.size()) {
      Edit e = sorted.get(i);
      if (e.start() > to
          || e.end() > to
          || (e.start() == to && to < original.length && !closes(e))) {
        break;
      }
      if (e.start() == from && from > 0 && e.isInsertion() && e.side() == Edit.Side.AFTER) {
        i++; // closes what is before this stretch
        continue;
      }
      out.write(original, at, e.start() - at);
      int next = i + 1;
      while (next < sorted.size() && sorted.get(next).start() < e.end()) {
        requireInside(e, sorted.get(next));
        next++;
      }
      for (Piece piece : e.pieces()) {
        switch (piece) {
          case Piece.Text(String text) -> out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
          case Piece.Moved(int start, int end) ->
              render(original, sorted.subList(i + 1, next), start, end, out);
        }
      }
      at = e.end();
      i = next;
    }
    out.write(original, at, to - at);
  }

  private static boolean closes(Edit e) {
    return e.isInsertion() && e.side() == Edit.Side.AFTER;
  }

  private static int firstFrom(List<Edit> sorted, int from) {
    int lo = 0;
    int hi = sorted.size();
    while (lo < hi) {
      int mid = (lo + hi) >>> 1;
      if (sorted.get(mid).start() < from) {
        lo = mid + 1;
      } else {
        hi = mid;
      }
    }
    return lo;
  }

  private static void requireInside(Edit outer, Edit inner) {
    for (Piece piece : outer.pieces()) {
      if (piece instanceof Piece.Moved(int start, int end)
          && inner.start() >= start
          && inner.end() <= end) {
        return;
      }
    }
    throw new OverlapException(outer, inner);
  }
}
