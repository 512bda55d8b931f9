package dev.rocport.build.cuda;

import dev.rocport.build.project.AutotoolsRunner;
import dev.rocport.build.project.CMakeRunner;
import dev.rocport.build.project.MakeRunner;
import dev.rocport.build.project.Mirror;
import dev.rocport.build.project.PythonRunner;
import dev.rocport.cudastub.CudaStandIn;
import dev.rocport.toolchain.provision.Extra;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** How a build system is driven for CUDA, with the stand-in in the toolkit's place. */
interface CudaRecipe {
  /** All there are; a tree may be built by several. */
  List<CudaRecipe> ALL =
      List.of(new Autotools(), new CMake(), new Make(), new Meson(), new Python());

  /** What the build system is called. */
  String name();

  /** Whether a tree is built so. */
  boolean serves(Path root) throws IOException;

  /** What it needs that the machine may lack. */
  Optional<Extra> extra();

  /** The commands that configure, in order; run in the tree. */
  List<List<String>> configure(Site site) throws IOException;

  /** The commands that build, in order; run in the tree. */
  List<List<String>> build(Site site) throws IOException;

  /**
   * Where it is driven.
   *
   * @param mirror the copy of the tree
   * @param arguments for the project's configure, or for make
   */
  record Site(CudaStandIn cuda, Mirror mirror, int jobs, List<String> arguments) {
    public Site {
      arguments = List.copyOf(arguments);
    }

    private Path tree() {
      return mirror.folder();
    }

    private List<String> make(List<String> more) {
      List<String> command = new ArrayList<>(List.of("make", "--keep-going", "-j" + jobs));
      mirror.variables().forEach(v -> command.add(v + "=" + cuda.root()));
      command.addAll(more);
      return command;
    }
  }

  /** {@code configure} and make. */
  record Autotools() implements CudaRecipe {
    @Override
    public String name() {
      return "autotools";
    }

    @Override
    public boolean serves(Path root) {
      return AutotoolsRunner.isProject(root);
    }

    @Override
    public Optional<Extra> extra() {
      return Optional.of(Extra.AUTOTOOLS);
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

  /** CMake and Ninja. */
  record CMake() implements CudaRecipe {
    @Override
    public String name() {
      return "cmake";
    }

    @Override
    public boolean serves(Path root) {
      return CMakeRunner.isProject(root);
    }

    @Override
    public Optional<Extra> extra() {
      return Optional.of(Extra.CMAKE);
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

  /** Meson and Ninja. */
  record Meson() implements CudaRecipe {
    @Override
    public String name() {
      return "meson";
    }

    @Override
    public boolean serves(Path root) {
      return Files.isRegularFile(root.resolve("meson.build"));
    }

    @Override
    public Optional<Extra> extra() {
      return Optional.of(Extra.MESON);
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

  /** setuptools. */
  record Python() implements CudaRecipe {
    @Override
    public String name() {
      return "setup.py";
    }

    @Override
    public boolean serves(Path root) throws IOException {
      return PythonRunner.isProject(root);
    }

    @Override
    public Optional<Extra> extra() {
      return Optional.of(Extra.PYTHON);
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

  /** Makefiles as they come. */
  record Make() implements CudaRecipe {
    @Override
    public String name() {
      return "make";
    }

    @Override
    public boolean serves(Path root) throws IOException {
      Optional<Path> makefile = MakeRunner.makefile(root);
      return makefile.isPresent()
          && !(AutotoolsRunner.isProject(root) && AutotoolsRunner.made(makefile.get()));
    }

    @Override
    public Optional<Extra> extra() {
      return Optional.empty();
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
}
