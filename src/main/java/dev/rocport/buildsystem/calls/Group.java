package dev.rocport.buildsystem.calls;

import java.util.List;
import java.util.Optional;

/**
 * What stands in parentheses, brackets or braces.
 *
 * @param open the bracket
 * @param items what commas part
 */
public record Group(int start, int end, char open, List<Item> items) implements Part {
  public Group {
    items = List.copyOf(items);
  }

  /** Those without a keyword. */
  public List<Item> positional() {
    return items.stream().filter(i -> i.keyword().isEmpty()).toList();
  }

  /** The value of a keyword. */
  public Optional<Item> keyword(String name) {
    return items.stream().filter(i -> i.keyword().equals(name)).findFirst();
  }
}
