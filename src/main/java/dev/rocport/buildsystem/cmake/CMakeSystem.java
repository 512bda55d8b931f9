package dev.rocport.buildsystem.cmake;

import dev.rocport.buildsystem.shared.BuildGate;
import dev.rocport.buildsystem.shared.BuildPort;
import dev.rocport.buildsystem.shared.BuildSystem;
import dev.rocport.buildsystem.shared.ProjectFiles;
import dev.rocport.core.source.SourceFile;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.util.List;

/** The build system CMake. */
public record CMakeSystem() implements BuildSystem {
  @Override
  public String name() {
    return "cmake";
  }

  @Override
  public boolean serves(String path) {
    return CMakeLists.serves(path);
  }

  @Override
  public BuildPort port(RuleCatalog catalog, PortOptions options, ProjectFiles files) {
    return CMakeLists.port(catalog, options, files);
  }

  @Override
  public Changes portSnippet(RuleCatalog catalog, PortOptions options, SourceFile file) {
    return CMakeLists.portSnippet(catalog, options, file);
  }

  @Override
  public List<BuildGate> gates() {
    return List.of(CMakeGate.GATE);
  }
}
