package dev.rocport.build.project;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** Projects with plain makefiles. */
final class MakeProject implements CudaRecipe {
  /** The build system. */
  static final ProjectSystem SYSTEM =
      new ProjectSystem(
          "make",
          MakeProject::builds,
          MakeRunner::new,
          Optional.empty(),
          Optional.of(new MakeProject()),
          UnaryOperator.identity());

  /** A recipe line or variable that compiles: {@code $(CC) -c}, {@code hipcc}. */
  private static final Pattern COMPILES =
      Pattern.compile("\\$[({](?:CC|CXX|NVCC|HIPCC)[)}]|\\b(?:hipcc|nvcc|gcc|g\\+\\+|clang)\\b");

  /** A recipe line that configures the folder with CMake: {@code cd build && cmake ..}. */
  private static final Pattern CONFIGURES =
      Pattern.compile("(?m)^\\t.*(?:\\bcmake|\\$[({]CMAKE[)}])\\s.*(?:\\.\\.|-S\\b|-B\\b)");

  /** A setting that only this makefile gives to CMake. */
  private static final Pattern SETTING = Pattern.compile("-D(?!CMAKE_BUILD_TYPE\\b)\\w");

  private MakeProject() {}

  /**
   * Returns whether the makefile of a folder builds it. One that only runs CMake does not: rocport
   * build runs CMake itself, with the compiler and the folders that it needs.
   */
  private static boolean builds(Path root) throws IOException {
    Optional<Path> makefile = MakeRunner.makefile(root);
    if (makefile.isEmpty() || !Files.isRegularFile(root.resolve("CMakeLists.txt"))) {
      return makefile.isPresent();
    }
    String text = Files.readString(makefile.get(), StandardCharsets.ISO_8859_1);
    return !CONFIGURES.matcher(text).find()
        || COMPILES.matcher(text).find()
        || SETTING.matcher(text).find();
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
