package dev.rocport.buildsystem.make;

import dev.rocport.buildsystem.command.CommandPort;
import dev.rocport.buildsystem.command.Facts;
import dev.rocport.buildsystem.command.Outcome;
import dev.rocport.buildsystem.command.Topic;
import dev.rocport.buildsystem.make.MakeFile.Kind;
import dev.rocport.buildsystem.make.MakeFile.Part;
import dev.rocport.buildsystem.shared.CubNamespace;
import dev.rocport.core.edit.Edit;
import dev.rocport.rules.Changes;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Ports one makefile. */
final class MakePort {
  private static final String PREFIX = "MAKE-";

  /** Groups 1 and 2 are the variable and the name; 3 and 4 the name and the variable. */
  private static final Pattern COMPARES_COMPILER =
      Pattern.compile(
          "[ \\t]*ifn?eq[ \\t]*\\(?[ \\t]*(?:"
              + "['\"]?\\$[({](\\w+)[)}]['\"]?[ \\t]*,?[ \\t]*['\"]?(nvcc)"
              + "|['\"]?(nvcc)['\"]?[ \\t]*,?[ \\t]*['\"]?\\$[({](\\w+)[)}]"
              + ")['\"]?[ \\t]*\\)?[ \\t]*(?:#.*)?\\R?");

  private static final Pattern EVAL =
      Pattern.compile("(?s)\\s*\\$\\(eval (\\w+ \\+= [^()]*\\([^()]*\\))\\)\\s*");

  private final MakeFile file;
  private final Facts facts;
  private final Changes changes;
  private final CommandPort port;
  private final Predicate<String> isSet;

  /**
   * @param isSet whether make sets a variable of this ported name when it reads this file
   */
  MakePort(MakeFile file, Facts facts, Changes changes, Predicate<String> isSet) {
    this.isSet = isSet;
    this.file = file;
    this.facts = facts;
    this.changes = changes;
    this.port = new CommandPort(facts, file.text());
  }

  /** Collects facts about variables and commands from a makefile. */
  static void collect(MakeFile file, Facts facts) {
    String text = file.text();
    String path = "/" + file.source().path();
    String folder = path.substring(0, path.lastIndexOf('/'));
    for (Part p : file.parts()) {
      String all = text.substring(p.start(), p.end());
      if (p.kind() != Kind.COMMENT) {
        facts.archives().mention(all, folder.substring(folder.lastIndexOf('/') + 1));
      }
      switch (p.kind()) {
        case ASSIGNMENT -> {
          facts.assign(p.name(), text.substring(p.value(), p.valueEnd()).strip());
          facts.mention(all);
        }
        case RECIPE -> facts.command(all);
        case RULE -> {
          facts.mention(all);
          if (p.value() < p.end()) {
            facts.command(text.substring(p.value(), p.end()));
          }
        }
        case DIRECTIVE, INCLUDE, OTHER -> facts.mention(all);
        case COMMENT -> {}
      }
    }
  }

  void port() {
    CubNamespace namespaces = new CubNamespace(changes);
    for (Part p : file.parts()) {
      part(p);
      namespaces.report(file.text(), p.start(), p.end());
    }
    new ArchitectureBranches(file, facts).report(port.outcome());
    String now = port.outcome().report(changes, PREFIX);
    StringBuilder head = new StringBuilder();
    for (String[] need : facts.needs(now, isSet)) {
      if (need[0].equals(CommandPort.ARCH)) {
        head.append("# GPUs to build for: make ROCM_ARCH=\"gfx90a gfx942\"").append(newline());
      }
      head.append(need[0]).append(" ?= ").append(need[1]).append(newline());
      if (need[0].equals(CommandPort.ARCH)) {
        head.append("ROCM_ARCHFLAGS ?= $(addprefix --offload-arch=,$(ROCM_ARCH))")
            .append(newline());
      }
    }
    if (!head.isEmpty() && changes.allows(PREFIX + "ARCH")) {
      changes.edit(Edit.before(head(), head.toString(), PREFIX + "ARCH"));
    }
  }

  private String newline() {
    return file.source().newline();
  }

  /** Returns the offset after the comments at the head. */
  private int head() {
    for (Part p : file.parts()) {
      if (p.kind() != Kind.COMMENT) {
        return p.start();
      }
    }
    return file.text().length();
  }

  private void part(Part p) {
    String text = file.text();
    switch (p.kind()) {
      case COMMENT -> port.names(p.start(), p.end());
      case RECIPE -> port.commands(p.start(), p.end());
      case RULE -> {
        port.other(p.start(), p.value());
        if (p.value() < p.end()) {
          port.commands(p.value(), p.end());
        }
      }
      case ASSIGNMENT -> assignment(p);
      case DIRECTIVE -> {
        if (!compilerName(p)) {
          port.other(p.start(), p.end());
        }
      }
      case INCLUDE -> port.other(p.start(), p.end());
      case OTHER -> {
        Matcher m =
            Pattern.compile("(?s)\\s*\\$\\((foreach|eval)\\b.*\\)\\s*")
                .matcher(text.substring(p.start(), p.end()));
        int before = port.outcome().changes().size();
        port.other(p.start(), p.end());
        List<Outcome.Change> all = port.outcome().changes();
        if (m.matches() && all.size() == before + 1) {
          Outcome.Change c = all.getLast();
          Matcher plain = EVAL.matcher(c.text());
          if (plain.matches()) {
            all.set(before, new Outcome.Change(c.start(), c.end(), plain.group(1), Topic.ARCH));
          }
        }
      }
    }
  }

  /**
   * Ports a condition that compares a variable with nvcc, because its value becomes hipcc. A value
   * that only the user sets stays, and so does the condition.
   */
  private boolean compilerName(Part p) {
    Matcher m = COMPARES_COMPILER.matcher(file.text()).region(p.start(), p.end());
    if (!m.lookingAt()) {
      return false;
    }
    String name = m.group(1) == null ? m.group(4) : m.group(1);
    if (!facts.isCompiler(name)) {
      return false;
    }
    int group = m.group(1) == null ? 3 : 2;
    port.names(p.start(), m.start(group));
    port.replace(m.start(group), m.end(group), "hipcc", Topic.COMPILER);
    port.names(m.end(group), p.end());
    return true;
  }

  private void assignment(Part p) {
    String text = file.text();
    boolean folder =
        facts.renamed(p.name()).equals("ROCM_PATH")
            && text.substring(p.value(), p.valueEnd()).strip().matches(Facts.LITERAL)
            && p.operator().matches(":*=");
    int operator = text.lastIndexOf(p.operator(), p.value());
    if (folder && !text.substring(p.start(), operator).contains("override")) {
      // The folder may not exist on this machine, so the user can override it.
      port.names(p.start(), operator);
      port.replace(operator, operator + p.operator().length(), "?=", Topic.PATH);
    } else {
      port.names(p.start(), p.value());
    }
    port.value(p.name(), p.value(), p.valueEnd());
    port.names(p.valueEnd(), p.end());
  }
}
