package dev.rocport.port;

import dev.rocport.commandline.CommandDatabase;
import dev.rocport.commandline.CommandDatabase.DatabaseException;
import dev.rocport.commandline.CommandDatabase.Entry;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.Finding;
import dev.rocport.core.source.FileKind;
import dev.rocport.core.source.SourceTree;
import dev.rocport.core.source.TreeEntry;
import dev.rocport.io.PathText;
import dev.rocport.lang.cuda.symbols.ProjectCommands;
import dev.rocport.rules.Changes;
import dev.rocport.rules.Rule;
import dev.rocport.rules.RuleCatalog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** The {@code compile_commands.json} in the root of a tree, if present, as input of a port. */
final class CommandsOfTree {
  private static final String RULE = "TREE-COMMANDS";

  private final RuleCatalog catalog;
  private final Path root;
  private final SortedMap<String, ProjectCommands.Unit> units = new TreeMap<>();
  private final Set<String> messages = new LinkedHashSet<>();

  private CommandsOfTree(RuleCatalog catalog, Path root) {
    this.catalog = catalog;
    this.root = root;
  }

  static CommandsOfTree of(RuleCatalog catalog, SourceTree tree) {
    CommandsOfTree commands = new CommandsOfTree(catalog, tree.root());
    if (tree.entries().stream().anyMatch(CommandsOfTree::isDatabase)) {
      commands.read();
    }
    return commands;
  }

  private static boolean isDatabase(TreeEntry entry) {
    return entry.path().equals(CommandDatabase.FILE) && entry.kind() == FileKind.OTHER;
  }

  private void read() {
    try {
      for (Entry entry : CommandDatabase.read(root)) {
        if (entry.path().isEmpty()) {
          messages.add(entry.named() + " is compiled with the project but is not in the tree");
        } else {
          units.merge(entry.path().get(), unit(entry), CommandsOfTree::both);
        }
      }
    } catch (DatabaseException e) {
      messages.add(e.getMessage() + ": not used");
    } catch (IOException e) {
      messages.add("cannot be read: " + SourceTree.reason(e));
    }
  }

  ProjectCommands commands() {
    return new ProjectCommands(units);
  }

  /** Returns the entry as CUDA if its command says so, whatever its name. */
  TreeEntry entry(TreeEntry e) {
    ProjectCommands.Unit unit = units.get(e.path());
    boolean odd = e.kind() == FileKind.OTHER && e.language().equals("other");
    if (unit == null || !unit.cuda() || !(odd || e.isSource())) {
      return e;
    }
    return new TreeEntry(e.file(), e.path(), FileKind.SOURCE, "cuda", e.size(), e.note());
  }

  /** Returns the result for the file of commands, with its messages. */
  FileResult told(FileResult r) {
    if (messages.isEmpty() || !r.path().equals(CommandDatabase.FILE)) {
      return r;
    }
    Rule rule = catalog.require(RULE);
    List<Finding> findings = new ArrayList<>(r.findings());
    for (String message : messages) {
      findings.add(Changes.ofFile(rule, r.path(), message));
    }
    return r.with(findings, r.suppressed());
  }

  private ProjectCommands.Unit unit(Entry entry) {
    Set<String> folders = new LinkedHashSet<>();
    SortedMap<String, String> defines = new TreeMap<>();
    List<String> flags = entry.command().compile();
    for (int i = 0; i < flags.size(); i++) {
      String flag = flags.get(i);
      if (flag.startsWith("-I")) {
        folder(entry, flag.substring(2), folders);
      } else if (List.of("-isystem", "-iquote", "-idirafter").contains(flag)
          && i + 1 < flags.size()) {
        folder(entry, flags.get(++i), folders);
      } else if (flag.startsWith("-D")) {
        int equals = flag.indexOf('=');
        defines.put(
            equals < 0 ? flag.substring(2) : flag.substring(2, equals),
            equals < 0 ? "1" : flag.substring(equals + 1));
      } else if (flag.startsWith("-U")) {
        defines.remove(flag.substring(2));
      }
    }
    boolean cuda = entry.command().language().equals("hip");
    return new ProjectCommands.Unit(cuda, List.copyOf(folders), defines);
  }

  private void folder(Entry entry, String name, Set<String> folders) {
    PathText.named(entry.folder(), name)
        .map(Path::normalize)
        .filter(f -> f.startsWith(root))
        .ifPresent(f -> folders.add(root.relativize(f).toString().replace('\\', '/')));
  }

  /** Merges the commands of a file that is compiled twice; a macro that differs has no value. */
  private static ProjectCommands.Unit both(ProjectCommands.Unit a, ProjectCommands.Unit b) {
    Set<String> folders = new LinkedHashSet<>(a.folders());
    folders.addAll(b.folders());
    SortedMap<String, String> defines = new TreeMap<>();
    a.defines()
        .forEach((macro, v) -> defines.put(macro, v.equals(b.defines().get(macro)) ? v : ""));
    b.defines().keySet().forEach(macro -> defines.putIfAbsent(macro, ""));
    return new ProjectCommands.Unit(a.cuda() || b.cuda(), List.copyOf(folders), defines);
  }
}
