package dev.rocport.buildsystem.bazel;

import dev.rocport.buildsystem.shared.BuildPort;
import dev.rocport.buildsystem.shared.BuildSystem;
import dev.rocport.buildsystem.shared.ProjectFiles;
import dev.rocport.core.source.SourceFile;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;

/** The build system Bazel. */
public record BazelSystem() implements BuildSystem {
  @Override
  public String name() {
    return "bazel";
  }

  @Override
  public boolean serves(String path) {
    return BazelBuild.serves(path);
  }

  @Override
  public BuildPort port(RuleCatalog catalog, PortOptions options, ProjectFiles files) {
    return BazelBuild.port(catalog, options, files);
  }

  @Override
  public Changes portSnippet(RuleCatalog catalog, PortOptions options, SourceFile file) {
    return BazelBuild.portSnippet(catalog, options, file);
  }
}
