package dev.rocport.buildsystem.calls;

import dev.rocport.buildsystem.shared.LibraryCopies;
import dev.rocport.buildsystem.shared.LibraryCopies.Use;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Leaves include folders of copies of NVIDIA libraries out of calls and lists. */
public final class CopyFolders {
  private static final Pattern FLAG = Pattern.compile("(?:-I|-isystem|-idirafter|/I)\\s*(.*)");

  private final LibraryCopies copies;
  private final boolean isOnHost;
  private final CallDraft draft;
  private final String rule;

  /**
   * @param isOnHost whether the project uses Thrust with a backend that runs on the host
   * @param rule the rule of the edits and findings
   */
  public CopyFolders(LibraryCopies copies, boolean isOnHost, CallDraft draft, String rule) {
    this.copies = copies;
    this.isOnHost = isOnHost;
    this.draft = draft;
    this.rule = rule;
  }

  /** Returns whether the tree has no copies. */
  public boolean isEmpty() {
    return copies.isEmpty();
  }

  /**
   * Leaves out flags in the lists of an expression.
   *
   * @param from the folder that paths are relative to, with a slash at the end
   */
  public void flags(List<Part> parts, String from) {
    for (Part p : parts) {
      if (p instanceof Group g) {
        if (g.open() == '[') {
          list(g, from);
        }
        g.items().forEach(i -> flags(i.parts(), from));
      }
    }
  }

  private void list(Group g, String from) {
    SortedSet<Integer> deleted = new TreeSet<>();
    for (int i = 0; i < g.items().size(); i++) {
      Matcher flag = FLAG.matcher(string(g.items().get(i)));
      if (!flag.matches()) {
        continue;
      }
      boolean next = flag.group(1).isEmpty() && i + 1 < g.items().size();
      int last = next ? i + 1 : i;
      String folder = next ? string(g.items().get(last)) : flag.group(1);
      if (isLeftOut(g.items().get(i).start(), g.items().get(last).end(), folder, from)) {
        for (int k = i; k <= last; k++) {
          deleted.add(k);
        }
      }
      i = last;
    }
    draft.delete(g, deleted, rule);
  }

  /**
   * Leaves out folders among the items of a call or list.
   *
   * @param value returns the folder that an item names; empty if it is not known
   */
  public void folders(
      Group g, List<Item> items, String from, Function<Item, Optional<String>> value) {
    SortedSet<Integer> deleted = new TreeSet<>();
    for (Item i : items) {
      Optional<String> folder = value.apply(i);
      if (folder.isPresent() && isLeftOut(i.start(), i.end(), folder.get(), from)) {
        deleted.add(g.items().indexOf(i));
      }
    }
    draft.delete(g, deleted, rule);
  }

  /** Returns whether a folder is left out, and reports what becomes of it. */
  public boolean isLeftOut(int start, int end, String folder, String from) {
    Use use = Use.of(copies.at(from, folder), isOnHost);
    String message = use.message(folder);
    switch (use.kind()) {
      case NONE -> {}
      case LEFT_OUT -> draft.note(rule, start, end, message);
      case FOR_HOST -> draft.doubt(rule, start, end, message, use.advice());
      case HIDES -> draft.problem(start, end, message);
    }
    return use.kind() == Use.Kind.LEFT_OUT;
  }

  /** Returns the value of an item that is a string; empty for others. */
  public static Optional<String> value(Item item) {
    return item.string().filter(t -> !t.isFormatted()).map(Token::value);
  }

  private static String string(Item item) {
    return value(item).orElse("");
  }
}
