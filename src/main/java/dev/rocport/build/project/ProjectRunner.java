package dev.rocport.build.project;

import dev.rocport.build.plan.PlanException;
import dev.rocport.build.run.PlanRunner;
import dev.rocport.toolchain.ToolchainException;
import java.io.IOException;

/** Builds a project by its own build files. */
public interface ProjectRunner {
  /**
   * What came of it; a project that does not build is a finding in it.
   *
   * @throws PlanException if the build cannot be started
   * @throws ToolchainException if what the project is built with is not here and cannot be had
   */
  PlanRunner.Outcome run()
      throws IOException, InterruptedException, PlanException, ToolchainException;
}
