package dev.rocport.port;

import dev.rocport.buildsystem.shared.LibraryCopies;
import dev.rocport.buildsystem.shared.LibraryCopies.Copy;
import dev.rocport.buildsystem.shared.LibraryCopies.Use;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.Finding;
import dev.rocport.core.source.FileKind;
import dev.rocport.core.source.SourceTree;
import dev.rocport.core.source.TreeEntry;
import dev.rocport.lang.cuda.symbols.ProjectCommands;
import dev.rocport.lang.python.CopiedFolders;
import dev.rocport.rules.Changes;
import dev.rocport.rules.RuleCatalog;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What decides how the files of a tree are treated, before any of them is analyzed. */
final class TreeFacts {
  private static final String COPY = "TREE-COPY";

  private final RuleCatalog catalog;
  private final CommandsOfTree commands;
  private final LibraryCopies copies;
  private final List<Copy> told;

  private TreeFacts(RuleCatalog catalog, CommandsOfTree commands, LibraryCopies copies) {
    this.catalog = catalog;
    this.commands = commands;
    this.copies = copies;
    this.told = copies.outermost();
  }

  static TreeFacts of(RuleCatalog catalog, SourceTree tree) {
    Map<String, TreeEntry> files = new HashMap<>();
    Set<String> sources = new LinkedHashSet<>();
    for (TreeEntry e : tree.entries()) {
      switch (e.kind()) {
        case LINK, SKIPPED, UNREADABLE -> {}
        default -> files.put(e.path(), e);
      }
      if (e.isSource()) {
        sources.add(e.path());
      }
    }
    LibraryCopies copies =
        LibraryCopies.of(
            files.keySet(),
            sources,
            (path, text) -> {
              TreeEntry e = files.get(path);
              return e != null && holds(e, text);
            });
    return new TreeFacts(catalog, CommandsOfTree.of(catalog, tree), copies);
  }

  private static boolean holds(TreeEntry entry, String text) {
    try {
      return Files.readString(entry.file(), StandardCharsets.ISO_8859_1).contains(text);
    } catch (IOException e) {
      return false; // the port meets the same file and reports it
    }
  }

  ProjectCommands commands() {
    return commands.commands();
  }

  /** Returns the files of a tree with what its build says of them. */
  TreeFiles files(Collection<TreeEntry> entries, Target target) {
    return new TreeFiles(entries, copies, target);
  }

  /** Returns the folders with copies of libraries, for builds in Python. */
  CopiedFolders copied() {
    return copies.isEmpty() ? CopiedFolders.NONE : new Copied(copies);
  }

  private record Copied(LibraryCopies copies) implements CopiedFolders {
    @Override
    public Optional<Found> at(String folder, String path, String shown, String build) {
      Use use = Use.of(copies.at(folder, path), LibraryCopies.selectsHost(build));
      String message = use.message(shown);
      return switch (use.kind()) {
        case NONE -> Optional.empty();
        case LEFT_OUT -> Optional.of(new Found(Kind.LEFT_OUT, message));
        case FOR_HOST -> Optional.of(new Found(Kind.STAYS, message));
        case HIDES -> Optional.of(new Found(Kind.HIDES, message));
      };
    }

    @Override
    public String key() {
      return copies.outermost().toString();
    }
  }

  /**
   * Returns the entry as CUDA if its command says so, whatever its name. Files of copies are not
   * analyzed.
   */
  TreeEntry entry(TreeEntry e) {
    return switch (e.kind()) {
      case SOURCE, PYTHON, JAVA, BUILD, OTHER ->
          copies.has(e.path())
              ? new TreeEntry(e.file(), e.path(), FileKind.OTHER, "other", e.size(), e.note())
              : commands.entry(e);
      default -> e;
    };
  }

  /** Returns the result of a file that is not ported, with what the tree tells about it. */
  FileResult told(FileResult r) {
    List<Finding> findings = new ArrayList<>();
    for (Copy copy : told) {
      if (copy.header().equals(r.path())) {
        findings.add(Changes.ofFile(catalog.require(COPY), r.path(), message(copy)));
      }
    }
    return commands.told(findings.isEmpty() ? r : Results.with(r, findings));
  }

  private static String message(Copy copy) {
    return "%s: copy of %s, which is not ported; %s takes its place"
        .formatted(String.join(", ", copy.folders()), copy.name(), copy.rocm());
  }
}
