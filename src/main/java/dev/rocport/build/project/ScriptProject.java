package dev.rocport.build.project;

import java.io.IOException;
import java.nio.file.Path;

/** Projects with a build script and no other build files. */
public record ScriptProject() implements ProjectSystem {
  @Override
  public String name() {
    return "script";
  }

  @Override
  public boolean builds(Path root) throws IOException {
    return ScriptRunner.script(root).isPresent();
  }

  @Override
  public ProjectRunner runner(ProjectTools project) {
    return new ScriptRunner(project);
  }
}
