package dev.rocport.buildsystem.calls;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An argument, or an element of a list.
 *
 * @param start start, including the keyword
 * @param keyword the keyword; empty if it has none
 * @param parts the parts of its value
 */
public record Item(int start, int end, String keyword, List<Part> parts) {
  public Item {
    parts = List.copyOf(parts);
  }

  /** Returns the start of its value. */
  public int valueStart() {
    return parts.isEmpty() ? end : parts.getFirst().start();
  }

  /** Returns the value if it is a single string. */
  public Optional<Token> string() {
    return parts.size() == 1 && parts.getFirst() instanceof Token t && t.isString()
        ? Optional.of(t)
        : Optional.empty();
  }

  /** Returns the value if it is a single name; otherwise empty. */
  public String name() {
    return parts.size() == 1 && parts.getFirst() instanceof Token t && t.isName() ? t.text() : "";
  }

  /** Returns the terms of its value. */
  public List<Item> terms() {
    return terms(parts);
  }

  /** Returns the terms that {@code +} separates. */
  public static List<Item> terms(List<Part> parts) {
    List<Item> terms = new ArrayList<>();
    int from = 0;
    for (int i = 0; i <= parts.size(); i++) {
      if (i == parts.size() || parts.get(i).is("+")) {
        if (i > from) {
          List<Part> term = parts.subList(from, i);
          terms.add(new Item(term.getFirst().start(), term.getLast().end(), "", term));
        }
        from = i + 1;
      }
    }
    return terms;
  }
}
