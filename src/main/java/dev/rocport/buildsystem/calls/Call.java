package dev.rocport.buildsystem.calls;

import java.util.ArrayList;
import java.util.List;

/**
 * A call of a function or method.
 *
 * @param start start of the whole expression; for a method, the start of the object
 * @param method whether it is a method call
 */
public record Call(int start, Token name, boolean method, Group arguments) {
  public int end() {
    return arguments.end();
  }

  public boolean is(String function) {
    return !method && name.text().equals(function);
  }

  /** Returns all calls in an expression, outer calls before those in their arguments. */
  public static List<Call> in(List<Part> parts) {
    List<Call> calls = new ArrayList<>();
    collect(parts, calls);
    return calls;
  }

  private static void collect(List<Part> parts, List<Call> calls) {
    for (int i = 0; i < parts.size(); i++) {
      if (parts.get(i) instanceof Group g) {
        if (g.open() == '(' && i > 0 && parts.get(i - 1) instanceof Token t && t.isName()) {
          boolean method = i > 1 && parts.get(i - 2).is(".");
          calls.add(new Call(parts.get(begin(parts, i - 1)).start(), t, method, g));
        }
        g.items().forEach(item -> collect(item.parts(), calls));
      }
    }
  }

  /**
   * Returns the index of the first part of the expression whose method or element the last part is.
   */
  private static int begin(List<Part> parts, int last) {
    int i = last;
    while (i > 1 && parts.get(i - 1).is(".")) {
      i -= 2;
      while (i > 0 && parts.get(i) instanceof Group && !(parts.get(i - 1) instanceof Group)) {
        if (!parts.get(i - 1).isName()) {
          break;
        }
        i--;
      }
    }
    return i;
  }
}
