package dev.rocport.buildsystem.calls;

import dev.rocport.commandline.NvccWords;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Ports nvcc flags in lists of strings. */
public final class FlagList {
  private static final String REST = "$(rest)";

  private final String text;
  private final CallDraft draft;
  private final Ids ids;

  /**
   * Properties of a build system.
   *
   * @param flag id of the rule for flags
   * @param arch id of the rule for architectures
   * @param archAdvice how to set the architectures
   * @param quote quote character of strings
   */
  public record Ids(String flag, String arch, String archAdvice, char quote) {}

  /**
   * @param text the file's bytes, one character each
   */
  public FlagList(String text, CallDraft draft, Ids ids) {
    this.text = text;
    this.draft = draft;
    this.ids = ids;
  }

  /** Ports the flags in an expression: lists and single strings, joined by {@code +}. */
  public void port(List<Part> parts) {
    for (Item term : Item.terms(parts)) {
      if (term.string().isPresent()) {
        single(term);
      } else if (term.parts().getFirst() instanceof Group g && g.open() == '[') {
        port(g, g.items());
      } else {
        for (Part p : term.parts()) {
          if (p instanceof Group g && g.open() == '[') {
            port(g, g.items());
          } else if (p instanceof Group g) {
            g.items().forEach(i -> port(i.parts()));
          }
        }
      }
    }
  }

  private void single(Item term) {
    List<NvccWords.Change> changes = NvccWords.changes(List.of(word(term)));
    for (NvccWords.Change c : changes) {
      if (report(c, term.start(), term.end())) {
        String all = quoted(c.words());
        String turned = c.words().size() == 1 ? all : "[" + all + "]";
        draft.replace(term.start(), term.end(), turned, ids.flag());
      }
    }
  }

  /**
   * Ports the flags among the items of a list, which form one command line.
   *
   * @return indices of the items that are deleted
   */
  public SortedSet<Integer> port(Group group, List<Item> items) {
    Map<Integer, Integer> places = new HashMap<>();
    for (int i = 0; i < group.items().size(); i++) {
      places.put(group.items().get(i).start(), i);
    }
    SortedSet<Integer> deleted = new TreeSet<>();
    List<String> words = items.stream().map(FlagList::word).toList();
    List<Boolean> changed = new ArrayList<>();
    words.forEach(w -> changed.add(false));
    for (NvccWords.Change c : NvccWords.changes(words)) {
      List<Item> of = items.subList(c.first(), c.first() + c.count());
      for (int i = c.first(); i < c.first() + c.count(); i++) {
        changed.set(i, true);
      }
      if (!report(c, of.getFirst().start(), of.getLast().end())) {
        continue;
      }
      if (c.words().isEmpty()) {
        of.forEach(i -> deleted.add(places.getOrDefault(i.start(), -1)));
      } else if (of.stream().allMatch(i -> i.string().isPresent())) {
        draft.replace(of.getFirst().start(), of.getLast().end(), quoted(c.words()), ids.flag());
      } else {
        rest(c, of);
      }
    }
    for (int i = 0; i < items.size(); i++) {
      Item item = items.get(i);
      if (!changed.get(i)) {
        if (item.parts().getFirst() instanceof Group) {
          port(item.parts());
        } else if (words.get(i).startsWith("--") && NvccWords.isUnknown(words.get(i))) {
          draft.problem(item.start(), item.end(), words.get(i) + " is an unknown flag");
        }
      }
    }
    draft.delete(group, deleted, ids.flag());
    return deleted;
  }

  /** Ports a word whose end is known only when the build runs: {@code '-Xcompiler=' + flag}. */
  private void rest(NvccWords.Change c, List<Item> of) {
    Item first = of.getFirst();
    boolean one = of.size() == 1 && c.words().size() == 1 && first.parts().getFirst().isString();
    String word = one ? c.words().getFirst() : "";
    boolean open = word(first).endsWith(REST);
    if (one && (!open || word.endsWith(REST))) {
      String start = open ? word.substring(0, word.length() - REST.length()) : word;
      Part literal = first.parts().getFirst();
      draft.replace(literal.start(), literal.end(), quoted(start), ids.flag());
    } else {
      draft.problem(
          first.start(),
          of.getLast().end(),
          text.substring(first.start(), of.getLast().end())
              + " has no equivalent for hipcc; rewrite it");
    }
  }

  /** Reports the remarks of a change; returns false if the change cannot be made. */
  private boolean report(NvccWords.Change c, int start, int end) {
    String words = text.substring(start, end);
    if (!c.problem().isEmpty()) {
      draft.problem(start, end, words + ": " + c.problem());
      return false;
    }
    if (c.arch()) {
      draft.note(ids.arch(), start, end, words + " is left out: " + ids.archAdvice());
    } else if (!c.note().isEmpty()) {
      draft.note(ids.flag(), start, end, words + " is left out: " + c.note());
    }
    return true;
  }

  private static String word(Item item) {
    if (item.parts().getFirst() instanceof Token t && t.isString()) {
      boolean more = item.parts().size() > 1 && !item.parts().get(1).is(".");
      return t.value() + (more ? REST : "");
    }
    return REST;
  }

  private String quoted(List<String> words) {
    return words.stream().map(this::quoted).collect(Collectors.joining(", "));
  }

  /** Returns a string literal of the language. */
  public String quoted(String word) {
    return quoted(word, ids.quote());
  }

  public static String quoted(String word, char quote) {
    return quote + word.replace("\\", "\\\\").replace(quote + "", "\\" + quote) + quote;
  }
}
