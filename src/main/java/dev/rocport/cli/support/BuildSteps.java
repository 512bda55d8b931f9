package dev.rocport.cli.support;

import dev.rocport.build.run.BuildListener;

/** Prints the steps of a build. */
public final class BuildSteps {
  private BuildSteps() {}

  public static BuildListener of(Console console, boolean quiet) {
    if (quiet) {
      return BuildListener.SILENT;
    }
    return (done, total, what) -> {
      String count = total > 0 ? "[%d/%d] ".formatted(done, total) : "";
      console.err().println("rocport: " + count + what);
    };
  }
}
