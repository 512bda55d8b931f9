package dev.rocport.build.project;

import dev.rocport.toolchain.provision.Extra;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Projects with setuptools. */
public final class PythonProject implements CudaRecipe {
  /** The extra that provides its programs. */
  public static final Extra TOOLS = new PythonTools();

  /** The build system. */
  static final ProjectSystem SYSTEM =
      new ProjectSystem(
          "setup.py",
          PythonProject::builds,
          PythonRunner::new,
          Optional.of(TOOLS),
          Optional.of(new PythonProject()),
          UnaryOperator.identity());

  private PythonProject() {}

  private static boolean builds(Path root) throws IOException {
    if (!PythonRunner.isProject(root)
        || CMakeRunner.isProject(root)
        || AutotoolsProject.isFirst(root)) {
      return false;
    }
    Optional<Path> makefile = MakeRunner.makefile(root);
    return makefile.isEmpty() || !isForGpu(makefile.get());
  }

  /** Returns false for a makefile that only starts the Python build. */
  private static boolean isForGpu(Path makefile) throws IOException {
    String text = Files.readString(makefile, StandardCharsets.ISO_8859_1);
    return text.contains("nvcc") || text.contains("hipcc") || text.contains("NVCC");
  }

  @Override
  public boolean serves(Path root) throws IOException {
    return PythonRunner.isProject(root);
  }

  @Override
  public List<List<String>> configure(Site site) {
    return List.of();
  }

  @Override
  public List<List<String>> build(Site site) {
    Path bin = site.cuda().bin();
    List<String> command = new ArrayList<>();
    command.addAll(List.of("env", "CC=" + bin.resolve("gcc"), "CXX=" + bin.resolve("g++")));
    command.add("CUDA_HOME=" + site.cuda().root());
    command.addAll(PythonRunner.command(site.tree()));
    command.addAll(site.arguments());
    return List.of(command);
  }
}
