package dev.rocport.build.project;

import java.util.Optional;
import java.util.function.UnaryOperator;

/** Projects with a build script and no other build files. */
final class ScriptProject {
  /** The build system. */
  static final ProjectSystem SYSTEM =
      new ProjectSystem(
          "script",
          root -> ScriptRunner.script(root).isPresent(),
          ScriptRunner::new,
          Optional.empty(),
          Optional.empty(),
          UnaryOperator.identity());

  private ScriptProject() {}
}
