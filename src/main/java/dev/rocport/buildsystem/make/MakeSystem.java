package dev.rocport.buildsystem.make;

import dev.rocport.buildsystem.shared.BuildGate;
import dev.rocport.buildsystem.shared.BuildPort;
import dev.rocport.buildsystem.shared.BuildSystem;
import dev.rocport.buildsystem.shared.ProjectFiles;
import dev.rocport.core.source.SourceFile;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.util.List;

/** Handwritten makefiles. */
public record MakeSystem() implements BuildSystem {
  @Override
  public String name() {
    return "make";
  }

  @Override
  public boolean serves(String path) {
    return Makefiles.serves(path);
  }

  @Override
  public BuildPort port(RuleCatalog catalog, PortOptions options, ProjectFiles files) {
    return Makefiles.port(catalog, options, files);
  }

  @Override
  public Changes portSnippet(RuleCatalog catalog, PortOptions options, SourceFile file) {
    return Makefiles.portSnippet(catalog, options, file);
  }

  @Override
  public List<BuildGate> gates() {
    return List.of(MakeGate.GATE);
  }
}
