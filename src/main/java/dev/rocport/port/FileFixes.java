package dev.rocport.port;

import com.github.difflib.DiffUtils;
import com.github.difflib.patch.AbstractDelta;
import dev.rocport.core.result.FileFix;
import dev.rocport.core.result.Replacement;
import dev.rocport.core.source.Encoding;
import dev.rocport.core.source.SourceFile;
import dev.rocport.core.source.TextLines;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The changes of a port in each file, for programs that apply them to the original text. They are
 * computed from the new content, so they match what the port writes. Files that such a program may
 * read differently than rocport are left out: text that is not UTF-8, and lines that end in a
 * carriage return alone. Thread-safe.
 */
public final class FileFixes {
  private static final String MARK = "\ufeff";

  private final SortedMap<String, FileFix> fixes = new ConcurrentSkipListMap<>();

  /** Adds a ported file. */
  public void look(PortedFile file) {
    SourceFile source = file.source();
    if (!file.isChanged()
        || !file.failure().isEmpty()
        || source.withLineFeeds() != source
        || !isSafe(source.encoding())
        || Encoding.of(file.output()) != source.encoding()) {
      return;
    }
    List<Replacement> replacements = replacements(text(source.bytes()), text(file.output()));
    String path = file.entry().path();
    List<String> needs = file.shims().stream().map(ShimHeaders::place).toList();
    if (!replacements.isEmpty()) {
      fixes.put(path, new FileFix(path, replacements, needs));
    }
  }

  /** By path. */
  public List<FileFix> all() {
    return List.copyOf(fixes.values());
  }

  private static boolean isSafe(Encoding encoding) {
    return encoding == Encoding.UTF8 || encoding == Encoding.UTF8_BOM;
  }

  private static String text(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.UTF_8);
    return text.startsWith(MARK) ? text.substring(MARK.length()) : text;
  }

  private static List<Replacement> replacements(String before, String after) {
    List<String> old = TextLines.of(before);
    int[] starts = starts(old);
    List<Replacement> list = new ArrayList<>();
    for (AbstractDelta<String> d : DiffUtils.diff(old, TextLines.of(after)).getDeltas()) {
      List<String> was = d.getSource().getLines();
      List<String> is = d.getTarget().getLines();
      int first = d.getSource().getPosition();
      if (was.size() == is.size()) {
        for (int i = 0; i < was.size(); i++) {
          list.add(replacement(starts, first + i, was.get(i), is.get(i)));
        }
      } else {
        list.add(replacement(starts, first, String.join("", was), String.join("", is)));
      }
    }
    return list;
  }

  private static Replacement replacement(int[] starts, int line, String was, String is) {
    int head = head(was, is);
    int tail = tail(was, is, head);
    int[] start = place(starts, starts[line] + head);
    int[] end = place(starts, starts[line] + was.length() - tail);
    String text = is.substring(head, is.length() - tail);
    return new Replacement(start[0], start[1], end[0], end[1], text);
  }

  /** Returns the length of the common prefix, which splits no surrogate pair and no line end. */
  private static int head(String a, String b) {
    int n = Math.min(a.length(), b.length());
    int i = 0;
    while (i < n && a.charAt(i) == b.charAt(i)) {
      i++;
    }
    return i > 0 && opensPair(a.charAt(i - 1)) ? i - 1 : i;
  }

  private static int tail(String a, String b, int head) {
    int n = Math.min(a.length(), b.length()) - head;
    int i = 0;
    while (i < n && a.charAt(a.length() - 1 - i) == b.charAt(b.length() - 1 - i)) {
      i++;
    }
    return i > 0 && (closesPair(a, a.length() - i) || closesPair(b, b.length() - i)) ? i - 1 : i;
  }

  private static boolean opensPair(char c) {
    return Character.isHighSurrogate(c) || c == '\r';
  }

  private static boolean closesPair(String text, int at) {
    return Character.isLowSurrogate(text.charAt(at))
        || (text.charAt(at) == '\n' && at > 0 && text.charAt(at - 1) == '\r');
  }

  /** Returns the line and the column of an offset. */
  private static int[] place(int[] starts, int offset) {
    int at = Arrays.binarySearch(starts, offset);
    int line = at >= 0 ? at : -at - 2;
    return new int[] {line + 1, offset - starts[line] + 1};
  }

  /** Returns where each line begins, and the end of the last one if it has a line end. */
  private static int[] starts(List<String> lines) {
    int[] starts = new int[lines.size() + 1];
    for (int i = 0; i < lines.size(); i++) {
      starts[i + 1] = starts[i] + lines.get(i).length();
    }
    boolean open = !lines.isEmpty() && !lines.getLast().endsWith("\n");
    return open ? Arrays.copyOf(starts, lines.size()) : starts;
  }
}
