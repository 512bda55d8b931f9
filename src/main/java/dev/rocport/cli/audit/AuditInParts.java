package dev.rocport.cli.audit;

import dev.rocport.assess.Phases;
import dev.rocport.assess.ShmemUses;
import dev.rocport.cli.option.TreeChoices;
import dev.rocport.cli.report.Reporter;
import dev.rocport.core.result.Result;
import dev.rocport.core.source.SourceFile;
import dev.rocport.core.source.SourceTree;
import dev.rocport.core.source.TreeEntry;
import dev.rocport.core.source.TreeSelection;
import dev.rocport.port.DecidingTarget;
import dev.rocport.port.PortedFile;
import dev.rocport.port.Porter;
import dev.rocport.port.RenamedSources;
import dev.rocport.port.Target;
import dev.rocport.port.TreeInParts;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;

/** The steps of an audit in parts: the result is that of {@link TreeAudit}. */
final class AuditInParts {
  /** Begins the note of what a part says about the phases. */
  private static final String WORDS = "words ";

  /** Begins the note of a file with NVSHMEM. */
  private static final String SHMEM = "shmem ";

  private final RuleCatalog catalog;
  private final PortOptions options;
  private final TreeChoices choices;
  private final Path folder;
  private final Path root;
  private final Porter porter;

  /**
   * @param folder of the parts
   * @param root of the tree
   */
  AuditInParts(
      RuleCatalog catalog, PortOptions options, TreeChoices choices, Path folder, Path root) {
    this.catalog = catalog;
    this.options = options;
    this.choices = choices;
    this.folder = folder;
    this.root = root;
    this.porter =
        new Porter(catalog, options, RenamedSources.NONE, choices.jobs(), choices.maxFile());
  }

  /** Divides a tree; returns the number of parts. */
  int plan(TreeSelection selection, long size) throws IOException {
    return TreeInParts.plan(folder, porter, SourceTree.walk(selection), size);
  }

  private TreeInParts tree() {
    return TreeInParts.open(folder, catalog, porter, root, choices.jobs());
  }

  void facts(int part) {
    tree().facts(part);
  }

  void join() throws IOException {
    Set<String> shmem = new ConcurrentSkipListSet<>();
    tree().join(target(shmem), () -> notes(shmem));
  }

  void files(int part) throws IOException {
    TreeInParts tree = tree();
    Phases phases = Phases.scan(catalog.phases(), tree.part(part));
    Set<String> shmem = new ConcurrentSkipListSet<>();
    tree.files(
        part,
        target(shmem),
        () -> {
          List<String> notes = new ArrayList<>(notes(shmem));
          notes.add(WORDS + phases.words());
          return notes;
        });
  }

  private static List<String> notes(Set<String> shmem) {
    return shmem.stream().map(path -> SHMEM + path).toList();
  }

  private Target target(Set<String> shmem) {
    return DecidingTarget.onto(
        new LookingTarget(Optional.empty(), file -> look(file, shmem)),
        TreeAudit.decisions(options, root));
  }

  private static void look(PortedFile file, Set<String> shmem) {
    if (ShmemUses.concerns(file.entry(), file.source())) {
      shmem.add(file.entry().path());
    }
  }

  /** Returns the result of an audit of all files. */
  Result result(String command, Reporter reporter) throws IOException {
    TreeInParts tree = tree();
    TreeInParts.Found all = tree.all();
    List<String> words = new ArrayList<>();
    Set<String> shmem = new ConcurrentSkipListSet<>();
    for (String note : all.notes()) {
      if (note.startsWith(WORDS)) {
        words.add(note.substring(WORDS.length()));
      } else {
        shmem.add(note.substring(SHMEM.length()));
      }
    }
    ShmemUses uses = new ShmemUses(porter::cuda);
    for (TreeEntry e : tree.tree().entries()) {
      if (shmem.contains(e.path())) {
        uses.look(e, new SourceFile(e.path(), Files.readAllBytes(e.file())));
      }
    }
    Result result = reporter.assess(command, choices.paths(), all.files());
    return result
        .with(Phases.scan(catalog.phases(), tree.tree(), words).of(result))
        .withShmem(uses.of(result));
  }
}
