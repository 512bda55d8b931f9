package dev.rocport.build.project;

import dev.rocport.toolchain.provision.Extra;
import java.util.Optional;

/** Projects with Bazel. */
final class BazelProject {
  /** The extra that provides its programs. */
  static final Extra TOOLS = new BazelTools();

  /** The build system. */
  static final ProjectSystem SYSTEM =
      new ProjectSystem(
          "bazel",
          BazelRunner::isProject,
          BazelRunner::new,
          Optional.of(TOOLS),
          Optional.empty(),
          BazelRunner::shown);

  private BazelProject() {}
}
