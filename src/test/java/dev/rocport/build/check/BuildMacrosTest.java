package dev.rocport.build.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.core.result.FileResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BuildMacrosTest {
  @TempDir private Path tree;

  private BuildMacros of(String path, String language, String text) throws IOException {
    return new BuildMacros(tree, List.of(file(path, language, text)), UnaryOperator.identity());
  }

  private FileResult file(String path, String language, String text) throws IOException {
    Path file = tree.resolve(path);
    Files.createDirectories(file.resolveSibling(""));
    Files.writeString(file, text);
    return new FileResult(
        path, FileResult.Status.PORTED, language, 1, 1, new TreeMap<>(), List.of(), "");
  }

  @Test
  void definitionsOfCommandsAreMacros() throws IOException {
    BuildMacros macros = of("Makefile", "build", "x:\n\t$(CC) -DSIZE=$(SIZE) -D GPU -O-DUMMY\n");

    assertThat(macros.defines("SIZE")).isTrue();
    assertThat(macros.defines("GPU")).isTrue();
    assertThat(macros.defines("UMMY")).isFalse();
    assertThat(macros.defines("OTHER")).isFalse();
  }

  @Test
  void theNewestStandardCountsIfItIsNewerThanTheDefault() throws IOException {
    String text = "set(CMAKE_CXX_STANDARD 17)\nset(CMAKE_CUDA_STANDARD 20)\n# cxx_std_23\n";
    assertThat(of("CMakeLists.txt", "build", text).standard()).contains("gnu++20");
    assertThat(of("a.cmake", "build", "set(CXX_STANDARD 14)\n").standard()).isEmpty();
    assertThat(of("Makefile", "build", "F = -std=c++2b\n").standard()).contains("gnu++23");
  }

  @Test
  void standardsOfCopiesCountOnlyIfTheProjectSelectsNone() throws IOException {
    FileResult copy = file("third_party/text/flags.cmake", "build", "set(F -std=c++20)\n");
    FileResult own = file("CMakeLists.txt", "build", "set(CMAKE_CXX_STANDARD 17)\n");

    assertThat(new BuildMacros(tree, List.of(own, copy), UnaryOperator.identity()).standard())
        .isEmpty();
    assertThat(new BuildMacros(tree, List.of(copy), UnaryOperator.identity()).standard())
        .contains("gnu++20");
  }

  @Test
  void theProjectDoesNotDefineTheMacrosOfItsCopies() throws IOException {
    FileResult copy = file("deps/text/Makefile", "build", "F = -DSTRICT -DGPU\n");
    FileResult own = file("Makefile", "build", "F = -DGPU\n");
    BuildMacros macros = new BuildMacros(tree, List.of(own, copy), UnaryOperator.identity());

    assertThat(macros.defines("STRICT")).isTrue();
    assertThat(macros.definesItself("STRICT")).isFalse();
    assertThat(macros.definesItself("GPU")).isTrue();
  }

  @Test
  void macrosOfExtensionsInSetupAreMacros() throws IOException {
    BuildMacros macros =
        of(
            "setup.py",
            "python",
            "define_macros = [('FOR_PYTHON', None), (\"N\", '4')]\nx = ('Y', 1)\n");

    assertThat(macros.defines("FOR_PYTHON")).isTrue();
    assertThat(macros.defines("N")).isTrue();
    assertThat(macros.defines("Y")).isFalse();
  }

  @Test
  void macrosWithAnUnderscoreBelongToTheProjectIfItsBuildNamesThem() throws IOException {
    BuildMacros macros =
        of(
            "a.cmake",
            "build",
            "add_compile_definitions(_GEM_GPU)\nset(F -D_RUBY_MPI=1 -D__NVCC__)\n");

    assertThat(macros.isOfProject("GEM")).isTrue();
    assertThat(macros.isOfProject("_GEM_GPU")).isTrue();
    assertThat(macros.isOfProject("_GEM_SYCL")).isTrue();
    assertThat(macros.isOfProject("_RUBY_MPI")).isTrue();
    assertThat(macros.isOfProject("_MSC_VER")).isFalse();
    assertThat(macros.isOfProject("_GEM")).isFalse();
    assertThat(macros.isOfProject("__NVCC__")).isFalse();
  }

  @Test
  void textOfSourcesIsNoCommand() throws IOException {
    assertThat(of("a.cu", "cuda", "// nvcc -DSIZE=4").defines("SIZE")).isFalse();
  }

  @Test
  void commentsDefineNothing() throws IOException {
    BuildMacros macros =
        of(
            "Makefile",
            "build",
            """
            # old: -DA=4 \
              -DB
            X = $# -DC # -DD
            dnl -DE
            #[[ -DF
            -DG ]] -DH
            -DI#-DJ
            """);

    assertThat(List.of("A", "B", "D", "E", "F", "G")).noneMatch(macros::defines);
    assertThat(List.of("C", "H", "I")).allMatch(macros::defines);
  }
}
