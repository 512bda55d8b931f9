package dev.rocport.build.project;

import dev.rocport.toolchain.provision.Extra;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Projects with Meson, built with Ninja. */
public record MesonProject() implements ProjectSystem, CudaRecipe {
  /** The extra that provides its programs. */
  public static final Extra TOOLS = new MesonTools();

  @Override
  public String name() {
    return "meson";
  }

  @Override
  public boolean builds(Path root) throws IOException {
    return MesonRunner.isProject(root);
  }

  @Override
  public ProjectRunner runner(ProjectTools project) {
    return new MesonRunner(project);
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
    return Files.isRegularFile(root.resolve("meson.build"));
  }

  private static String folder(Site site) {
    return site.tree().resolve("build-rocport").toString();
  }

  @Override
  public List<List<String>> configure(Site site) {
    Path bin = site.cuda().bin();
    List<String> command = new ArrayList<>();
    command.addAll(List.of("env", "CC=" + bin.resolve("gcc"), "CXX=" + bin.resolve("g++")));
    command.addAll(List.of("NVCC=" + bin.resolve("nvcc"), "AR=" + bin.resolve("ar")));
    command.addAll(List.of("meson", "setup", folder(site), site.tree().toString()));
    command.addAll(site.arguments());
    return List.of(command);
  }

  @Override
  public List<List<String>> build(Site site) {
    return List.of(List.of("ninja", "-C", folder(site), "-j" + site.jobs(), "-k", "0"));
  }
}
