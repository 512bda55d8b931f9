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

/** Commands of a list that say nothing to ROCm's build, and blocks that hold nothing else. */
final class LeftOut {
  private static final Set<String> OFF = Set.of("OFF", "FALSE", "0", "NO", "N");

  private final CMakeFile file;
  private final CMakeFacts facts;
  private final CMakeDraft draft;
  private final BitSet gone = new BitSet();

  LeftOut(CMakeFile file, CMakeFacts facts, CMakeDraft draft) {
    this.file = file;
    this.facts = facts;
    this.draft = draft;
  }

  /** Takes them out, each with what is to be known. */
  void port() {
    List<CMakeCommand> commands = file.commands();
    for (int i = 0; i < commands.size(); i++) {
      if (isLeftOut(commands.get(i))) {
        gone.set(i);
      }
    }
    emptied(commands);
  }

  /** True for the command of this number, once {@link #port} was called. */
  boolean has(int command) {
    return gone.get(command);
  }

  /** Whether a value of CMake's turns something off. */
  static boolean isOff(String value) {
    return OFF.contains(value.toUpperCase(Locale.ROOT));
  }

  /** True for properties that nothing is told for. */
  static boolean isDropped(String property) {
    return CMakeNames.of(Kind.PROPERTY, property)
        .filter(e -> e.action() == Action.ARCH || e.action() == Action.DROP)
        .isPresent();
  }

  /** The values that a command gives to a variable of flags; empty for all others. */
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

  /** The name in a command that decides whether it stays. */
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

  /** Blocks that nothing is left in go as a whole; what is left out goes by itself. */
  private void emptied(List<CMakeCommand> commands) {
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
          if (from >= 0 && i > from + 1 && gone.nextClearBit(from + 1) >= i) {
            gone.set(from);
            gone.set(i);
            blocks.add(new int[] {from, i});
          }
        }
        default -> {}
      }
    }
    for (int i = gone.nextSetBit(0); i >= 0; i = gone.nextSetBit(i + 1)) {
      int first = i;
      if (i <= until) {
        continue;
      }
      until = blocks.stream().filter(b -> b[0] == first).mapToInt(b -> b[1]).max().orElse(first);
      List<CMakeCommand> block = commands.subList(i, until + 1);
      tell(block);
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

  private void tell(List<CMakeCommand> commands) {
    for (CMakeCommand c : commands) {
      Optional<Entry> e = entry(c);
      if (e.isEmpty()) {
        flags(file, facts, c).ifPresent(draft::tell);
        continue;
      }
      boolean arch = e.get().action() == Action.ARCH;
      String why =
          arch
              ? "architectures are told from outside, by CMAKE_HIP_ARCHITECTURES"
              : e.get().reason();
      draft.note(
          arch ? ListPort.ARCH : ListPort.VARIABLE,
          c.start(),
          c.end(),
          e.get().cuda() + " is left out" + (why.isEmpty() ? "" : ": " + why));
    }
  }
}
