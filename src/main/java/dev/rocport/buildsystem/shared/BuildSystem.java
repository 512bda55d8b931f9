package dev.rocport.buildsystem.shared;

import dev.rocport.core.source.SourceFile;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.util.List;

/** A build system whose files are ported, or only looked at. */
public interface BuildSystem {
  /** Its name, the one that a build of the project goes by. */
  String name();

  /** True for its files, by their paths. */
  boolean serves(String path);

  /** Looks at its files in a tree. */
  BuildPort port(RuleCatalog catalog, PortOptions options, ProjectFiles files);

  /** Looks at a single file as a project of its own. */
  Changes portSnippet(RuleCatalog catalog, PortOptions options, SourceFile file);

  /** The gates of its files in a single-source port; empty where they have twins only. */
  default List<BuildGate> gates() {
    return List.of();
  }
}
