package dev.rocport.lang.ptx;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The control flow of a block as structured C++: steps, conditions, and loops. Scopes are
 * flattened; their registers and labels get unique names.
 */
sealed interface Flow {
  /** A register under the name that it has in C++. */
  record Local(String name, PtxType type) {}

  /** One instruction, and the registers that it sees. */
  record Step(Item.Instruction instruction, Map<String, Local> registers) implements Flow {}

  /** Skipped where the guard holds: {@code @p bra done; ... done:}. */
  record Unless(Step guard, List<Flow> body) implements Flow {}

  /** Done, and again while the guard of the branch at its end holds; null: forever. */
  record Loop(List<Flow> body, @Nullable Step again) implements Flow {}

  /** Leaves the innermost loop, where the guard holds; null: always. */
  record Leave(@Nullable Step guard) implements Flow {}

  /** A block that has no such form. */
  final class Unstructured extends Exception {
    private static final long serialVersionUID = 1;
    final int offset;
    final String about;

    Unstructured(int offset, String about, String message) {
      super(message);
      this.offset = offset;
      this.about = about;
    }
  }

  /**
   * The flow of a block.
   *
   * @param prefix before the names of locals
   * @param taken names, beside C++'s own, that locals must not have; theirs are added
   */
  static List<Flow> of(List<Item> items, String prefix, Set<String> taken) throws Unstructured {
    Reader reader = new Reader(prefix, taken);
    reader.flatten(items, Map.of(), Map.of());
    return reader.structure(0, reader.list.size(), -1);
  }

  /** Makes a list of the items, then finds loops and skips in it. */
  final class Reader {
    private sealed interface Flat {}

    private record Plain(Step step) implements Flat {}

    private record Mark(int id) implements Flat {}

    private record Jump(Step step, int target) implements Flat {}

    private final String prefix;
    private final Set<String> taken;
    private final List<Flat> list = new ArrayList<>();
    private final Map<Integer, Integer> places = new HashMap<>();
    private int labels;

    Reader(String prefix, Set<String> taken) {
      this.prefix = prefix;
      this.taken = taken;
    }

    void flatten(List<Item> items, Map<String, Local> outerRegisters, Map<String, Integer> outer)
        throws Unstructured {
      Map<String, Integer> marks = new HashMap<>(outer);
      Set<String> here = new HashSet<>();
      for (Item item : items) {
        if (item instanceof Item.Label(int start, int end, String name)) {
          if (!here.add(name)) {
            throw new Unstructured(start, name, "the label is defined twice");
          }
          marks.put(name, labels++);
        }
      }
      Map<String, Local> registers = new HashMap<>(outerRegisters);
      Set<String> own = new HashSet<>();
      for (Item item : items) {
        switch (item) {
          case Item.Declaration(
                  int start,
                  int end,
                  String space,
                  PtxType type,
                  List<String> names) -> {
            if (!space.equals("reg")) {
              throw new Unstructured(
                  start,
                  "." + space,
                  "it declares memory; in HIP, declare the memory outside the asm statement");
            }
            if (type == null) {
              throw new Unstructured(start, ".reg", "it declares registers of an unknown type");
            }
            registers = new HashMap<>(registers);
            for (String name : names) {
              if (!own.add(name)) {
                throw new Unstructured(start, ".reg", "it declares '" + name + "' twice");
              }
              registers.put(name, new Local(free(name), type));
            }
          }
          case Item.Label(int start, int end, String name) -> {
            int id = marks.getOrDefault(name, -1);
            places.put(id, list.size());
            list.add(new Mark(id));
          }
          case Item.Scope(int start, int end, List<Item> inner) -> flatten(inner, registers, marks);
          case Item.Directive(int start, int end, String text) -> {
            if (!text.startsWith(".pragma") && !text.startsWith(".loc")) {
              throw new Unstructured(start, text, "unknown directive");
            }
          }
          case Item.Instruction i -> {
            Step step = new Step(i, registers);
            if (!i.opcode().equals("bra")) {
              list.add(new Plain(step));
            } else if (i.operands().size() == 1
                && i.operands().getFirst() instanceof Operand.Symbol(String name)
                && marks.containsKey(name)) {
              list.add(new Jump(step, marks.getOrDefault(name, -1)));
            } else {
              throw new Unstructured(
                  i.start(), i.head(), "its target is not a label in the statement");
            }
          }
        }
      }
    }

    private String free(String written) {
      String bare = written.replace("%", "");
      // What is written in capitals may be the name of a macro.
      String name =
          bare.equals(bare.toUpperCase(Locale.ROOT)) ? bare.toLowerCase(Locale.ROOT) : bare;
      String base = prefix + (name.matches("[0-9].*") ? "r" + name : name);
      String free = base;
      for (int n = 2; !CppWords.take(free, taken); n++) {
        free = base + "_" + n;
      }
      return free;
    }

    private int place(int label) {
      return places.getOrDefault(label, -1);
    }

    /** The part from {@code from} to {@code to}; a jump to {@code exit} leaves the loop around. */
    List<Flow> structure(int from, int to, int exit) throws Unstructured {
      List<Flow> flow = new ArrayList<>();
      int i = from;
      while (i < to) {
        switch (list.get(i)) {
          case Plain(Step step) -> {
            flow.add(step);
            i++;
          }
          case Mark(int id) -> {
            int back = lastJumpTo(id, i, to);
            if (back < 0) {
              i++;
              continue;
            }
            i = loop(i, back, flow);
          }
          case Jump(Step step, int target) -> {
            int at = place(target);
            if (at <= i) {
              throw broken(step, "it jumps back into a code block that ends elsewhere");
            }
            if (leaves(at, exit)) {
              flow.add(new Leave(step.instruction().guard() == null ? null : step));
              i++;
            } else if (at > to) {
              throw broken(step, "it jumps out of a loop to a point past the end of the loop");
            } else if (step.instruction().guard() == null) {
              throw broken(step, "it skips code that nothing else reaches");
            } else {
              requireNoEntry(i + 1, at, step);
              flow.add(new Unless(step, structure(i + 1, at, -1)));
              i = at;
            }
          }
        }
      }
      return flow;
    }

    /** A loop from a label to the last jump back to it. */
    private int loop(int label, int back, List<Flow> flow) throws Unstructured {
      Step again = ((Jump) list.get(back)).step;
      boolean forever = again.instruction().guard() == null;
      List<Flow> body = structure(label + 1, back, back + 1);
      if (forever && body.stream().noneMatch(Leave.class::isInstance)) {
        throw broken(again, "the loop never exits");
      }
      flow.add(new Loop(body, forever ? null : again));
      return back + 1;
    }

    /** Whether a place is where the loop around ends: nothing but labels is between. */
    private boolean leaves(int at, int exit) {
      if (exit < 0 || at < exit) {
        return false;
      }
      for (int k = exit; k < at; k++) {
        if (!(list.get(k) instanceof Mark)) {
          return false;
        }
      }
      return true;
    }

    private int lastJumpTo(int id, int from, int to) {
      for (int k = to - 1; k > from; k--) {
        if (list.get(k) instanceof Jump(Step step, int target) && target == id) {
          return k;
        }
      }
      return -1;
    }

    /** A skipped part must not be a target of jumps from elsewhere. */
    private void requireNoEntry(int from, int to, Step step) throws Unstructured {
      for (int k = 0; k < list.size(); k++) {
        if ((k < from || k >= to)
            && list.get(k) instanceof Jump(Step other, int target)
            && place(target) >= from
            && place(target) < to) {
          throw broken(step, "it skips a code block that another jump enters");
        }
      }
    }

    private static Unstructured broken(Step step, String why) {
      Item.Instruction i = step.instruction();
      return new Unstructured(
          i.start(), i.head(), "control flow with no structured form in C++: " + why);
    }
  }
}
