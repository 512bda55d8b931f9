package dev.rocport.build.project;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Projects with plain makefiles. */
public record MakeProject() implements ProjectSystem, CudaRecipe {
  @Override
  public String name() {
    return "make";
  }

  @Override
  public boolean builds(Path root) throws IOException {
    return MakeRunner.makefile(root).isPresent();
  }

  @Override
  public ProjectRunner runner(ProjectTools project) {
    return new MakeRunner(project);
  }

  @Override
  public Optional<CudaRecipe> cuda() {
    return Optional.of(this);
  }

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
