package dev.rocport.build.project;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Projects with plain makefiles. */
final class MakeProject implements CudaRecipe {
  /** The build system. */
  static final ProjectSystem SYSTEM =
      new ProjectSystem(
          "make",
          root -> MakeRunner.makefile(root).isPresent(),
          MakeRunner::new,
          Optional.empty(),
          Optional.of(new MakeProject()),
          UnaryOperator.identity());

  private MakeProject() {}

  @Override
  public boolean serves(Path root) throws IOException {
    Optional<Path> makefile = MakeRunner.makefile(root);
    return makefile.isPresent()
        && !(AutotoolsRunner.isProject(root) && AutotoolsRunner.made(makefile.get()));
  }

  @Override
  public List<List<String>> configure(Site site) {
    return List.of();
  }

  @Override
  public List<List<String>> build(Site site) {
    return List.of(site.make(site.arguments()));
  }
}
