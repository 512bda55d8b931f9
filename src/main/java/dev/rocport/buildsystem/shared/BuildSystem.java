package dev.rocport.buildsystem.shared;

import dev.rocport.core.source.SourceFile;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.util.List;
import java.util.function.Predicate;

/**
 * A build system whose files are ported, or only looked at.
 *
 * @param name the one that a build of the project goes by
 * @param files true for its files, by their paths
 * @param ofTree looks at its files in a tree
 * @param ofSnippet looks at a single file as a project of its own
 * @param gates of its files in a single-source port; empty where they have twins only
 */
public record BuildSystem(
    String name,
    Predicate<String> files,
    TreePort ofTree,
    SnippetPort ofSnippet,
    List<BuildGate> gates) {

  public BuildSystem {
    gates = List.copyOf(gates);
  }

  /** Looks at the files of a build system in a tree. */
  @FunctionalInterface
  public interface TreePort {
    BuildPort port(RuleCatalog catalog, PortOptions options, ProjectFiles files);
  }

  /** Looks at a single file as a project of its own. */
  @FunctionalInterface
  public interface SnippetPort {
    Changes port(RuleCatalog catalog, PortOptions options, SourceFile file);
  }

  /** True for its files, by their paths. */
  public boolean serves(String path) {
    return files.test(path);
  }

  /** Looks at its files in a tree. */
  public BuildPort port(RuleCatalog catalog, PortOptions options, ProjectFiles files) {
    return ofTree.port(catalog, options, files);
  }

  /** Looks at a single file as a project of its own. */
  public Changes portSnippet(RuleCatalog catalog, PortOptions options, SourceFile file) {
    return ofSnippet.port(catalog, options, file);
  }
}
