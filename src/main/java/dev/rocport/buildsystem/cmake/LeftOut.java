package dev.rocport.buildsystem.cmake;

import dev.rocport.buildsystem.cmake.CMakeCommand.Argument;
import dev.rocport.buildsystem.cmake.CMakeNames.Action;
import dev.rocport.buildsystem.cmake.CMakeNames.Entry;
import dev.rocport.buildsystem.cmake.CMakeNames.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Leaves out commands that a ROCm build does not need, and blocks that become empty. */
final class LeftOut {
  static final String ARCH_ADVICE = "set CMAKE_HIP_ARCHITECTURES when configuring";
  private static final Set<String> OFF = Set.of("OFF", "FALSE", "0", "NO", "N");

  private final CMakeFile file;
  private final CMakeFacts facts;
  private final CMakeDraft draft;
  private final BitSet deleted = new BitSet();

  LeftOut(CMakeFile file, CMakeFacts facts, CMakeDraft draft) {
    this.file = file;
    this.facts = facts;
    this.draft = draft;
  }

  /** Deletes them and reports each. */
  void port() {
    List<CMakeCommand> commands = file.commands();
    for (int i = 0; i < commands.size(); i++) {
      if (isLeftOut(commands.get(i))) {
        deleted.set(i);
      }
    }
    deleteBlocks(commands);
  }

  /** Returns whether the command with this index is deleted; valid after {@link #port}. */
  boolean has(int command) {
    return deleted.get(command);
  }

  /** Returns whether CMake reads a value as false. */
  static boolean isOff(String value) {
    return OFF.contains(value.toUpperCase(Locale.ROOT));
  }

  /** Returns true for properties that are left out. */
  static boolean isDropped(String property) {
    return CMakeNames.of(Kind.PROPERTY, property)
        .filter(e -> e.action() == Action.ARCH || e.action() == Action.DROP)
        .isPresent();
  }

  /** Returns the values that a command assigns to a variable of flags; empty for all others. */
  static Optional<FlagText> flags(CMakeFile file, CMakeFacts facts, CMakeCommand c) {
    String variable = CMakeFacts.assigned(c);
    Optional<Entry> known = CMakeNames.of(Kind.VARIABLE, variable);
    Action action = known.map(Entry::action).orElse(Action.RENAME);
    FlagText.Form own = facts.flags(variable);
    if (action != Action.FLAGS && action != Action.LIST_FLAGS && own == null) {
      return Optional.empty();
    }
    int[] values = c.values();
    FlagText.Form form = own == null ? FlagText.Form.STRING : own;
    return Optional.of(FlagText.of(file.text(), values[0], values[1], form, false));
  }

  private boolean isLeftOut(CMakeCommand c) {
    if (c.name().equals("set") && CMakeFacts.assigned(c).equals("CMAKE_CUDA_COMPILER")) {
      return false;
    }
    if (entry(c).isPresent()) {
      return true;
    }
    if (c.name().equals("set_target_properties")) {
      List<Argument> pairs = c.pairs();
      return !pairs.isEmpty() && pairs.stream().allMatch(p -> isDropped(p.text()));
    }
    boolean adds = c.name().equals("list") || c.name().equals("string");
    Optional<FlagText> flags = adds ? flags(file, facts, c) : Optional.empty();
    return flags.isPresent()
        && flags.get().left().isEmpty()
        && !flags.get().changes().isEmpty()
        && flags.get().remarks().stream().noneMatch(FlagText.Remark::problem);
  }

  /** Returns the entry of the name that decides whether a command is kept. */
  private Optional<Entry> entry(CMakeCommand c) {
    Optional<Entry> command = CMakeNames.of(Kind.COMMAND, c.name());
    if (command.isPresent() && !facts.isFunction(c.name())) {
      return command.filter(e -> e.action() == Action.ARCH || e.action() == Action.DROP);
    }
    List<Argument> a = c.arguments();
    String variable =
        switch (c.name()) {
          case "unset", "option", "mark_as_advanced" -> a.isEmpty() ? "" : a.getFirst().text();
          case "set_property" -> c.property().map(Argument::text).orElse("");
          default -> CMakeFacts.assigned(c);
        };
    Kind kind = c.name().equals("set_property") ? Kind.PROPERTY : Kind.VARIABLE;
    return CMakeNames.of(kind, variable)
        .filter(
            e ->
                e.action() == Action.ARCH
                    || e.action() == Action.DROP
                    || (e.action() == Action.SEPARABLE
                        && !a.isEmpty()
                        && isOff(a.getLast().text())));
  }

  /** Deletes blocks that become empty as a whole, and other commands one by one. */
  private void deleteBlocks(List<CMakeCommand> commands) {
    Deque<Integer> open = new ArrayDeque<>();
    int until = -1;
    List<int[]> blocks = new ArrayList<>();
    for (int i = 0; i < commands.size(); i++) {
      switch (commands.get(i).name()) {
        case "if", "foreach" -> open.push(i);
        case "else", "elseif" -> {
          if (!open.isEmpty()) {
            open.pop();
            open.push(-1);
          }
        }
        case "endif", "endforeach" -> {
          int from = open.isEmpty() ? -1 : open.pop();
          if (from >= 0 && i > from + 1 && deleted.nextClearBit(from + 1) >= i) {
            deleted.set(from);
            deleted.set(i);
            blocks.add(new int[] {from, i});
          }
        }
        default -> {}
      }
    }
    for (int i = deleted.nextSetBit(0); i >= 0; i = deleted.nextSetBit(i + 1)) {
      int first = i;
      if (i <= until) {
        continue;
      }
      until = blocks.stream().filter(b -> b[0] == first).mapToInt(b -> b[1]).max().orElse(first);
      List<CMakeCommand> block = commands.subList(i, until + 1);
      report(block);
      int[] span = file.lines(commands.get(i), commands.get(until));
      draft.replace(span[0], span[1], "", ruleOf(block));
      draft.cover(span[0], span[1]);
    }
  }

  private String ruleOf(List<CMakeCommand> commands) {
    return commands.stream()
            .anyMatch(c -> entry(c).filter(e -> e.action() == Action.ARCH).isPresent())
        ? ListPort.ARCH
        : ListPort.VARIABLE;
  }

  private void report(List<CMakeCommand> commands) {
    for (CMakeCommand c : commands) {
      Optional<Entry> e = entry(c);
      if (e.isEmpty()) {
        flags(file, facts, c).ifPresent(draft::report);
        continue;
      }
      boolean arch = e.get().action() == Action.ARCH;
      String why = arch ? ARCH_ADVICE : e.get().reason();
      draft.note(
          arch ? ListPort.ARCH : ListPort.VARIABLE,
          c.start(),
          c.end(),
          e.get().cuda() + " is left out" + (why.isEmpty() ? "" : ": " + why));
    }
  }
}
