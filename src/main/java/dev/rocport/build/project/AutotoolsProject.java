package dev.rocport.build.project;

import dev.rocport.toolchain.provision.Extra;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Projects with {@code configure} and make. */
public record AutotoolsProject() implements ProjectSystem, CudaRecipe {
  /** The extra that provides its programs. */
  public static final Extra TOOLS = new AutotoolsTools();

  @Override
  public String name() {
    return "autotools";
  }

  @Override
  public boolean builds(Path root) throws IOException {
    Optional<Path> makefile = MakeRunner.makefile(root);
    return isFirst(root) && (makefile.isEmpty() || AutotoolsRunner.made(makefile.get()));
  }

  /** Returns whether autotools builds the project. CMake takes precedence if a project has both. */
  static boolean isFirst(Path root) {
    return AutotoolsRunner.isProject(root) && !CMakeRunner.isProject(root);
  }

  @Override
  public ProjectRunner runner(ProjectTools project) {
    return new AutotoolsRunner(project);
  }

  @Override
  public Optional<Extra> extra() {
    return Optional.of(TOOLS);
  }

  @Override
  public Optional<CudaRecipe> cuda() {
    return Optional.of(this);
  }

  @Override
  public boolean serves(Path root) {
    return AutotoolsRunner.isProject(root);
  }

  @Override
  public List<List<String>> configure(Site site) throws IOException {
    List<List<String>> commands = new ArrayList<>();
    Path configure = site.tree().resolve("configure");
    boolean source = Files.exists(site.tree().resolve("configure.ac"));
    if (source || Files.exists(site.tree().resolve("configure.in"))) {
      commands.add(List.of("autoreconf", "--install", "--force"));
    }
    List<String> command = new ArrayList<>(List.of("/bin/sh", configure.toString()));
    command.add("--with-cuda=" + site.cuda().root());
    command.addAll(site.arguments());
    commands.add(command);
    return commands;
  }

  @Override
  public List<List<String>> build(Site site) {
    return List.of(site.make(List.of()));
  }
}
