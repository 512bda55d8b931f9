package dev.rocport.buildsystem.calls;

import java.util.List;
import java.util.Optional;

/**
 * A group in parentheses, brackets or braces.
 *
 * @param open the opening bracket
 * @param items the items that commas separate
 */
public record Group(int start, int end, char open, List<Item> items) implements Part {
  public Group {
    items = List.copyOf(items);
  }

  /** Returns the items without a keyword. */
  public List<Item> positional() {
    return items.stream().filter(i -> i.keyword().isEmpty()).toList();
  }

  /** Returns the item with this keyword. */
  public Optional<Item> keyword(String name) {
    return items.stream().filter(i -> i.keyword().equals(name)).findFirst();
  }
}
