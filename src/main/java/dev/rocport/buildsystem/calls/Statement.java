package dev.rocport.buildsystem.calls;

import java.util.List;
import java.util.Optional;

/**
 * A line of a build file, which brackets may draw out over several.
 *
 * @param indentation number of columns before it
 */
public record Statement(int indentation, List<Part> parts) {
  public Statement {
    parts = List.copyOf(parts);
  }

  public int start() {
    return parts.getFirst().start();
  }

  public int end() {
    return parts.getLast().end();
  }

  /** The variable that it sets or adds to; empty for others. */
  public String assigned() {
    return parts.size() > 2
            && parts.get(0) instanceof Token name
            && name.isName()
            && (parts.get(1).is("=") || parts.get(1).is("+="))
        ? name.text()
        : "";
  }

  /** It adds to what the variable holds. */
  public boolean adds() {
    return parts.size() > 1 && parts.get(1).is("+=");
  }

  /** What it sets the variable to; all of it for others. */
  public List<Part> value() {
    return assigned().isEmpty() ? parts : parts.subList(2, parts.size());
  }

  /** The call that it is, or that gives the variable its value. */
  public Optional<Call> call() {
    List<Part> value = value();
    return value.size() == 2
            && value.get(0) instanceof Token name
            && name.isName()
            && value.get(1) instanceof Group g
            && g.open() == '('
        ? Optional.of(new Call(name.start(), name, false, g))
        : Optional.empty();
  }
}
