package dev.rocport.build.cmake;

import java.util.ArrayList;
import java.util.List;

/** Commands with the structure that {@code if}, {@code foreach} and their kin give them. */
sealed interface Block {
  /** A single command. */
  record Single(Call call) implements Block {}

  /**
   * A conditional.
   *
   * @param branches in order; the command of the last may be {@code else}
   */
  record Branches(List<Branch> branches) implements Block {}

  /** One branch: {@code if}, {@code elseif} or {@code else} and what it holds. */
  record Branch(Call head, List<Block> body) {}

  /** A loop over the arguments of its head. */
  record Loop(Call head, List<Block> body) implements Block {}

  /** A {@code function} or {@code macro}. */
  record Definition(Call head, List<Block> body) implements Block {}

  static List<Block> parse(List<Call> calls) throws CMakeException {
    Parser parser = new Parser(calls);
    List<Block> blocks = parser.until(List.of());
    if (parser.at < calls.size()) {
      Call stray = calls.get(parser.at);
      throw stray.error(stray.name() + " has no beginning");
    }
    return blocks;
  }

  /** Walks along the commands. */
  final class Parser {
    private static final List<String> ENDS =
        List.of("elseif", "else", "endif", "endforeach", "endfunction", "endmacro", "endwhile");

    private final List<Call> calls;
    private int at;

    private Parser(List<Call> calls) {
      this.calls = calls;
    }

    private List<Block> until(List<String> ends) throws CMakeException {
      List<Block> blocks = new ArrayList<>();
      while (at < calls.size()) {
        Call call = calls.get(at);
        if (ENDS.contains(call.name())) {
          if (!ends.contains(call.name()) && !ends.isEmpty()) {
            throw call.error(call.name() + " where one of " + ends + " was expected");
          }
          return blocks;
        }
        at++;
        switch (call.name()) {
          case "if" -> blocks.add(branches(call));
          case "foreach" -> blocks.add(new Loop(call, body(call, "endforeach")));
          case "function", "macro" ->
              blocks.add(new Definition(call, body(call, "end" + call.name())));
          case "while", "block" -> throw call.unsupported(call.name() + "()");
          default -> blocks.add(new Single(call));
        }
      }
      return blocks;
    }

    private List<Block> body(Call head, String end) throws CMakeException {
      List<Block> body = until(List.of(end));
      if (at >= calls.size()) {
        throw head.error(end + " is missing");
      }
      at++;
      return body;
    }

    private Branches branches(Call head) throws CMakeException {
      List<Branch> branches = new ArrayList<>();
      Call current = head;
      while (true) {
        List<Block> body = until(List.of("elseif", "else", "endif"));
        branches.add(new Branch(current, body));
        if (at >= calls.size()) {
          throw head.error("endif is missing");
        }
        current = calls.get(at++);
        if (current.name().equals("endif")) {
          return new Branches(branches);
        }
      }
    }
  }
}
