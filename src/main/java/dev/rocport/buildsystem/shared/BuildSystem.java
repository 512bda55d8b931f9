package dev.rocport.buildsystem.shared;

import dev.rocport.core.source.SourceFile;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.util.List;

/** A build system whose files are ported or only checked. */
public interface BuildSystem {
  /** Returns the name, which is also the name of its {@code ProjectSystem}. */
  String name();

  /** Returns true for paths of its files. */
  boolean serves(String path);

  /** Ports its files in a tree. */
  BuildPort port(RuleCatalog catalog, PortOptions options, ProjectFiles files);

  /** Ports a single file as a project of its own. */
  Changes portSnippet(RuleCatalog catalog, PortOptions options, SourceFile file);

  /**
   * Returns the gate forms of its files in a single-source port; empty if its files only get twins.
   */
  default List<BuildGate> gates() {
    return List.of();
  }
}
