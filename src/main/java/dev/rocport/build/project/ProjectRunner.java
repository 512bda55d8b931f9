package dev.rocport.build.project;

import dev.rocport.build.plan.BuildOptions;
import dev.rocport.build.plan.PlanException;
import dev.rocport.build.run.PlanRunner;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.provision.Extra;
import dev.rocport.toolchain.provision.Extras;
import java.io.IOException;
import java.util.Map;

/** Builds a project with its own build files. */
public abstract class ProjectRunner {
  final ProjectTools project;
  final BuildOptions options;
  final Mirror mirror;

  ProjectRunner(ProjectTools project) {
    this.project = project;
    this.options = project.options();
    this.mirror = project.mirror();
  }

  /** Creates the copy of the tree; returns the environment of a build that needs an extra. */
  final Map<String, String> prepare(Extra tools) throws IOException, ToolchainException {
    Map<String, String> environment = project.environment();
    Extras.require(tools, project.request(), project::step).into(environment);
    mirror.create(options.out());
    return environment;
  }

  /**
   * Builds the project. A failed build is a finding in the result.
   *
   * @throws PlanException if the build cannot be started
   * @throws ToolchainException if a required build tool is missing and cannot be installed
   */
  public abstract PlanRunner.Outcome run()
      throws IOException, InterruptedException, PlanException, ToolchainException;
}
