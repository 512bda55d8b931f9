package dev.rocport.port;

import com.github.difflib.DiffUtils;
import com.github.difflib.patch.AbstractDelta;
import com.github.difflib.patch.Chunk;
import dev.rocport.core.source.TextLines;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Merges two changed versions of one text, line by line. Changes at different places are both
 * applied; adjacent or overlapping changes are a conflict, unless they are the same. Lines keep
 * their own line ends.
 */
final class ThreeWayMerge {
  private ThreeWayMerge() {}

  /** Lines {@code from} to {@code to} of the base become {@code lines}. */
  private record Change(int from, int to, List<String> lines) {
    boolean touches(Change other) {
      return from <= other.to && other.from <= to;
    }
  }

  /**
   * Returns the merged text; empty if the changes conflict.
   *
   * @param base the common ancestor
   * @param mine one version
   * @param theirs the other
   */
  static Optional<byte[]> merge(byte[] base, byte[] mine, byte[] theirs) {
    List<String> lines = lines(base);
    List<Change> left = changes(lines, lines(mine));
    List<Change> right = changes(lines, lines(theirs));
    ByteArrayOutputStream out = new ByteArrayOutputStream(Math.max(mine.length, theirs.length));
    int at = 0;
    int l = 0;
    int r = 0;
    while (l < left.size() || r < right.size()) {
      Change next;
      if (l < left.size() && r < right.size() && left.get(l).touches(right.get(r))) {
        if (!left.get(l).equals(right.get(r))) {
          return Optional.empty();
        }
        next = left.get(l++);
        r++;
      } else if (r == right.size()
          || (l < left.size() && left.get(l).from() < right.get(r).from())) {
        next = left.get(l++);
      } else {
        next = right.get(r++);
      }
      write(out, lines.subList(at, next.from()));
      write(out, next.lines());
      at = next.to();
    }
    write(out, lines.subList(at, lines.size()));
    return Optional.of(out.toByteArray());
  }

  private static List<Change> changes(List<String> base, List<String> changed) {
    List<Change> changes = new ArrayList<>();
    for (AbstractDelta<String> delta : DiffUtils.diff(base, changed).getDeltas()) {
      Chunk<String> source = delta.getSource();
      changes.add(
          new Change(
              source.getPosition(),
              source.getPosition() + source.size(),
              delta.getTarget().getLines()));
    }
    return changes;
  }

  /**
   * Returns the lines with their ends; each byte becomes a character, so any encoding is preserved.
   */
  private static List<String> lines(byte[] bytes) {
    return TextLines.of(new String(bytes, StandardCharsets.ISO_8859_1));
  }

  private static void write(ByteArrayOutputStream out, List<String> lines) {
    lines.forEach(line -> out.writeBytes(line.getBytes(StandardCharsets.ISO_8859_1)));
  }
}
