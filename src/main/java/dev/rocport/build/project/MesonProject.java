package dev.rocport.build.project;

import dev.rocport.toolchain.provision.Extra;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Projects with Meson, built with Ninja. */
final class MesonProject implements CudaRecipe {
  /** The extra that provides its programs. */
  static final Extra TOOLS = new MesonTools();

  /** The build system. */
  static final ProjectSystem SYSTEM =
      new ProjectSystem(
          "meson",
          MesonRunner::isProject,
          MesonRunner::new,
          Optional.of(TOOLS),
          Optional.of(new MesonProject()),
          UnaryOperator.identity());

  private MesonProject() {}

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
