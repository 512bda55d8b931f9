package dev.rocport.build.project;

import dev.rocport.toolchain.provision.Extra;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Projects with CMake, built with Ninja. */
final class CMakeProject implements CudaRecipe {
  /** The extra that provides its programs. */
  static final Extra TOOLS = new CMakeTools();

  /** The build system. */
  static final ProjectSystem SYSTEM =
      new ProjectSystem(
          "cmake",
          CMakeRunner::isProject,
          CMakeRunner::new,
          Optional.of(TOOLS),
          Optional.of(new CMakeProject()),
          UnaryOperator.identity());

  private CMakeProject() {}

  @Override
  public boolean serves(Path root) {
    return CMakeRunner.isProject(root);
  }

  private static Path folder(Site site) {
    return site.tree().resolve("build-rocport");
  }

  @Override
  public List<List<String>> configure(Site site) {
    List<String> command = new ArrayList<>(List.of("cmake", "-G", "Ninja"));
    command.addAll(List.of("-S", site.tree() + "", "-B", folder(site) + ""));
    command.add("-DCMAKE_C_COMPILER=" + site.cuda().bin().resolve("gcc"));
    command.add("-DCMAKE_CXX_COMPILER=" + site.cuda().bin().resolve("g++"));
    command.add("-DCMAKE_CUDA_COMPILER=" + site.cuda().bin().resolve("nvcc"));
    command.add("-DCUDA_TOOLKIT_ROOT_DIR=" + site.cuda().root());
    command.add("-DCUDAToolkit_ROOT=" + site.cuda().root());
    command.addAll(List.of("-DCMAKE_AR=" + site.cuda().bin().resolve("ar")));
    command.add("-DCMAKE_RANLIB=" + site.cuda().bin().resolve("ranlib"));
    command.add("--no-warn-unused-cli");
    command.addAll(site.arguments());
    return List.of(command);
  }

  @Override
  public List<List<String>> build(Site site) {
    return List.of(
        List.of("cmake", "--build", folder(site) + "", "-j" + site.jobs(), "--", "-k", "0"));
  }
}
