package dev.rocport.buildsystem.other;

import dev.rocport.buildsystem.shared.BuildPort;
import dev.rocport.buildsystem.shared.BuildSystem;
import dev.rocport.buildsystem.shared.ProjectFiles;
import dev.rocport.core.source.SourceFile;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;

/** Build systems that are checked but not ported. */
public record OtherSystems() implements BuildSystem {
  @Override
  public String name() {
    return "other";
  }

  @Override
  public boolean serves(String path) {
    return OtherBuilds.serves(path);
  }

  @Override
  public BuildPort port(RuleCatalog catalog, PortOptions options, ProjectFiles files) {
    return OtherBuilds.port(catalog, options, files);
  }

  @Override
  public Changes portSnippet(RuleCatalog catalog, PortOptions options, SourceFile file) {
    return OtherBuilds.portSnippet(catalog, options, file);
  }
}
