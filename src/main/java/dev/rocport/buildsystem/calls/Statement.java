package dev.rocport.buildsystem.calls;

import java.util.List;
import java.util.Optional;

/**
 * A statement of a build file: a line, or several lines that brackets join.
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

  /** Returns the variable that it sets or appends to; otherwise empty. */
  public String assigned() {
    return parts.size() > 2
            && parts.get(0) instanceof Token name
            && name.isName()
            && (parts.get(1).is("=") || parts.get(1).is("+="))
        ? name.text()
        : "";
  }

  /** Returns whether it appends to a variable. */
  public boolean adds() {
    return parts.size() > 1 && parts.get(1).is("+=");
  }

  /** Returns the assigned value; all parts if it is not an assignment. */
  public List<Part> value() {
    return assigned().isEmpty() ? parts : parts.subList(2, parts.size());
  }

  /** Returns the call that is the statement or its assigned value. */
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
