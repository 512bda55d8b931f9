package dev.rocport.buildsystem.make;

import dev.rocport.buildsystem.command.CommandPort;
import dev.rocport.buildsystem.command.Facts;
import dev.rocport.buildsystem.command.Outcome;
import dev.rocport.buildsystem.command.Topic;
import dev.rocport.buildsystem.make.MakeFile.Kind;
import dev.rocport.buildsystem.make.MakeFile.Part;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reports variables that get the architecture flags only in branches which make does not read by
 * default, as in {@code ifeq ($(GPU),volta)}: {@code ROCM_ARCH} has no effect on their commands.
 */
final class ArchitectureBranches {
  private static final Pattern APPENDED = Pattern.compile("(\\w+) \\+= ");

  private final MakeFile file;
  private final Facts facts;
  private final Branches branches;

  ArchitectureBranches(MakeFile file, Facts facts) {
    this.file = file;
    this.facts = facts;
    Set<String> own = new HashSet<>();
    file.parts().forEach(p -> own.add(p.name()));
    this.branches = Branches.of(file, n -> !own.contains(n) && facts.assigns(n));
  }

  /** Adds remarks to the port of the file. */
  void report(Outcome outcome) {
    Map<String, List<Outcome.Change>> set = new LinkedHashMap<>();
    for (Outcome.Change c : outcome.changes()) {
      if (c.text().contains(CommandPort.ARCH_FLAGS)) {
        variable(c).ifPresent(v -> set.computeIfAbsent(v, n -> new ArrayList<>()).add(c));
      }
    }
    Set<String> live = new HashSet<>();
    set.forEach(
        (name, changes) -> {
          if (changes.stream().anyMatch(c -> branches.closed(part(c)).isEmpty())) {
            live.add(name);
          }
        });
    set.forEach(
        (name, changes) -> {
          if (!live.contains(name) && isOnlyArchitecture(name, live, outcome)) {
            Outcome.Change first = changes.getFirst();
            outcome.remarks().add(remark(name, first));
          }
        });
  }

  private Part part(Outcome.Change c) {
    return file.parts().stream()
        .filter(p -> p.start() <= c.start() && c.start() <= p.end())
        .reduce((a, b) -> b)
        .orElseThrow();
  }

  /** Returns the variable that a change gives architecture flags. */
  private Optional<String> variable(Outcome.Change c) {
    Part p = part(c);
    if (p.kind() == Kind.ASSIGNMENT) {
      return Optional.of(p.name());
    }
    Matcher appended = APPENDED.matcher(c.text());
    return p.kind() == Kind.OTHER && appended.lookingAt()
        ? Optional.of(appended.group(1))
        : Optional.empty();
  }

  /** Whether a command that make reads gets architecture flags from this variable alone. */
  private boolean isOnlyArchitecture(String name, Set<String> live, Outcome outcome) {
    for (Part p : file.parts()) {
      boolean command = p.kind() == Kind.RECIPE || p.kind() == Kind.RULE;
      if (!command || branches.closed(p).isPresent()) {
        continue;
      }
      String text = file.text().substring(p.kind() == Kind.RULE ? p.value() : p.start(), p.end());
      Set<String> used = facts.variables(text);
      boolean own =
          outcome.changes().stream()
              .anyMatch(
                  c ->
                      c.text().contains(CommandPort.ARCH_FLAGS)
                          && p.start() <= c.start()
                          && c.end() <= p.end());
      if (used.contains(name)
          && !own
          && used.stream().noneMatch(live::contains)
          && facts.callsCompiler(text)) {
        return true;
      }
    }
    return false;
  }

  private Outcome.Remark remark(String name, Outcome.Change at) {
    Part condition = branches.closed(part(at)).orElseThrow();
    return new Outcome.Remark(
        at.start(),
        at.end(),
        ("%s has no effect by default: the condition in line %d does not hold, and commands with"
                + " $(%s) have no other architecture; set what the condition asks for, or add"
                + " $(%s) to %s outside of it")
            .formatted(
                CommandPort.ARCH,
                file.source().line(condition.start()),
                facts.renamed(name),
                CommandPort.ARCH_FLAGS,
                facts.renamed(name)),
        Topic.ARCH,
        Outcome.Level.DOUBT);
  }
}
