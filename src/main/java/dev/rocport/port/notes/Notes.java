package dev.rocport.port.notes;

import com.github.difflib.DiffUtils;
import com.github.difflib.patch.AbstractDelta;
import com.github.difflib.patch.Chunk;
import dev.rocport.core.result.Finding;
import dev.rocport.core.source.Encoding;
import dev.rocport.core.source.SourceFile;
import dev.rocport.core.source.TextLines;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Comments above the lines of a ported file: open findings, and the original of changed lines. Each
 * comment is a line of its own, where it changes nothing, and {@link #without} takes exactly these
 * lines out again.
 */
public final class Notes {
  /** One character for each byte, so that any file stays as it is. */
  private static final java.nio.charset.Charset BYTES = StandardCharsets.ISO_8859_1;

  private static final Set<String> WITH_ORIGINALS = Set.of("cuda", "c++", "c", "python");

  private final SourceFile original;
  private final List<String> before;
  private final SourceFile plain;
  private final List<String> after;
  private final List<AbstractDelta<String>> deltas;
  private final SortedMap<Integer, Set<String>> notes = new TreeMap<>();
  private int left;

  /**
   * The comments of a port.
   *
   * @param findings whether findings become comments
   * @param originals whether the originals of changed lines do
   */
  public record Choice(boolean findings, boolean originals) {
    public static final Choice NONE = new Choice(false, false);
  }

  /**
   * A file with its comments.
   *
   * @param content the same array as the output if nothing was added
   * @param left number of comments that have no place in the file
   */
  @SuppressWarnings("ArrayRecordComponent") // handed on, never compared
  public record Noted(byte[] content, int left) {}

  private Notes(SourceFile original, byte[] output) {
    this.original = original;
    this.before = TextLines.of(new String(original.bytes(), BYTES));
    this.plain = new SourceFile(original.path(), without(output));
    this.after = TextLines.of(new String(plain.bytes(), BYTES));
    this.deltas = DiffUtils.diff(before, after).getDeltas();
  }

  /**
   * Adds comments to the port of a file; those of an earlier port are replaced.
   *
   * @param language of the file, as in {@code TreeEntry}
   * @param findings the open findings, at lines of the original
   */
  public static Noted add(
      SourceFile original, byte[] output, String language, List<Finding> findings, Choice choice) {
    boolean originals = choice.originals() && WITH_ORIGINALS.contains(language);
    List<Finding> open = choice.findings() ? findings : List.of();
    if (open.isEmpty() && (!originals || Arrays.equals(original.bytes(), output))) {
      byte[] plain = without(output);
      return new Noted(plain.length == output.length ? output : plain, 0);
    }
    Notes notes = new Notes(original, output);
    return notes.noted(output, language, open, originals);
  }

  /** Returns a text without the comments of a port; the same array if it has none. */
  public static byte[] without(byte[] text) {
    List<String> lines = TextLines.of(new String(text, BYTES));
    StringBuilder kept = new StringBuilder(text.length);
    for (String line : lines) {
      if (!NoteLine.is(line.stripTrailing())) {
        kept.append(line);
      }
    }
    return kept.length() == text.length ? text : kept.toString().getBytes(BYTES);
  }

  private Noted noted(byte[] output, String language, List<Finding> open, boolean originals) {
    Optional<Places> places =
        plain.withLineFeeds() == plain ? Places.of(plain, language) : Optional.empty();
    if (places.isEmpty()) {
      return new Noted(output, open.size());
    }
    if (originals) {
      originals(places.get());
    }
    for (Finding f : open) {
      int line = f.line() == 0 ? 0 : lineOf(f.line());
      add(places.get(), line, f.rule(), f.message());
    }
    byte[] content = notes.isEmpty() ? without(output) : content();
    // A note at a place that is not what it seems must not change the file.
    return Arrays.equals(without(content), plain.bytes())
        ? new Noted(content, left)
        : new Noted(output, open.size());
  }

  private void originals(Places places) {
    for (AbstractDelta<String> d : deltas) {
      int line = Math.min(d.getTarget().getPosition() + 1, after.size());
      for (String was : d.getSource().getLines()) {
        String text = new String(was.getBytes(BYTES), StandardCharsets.UTF_8).strip();
        if (!text.isEmpty() && !NoteLine.is(was.stripTrailing())) {
          add(places, line, "original", text);
        }
      }
    }
  }

  /** Adds a comment at or above a line of the output. */
  private void add(Places places, int line, String subject, String text) {
    int at = places.above(line);
    if (at == 0) {
      left++;
      return;
    }
    int below = line - at;
    String distance =
        below == 0 ? "" : " (" + below + (below == 1 ? " line" : " lines") + " below)";
    String next = after.get(at - 1);
    String indent = places.syntax().isIndented() ? indent(next) : "";
    boolean ascii = original.encoding() == Encoding.EIGHT_BIT;
    String end =
        next.endsWith("\r\n") || (!next.endsWith("\n") && plain.newline().equals("\r\n"))
            ? "\r\n"
            : "\n";
    notes
        .computeIfAbsent(at, k -> new LinkedHashSet<>())
        .add(NoteLine.of(indent, places.syntax(), subject + distance, text, ascii) + end);
  }

  private static String indent(String line) {
    int end = 0;
    while (end < line.length() && (line.charAt(end) == ' ' || line.charAt(end) == '\t')) {
      end++;
    }
    return line.substring(0, end);
  }

  /** Returns the line of the output for a line of the original. */
  private int lineOf(int line) {
    int shift = 0;
    for (AbstractDelta<String> d : deltas) {
      Chunk<String> source = d.getSource();
      Chunk<String> target = d.getTarget();
      int within = line - 1 - source.getPosition();
      if (within < 0) {
        break;
      }
      if (within < source.size()) {
        int last = Math.max(0, target.size() - 1);
        return Math.min(target.getPosition() + Math.min(within, last) + 1, after.size());
      }
      shift += target.size() - source.size();
    }
    return Math.clamp(line + shift, 1, Math.max(1, after.size()));
  }

  private byte[] content() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < after.size(); i++) {
      notes.getOrDefault(i + 1, Set.of()).forEach(text::append);
      text.append(after.get(i));
    }
    return text.toString().getBytes(BYTES);
  }
}
