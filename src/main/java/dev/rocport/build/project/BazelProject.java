package dev.rocport.build.project;

import dev.rocport.toolchain.provision.Extra;
import java.nio.file.Path;
import java.util.Optional;

/** Projects with Bazel. */
public record BazelProject() implements ProjectSystem {
  /** The extra that provides its programs. */
  public static final Extra TOOLS = new BazelTools();

  @Override
  public String name() {
    return "bazel";
  }

  @Override
  public boolean builds(Path root) {
    return BazelRunner.isProject(root);
  }

  @Override
  public ProjectRunner runner(ProjectTools project) {
    return new BazelRunner(project);
  }

  @Override
  public Optional<Extra> extra() {
    return Optional.of(TOOLS);
  }

  @Override
  public String shown(String path) {
    return BazelRunner.shown(path);
  }
}
