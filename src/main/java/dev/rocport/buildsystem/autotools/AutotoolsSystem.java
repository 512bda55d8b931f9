package dev.rocport.buildsystem.autotools;

import dev.rocport.buildsystem.shared.BuildGate;
import dev.rocport.buildsystem.shared.BuildPort;
import dev.rocport.buildsystem.shared.BuildSystem;
import dev.rocport.buildsystem.shared.ProjectFiles;
import dev.rocport.core.source.SourceFile;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.util.List;

/** The build system autotools. */
public record AutotoolsSystem() implements BuildSystem {
  @Override
  public String name() {
    return "autotools";
  }

  @Override
  public boolean serves(String path) {
    return Autotools.serves(path);
  }

  @Override
  public BuildPort port(RuleCatalog catalog, PortOptions options, ProjectFiles files) {
    return Autotools.port(catalog, options, files);
  }

  @Override
  public Changes portSnippet(RuleCatalog catalog, PortOptions options, SourceFile file) {
    return Autotools.portSnippet(catalog, options, file);
  }

  @Override
  public List<BuildGate> gates() {
    return List.of(AutomakeGate.GATE, ConfigureGate.GATE);
  }
}
