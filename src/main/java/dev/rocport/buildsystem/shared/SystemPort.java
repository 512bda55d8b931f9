package dev.rocport.buildsystem.shared;

import dev.rocport.core.source.SourceFile;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.util.SortedMap;
import java.util.TreeMap;

/** Ports the files of one build system in a tree, and collects changes and added files. */
public abstract class SystemPort {
  protected final RuleCatalog catalog;
  protected final PortOptions options;
  protected final ProjectFiles files;
  protected final SortedMap<String, Changes> changes = new TreeMap<>();
  protected final SortedMap<String, BuildPort.Added> added = new TreeMap<>();

  /** Macros that are defined for CUDA builds, and their counterparts for ROCm. */
  protected final SortedMap<String, String> switches = new TreeMap<>();

  protected SystemPort(RuleCatalog catalog, PortOptions options, ProjectFiles files) {
    this.catalog = catalog;
    this.options = options;
    this.files = files;
  }

  /** Ports the files of the tree. */
  protected abstract void portTree();

  /** Ports the only file of a tree. */
  protected void portSnippet(SourceFile file) {
    portTree();
  }

  /** Returns the changes of a file of the result. */
  public final Changes changes(SourceFile file) {
    return changes.computeIfAbsent(file.path(), p -> fresh(file));
  }

  /** Returns changes of a file that are not in the result. */
  public final Changes fresh(SourceFile file) {
    return new Changes(file, catalog, options.filter());
  }

  final BuildPort tree() {
    portTree();
    return new BuildPort(changes, added, switches);
  }

  final Changes snippet(SourceFile file) {
    portSnippet(file);
    return changes(file);
  }
}
