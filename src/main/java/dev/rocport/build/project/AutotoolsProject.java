package dev.rocport.build.project;

import dev.rocport.toolchain.provision.Extra;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Projects with {@code configure} and make. */
public final class AutotoolsProject implements CudaRecipe {
  /** The extra that provides its programs. */
  public static final Extra TOOLS = new AutotoolsTools();

  /** The build system. */
  static final ProjectSystem SYSTEM =
      new ProjectSystem(
          "autotools",
          AutotoolsProject::builds,
          AutotoolsRunner::new,
          Optional.of(TOOLS),
          Optional.of(new AutotoolsProject()),
          UnaryOperator.identity());

  private AutotoolsProject() {}

  private static boolean builds(Path root) throws IOException {
    Optional<Path> makefile = MakeRunner.makefile(root);
    return isFirst(root) && (makefile.isEmpty() || AutotoolsRunner.made(makefile.get()));
  }

  /** Returns whether autotools builds the project. CMake takes precedence if a project has both. */
  static boolean isFirst(Path root) {
    return AutotoolsRunner.isProject(root) && !CMakeRunner.isProject(root);
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
