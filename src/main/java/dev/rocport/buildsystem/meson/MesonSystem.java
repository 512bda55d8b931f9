package dev.rocport.buildsystem.meson;

import dev.rocport.buildsystem.shared.BuildPort;
import dev.rocport.buildsystem.shared.BuildSystem;
import dev.rocport.buildsystem.shared.ProjectFiles;
import dev.rocport.core.source.SourceFile;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;

/** The build system Meson. */
public record MesonSystem() implements BuildSystem {
  @Override
  public String name() {
    return "meson";
  }

  @Override
  public boolean serves(String path) {
    return MesonBuild.serves(path);
  }

  @Override
  public BuildPort port(RuleCatalog catalog, PortOptions options, ProjectFiles files) {
    return MesonBuild.port(catalog, options, files);
  }

  @Override
  public Changes portSnippet(RuleCatalog catalog, PortOptions options, SourceFile file) {
    return MesonBuild.portSnippet(catalog, options, file);
  }
}
