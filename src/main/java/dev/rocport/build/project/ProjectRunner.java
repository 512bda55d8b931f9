package dev.rocport.build.project;

import dev.rocport.build.plan.PlanException;
import dev.rocport.build.run.PlanRunner;
import dev.rocport.toolchain.ToolchainException;
import java.io.IOException;

/** Builds a project with its own build files. */
public interface ProjectRunner {
  /**
   * Builds the project. A failed build is a finding in the result.
   *
   * @throws PlanException if the build cannot be started
   * @throws ToolchainException if a required build tool is missing and cannot be installed
   */
  PlanRunner.Outcome run()
      throws IOException, InterruptedException, PlanException, ToolchainException;
}
