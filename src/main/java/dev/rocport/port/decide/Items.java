package dev.rocport.port.decide;

import com.github.difflib.DiffUtils;
import com.github.difflib.UnifiedDiffUtils;
import com.github.difflib.patch.AbstractDelta;
import dev.rocport.core.source.Encoding;
import dev.rocport.core.source.SourceFile;
import dev.rocport.core.source.TextLines;
import dev.rocport.io.Sha256;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The changes of a ported file, for decisions. */
public final class Items {
  /** Their changes depend on each other less than those of Python or build files. */
  private static final Set<String> BY_LINE = Set.of("cuda", "c++", "c");

  private static final int CONTEXT = 2;

  /** One character for each byte, so that lines stay as they are. */
  private static final Charset BYTES = StandardCharsets.ISO_8859_1;

  private final SourceFile original;
  private final List<String> before;
  private final List<String> after;
  private final List<Part> parts = new ArrayList<>();

  /** What becomes of a change. */
  public sealed interface Answer {
    /** The lines of the port. */
    record Ported() implements Answer {}

    /** The lines of the original. */
    record Original() implements Answer {}

    /** Other lines. */
    record Written(String text) implements Answer {}
  }

  /** Lines of the original and the lines that replace them; both may be none, but not both. */
  private record Part(Item item, int from, int to, int afterFrom, int afterTo) {}

  private Items(SourceFile original, byte[] output) {
    this.original = original;
    this.before = TextLines.of(new String(original.bytes(), BYTES));
    this.after = TextLines.of(new String(output, BYTES));
  }

  /**
   * Finds the changes of a file.
   *
   * @param language of the file, as in {@code TreeEntry}
   * @param edited the lines that edits replace
   */
  public static Items of(
      SourceFile original, byte[] output, String language, List<EditedLines> edited) {
    Items items = new Items(original, output);
    List<AbstractDelta<String>> deltas = DiffUtils.diff(items.before, items.after).getDeltas();
    if (deltas.isEmpty()) {
      return items;
    }
    if (BY_LINE.contains(language)) {
      for (AbstractDelta<String> d : deltas) {
        items.split(d, edited);
      }
      items.place();
    } else {
      items.whole(deltas.getFirst().getSource().getPosition() + 1, edited);
    }
    return items;
  }

  /** Returns the changes in order of their place. */
  public List<Item> all() {
    return parts.stream().map(Part::item).toList();
  }

  /** Returns the file with these answers. */
  public byte[] apply(Function<Item, Answer> answers) {
    StringBuilder text = new StringBuilder();
    int at = 0;
    for (Part p : parts) {
      before.subList(at, p.from).forEach(text::append);
      switch (answers.apply(p.item)) {
        case Answer.Ported ported -> after.subList(p.afterFrom, p.afterTo).forEach(text::append);
        case Answer.Original same -> before.subList(p.from, p.to).forEach(text::append);
        case Answer.Written written -> text.append(written(written.text()));
      }
      at = p.to;
    }
    before.subList(at, before.size()).forEach(text::append);
    return text.toString().getBytes(BYTES);
  }

  /** Returns lines of a person with the line ends and the encoding of the file. */
  private String written(String text) {
    String lines = text.replace("\r\n", "\n");
    lines = lines.isEmpty() || lines.endsWith("\n") ? lines : lines + "\n";
    return new String(lines.replace("\n", original.newline()).getBytes(charset()), BYTES);
  }

  private Charset charset() {
    return original.encoding() == Encoding.EIGHT_BIT ? BYTES : StandardCharsets.UTF_8;
  }

  private String readable(List<String> lines) {
    return new String(String.join("", lines).getBytes(BYTES), charset());
  }

  /** A change of as many lines as before is several changes, unless an edit reaches over lines. */
  private void split(AbstractDelta<String> d, List<EditedLines> edited) {
    int from = d.getSource().getPosition();
    int to = from + d.getSource().size();
    int shift = d.getTarget().getPosition() - from;
    if (to - from != d.getTarget().size()
        || edited.stream()
            .anyMatch(e -> e.last() > e.first() && e.first() <= to && e.last() > from)) {
      add(from, to, from + shift, from + shift + d.getTarget().size(), edited);
      return;
    }
    for (int i = from; i < to; i++) {
      add(i, i + 1, i + shift, i + shift + 1, edited);
    }
  }

  private void add(int from, int to, int afterFrom, int afterTo, List<EditedLines> edited) {
    String was = readable(before.subList(from, to));
    String is = readable(after.subList(afterFrom, afterTo));
    SortedSet<String> rules = rules(from, to, edited);
    parts.add(
        new Part(
            new Item(
                original.path(),
                from + 1,
                was,
                is,
                rules,
                WordChange.of(was, is),
                context(Math.max(0, from - CONTEXT), from),
                context(to, Math.min(before.size(), to + CONTEXT)),
                ""),
            from,
            to,
            afterFrom,
            afterTo));
  }

  /**
   * Tells changes with equal texts apart: by their number and the lines around them; if these are
   * equal, too, by the whole file. So no decision moves from one of them to another.
   */
  private void place() {
    Map<String, Integer> equal = new HashMap<>();
    Map<String, Integer> equalAround = new HashMap<>();
    for (Part p : parts) {
      equal.merge(p.item.id(), 1, Integer::sum);
      equalAround.merge(p.item.id() + around(p.item), 1, Integer::sum);
    }
    String file = Sha256.fingerprint(String.join("", before));
    for (int i = 0; i < parts.size(); i++) {
      Part p = parts.get(i);
      int count = equal.getOrDefault(p.item.id(), 1);
      if (count > 1) {
        String around = around(p.item);
        boolean isOne = equalAround.getOrDefault(p.item.id() + around, 1) == 1;
        String place = count + around + (isOne ? "" : "\n" + file + p.item.line());
        parts.set(i, new Part(p.item.at(place), p.from, p.to, p.afterFrom, p.afterTo));
      }
    }
  }

  private static String around(Item item) {
    return "\n"
        + Item.bare(String.join("", item.above()))
        + "\n"
        + Item.bare(String.join("", item.below()));
  }

  /** Returns the rules of the edits of these lines, or of the nearest edit for an insertion. */
  private static SortedSet<String> rules(int from, int to, List<EditedLines> edited) {
    SortedSet<String> rules =
        edited.stream()
            .filter(e -> e.first() <= Math.max(to, from + 1) && e.last() > from)
            .map(EditedLines::rule)
            .collect(Collectors.toCollection(TreeSet::new));
    if (rules.isEmpty()) {
      edited.stream()
          .min(Comparator.comparingInt(e -> Math.abs(e.first() - from - 1)))
          .ifPresent(e -> rules.add(e.rule()));
    }
    return rules;
  }

  private List<String> context(int from, int to) {
    return readable(before.subList(from, to)).lines().toList();
  }

  private List<String> diff() {
    List<String> was = readable(before).lines().toList();
    List<String> is = readable(after).lines().toList();
    return UnifiedDiffUtils.generateUnifiedDiff(
            "before", "after", was, DiffUtils.diff(was, is), CONTEXT)
        .stream()
        .skip(2)
        .toList();
  }

  /** All changes of a file as one, which stays the same if the file changes. */
  private void whole(int line, List<EditedLines> edited) {
    SortedSet<String> rules =
        edited.stream().map(EditedLines::rule).collect(Collectors.toCollection(TreeSet::new));
    String change = "all changes of " + original.path();
    Item item = new Item(original.path(), line, "", "", rules, change, diff(), List.of(), "");
    parts.add(new Part(item, 0, before.size(), 0, after.size()));
  }
}
