package dev.rocport.buildsystem.shared;

import dev.rocport.core.source.SourceFile;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.util.List;
import java.util.function.Predicate;

/**
 * A build system whose files are ported or only checked.
 *
 * @param name also the name of its {@code ProjectSystem}
 * @param files true for paths of its files
 * @param ofTree ports its files in a tree
 * @param ofSnippet ports a single file as a project of its own
 * @param gates forms of gates in a single-source port; empty if its files only get twins
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

  /** Ports the files of a build system in a tree. */
  @FunctionalInterface
  public interface TreePort {
    BuildPort port(RuleCatalog catalog, PortOptions options, ProjectFiles files);
  }

  /** Ports a single file as a project of its own. */
  @FunctionalInterface
  public interface SnippetPort {
    Changes port(RuleCatalog catalog, PortOptions options, SourceFile file);
  }

  /** Returns true for paths of its files. */
  public boolean serves(String path) {
    return files.test(path);
  }

  /** Ports its files in a tree. */
  public BuildPort port(RuleCatalog catalog, PortOptions options, ProjectFiles files) {
    return ofTree.port(catalog, options, files);
  }

  /** Ports a single file as a project of its own. */
  public Changes portSnippet(RuleCatalog catalog, PortOptions options, SourceFile file) {
    return ofSnippet.port(catalog, options, file);
  }
}
