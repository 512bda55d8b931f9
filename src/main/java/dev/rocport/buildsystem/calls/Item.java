package dev.rocport.buildsystem.calls;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An argument, or a value in a list.
 *
 * @param start with its keyword
 * @param keyword empty where it has none
 * @param parts its value
 */
public record Item(int start, int end, String keyword, List<Part> parts) {
  public Item {
    parts = List.copyOf(parts);
  }

  /** Where its value begins. */
  public int valueStart() {
    return parts.isEmpty() ? end : parts.getFirst().start();
  }

  /** The value where it is but one string. */
  public Optional<Token> string() {
    return parts.size() == 1 && parts.getFirst() instanceof Token t && t.isString()
        ? Optional.of(t)
        : Optional.empty();
  }

  /** The value where it is but one name; empty for others. */
  public String name() {
    return parts.size() == 1 && parts.getFirst() instanceof Token t && t.isName() ? t.text() : "";
  }

  /** The summands of its value. */
  public List<Item> terms() {
    return terms(parts);
  }

  /** What {@code +} parts. */
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
