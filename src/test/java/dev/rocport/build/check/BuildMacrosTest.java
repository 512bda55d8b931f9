package dev.rocport.build.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.build.run.UnitResult;
import dev.rocport.build.run.UnitResult.Status;
import dev.rocport.build.unit.Language;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Severity;
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

  private static UnitResult lacking(String name) {
    Finding error =
        new Finding(
            "BUILD-ERROR",
            Severity.ERROR,
            Disposition.UNPORTED,
            "a.cu",
            1,
            1,
            1,
            2,
            "use of undeclared identifier '" + name + "'",
            "",
            "",
            "f");
    return new UnitResult(
        "a.cu",
        Language.HIP,
        Status.FAILED,
        0,
        new TreeMap<>(),
        new TreeMap<>(),
        0,
        List.of(error),
        "");
  }

  private BuildMacros of(String path, String language, String text) throws IOException {
    Files.writeString(tree.resolve(path), text);
    FileResult file =
        new FileResult(
            path, FileResult.Status.PORTED, language, 1, 1, new TreeMap<>(), List.of(), "");
    return new BuildMacros(tree, List.of(file), UnaryOperator.identity());
  }

  @Test
  void unitsMayNeedMacrosOfBuildFiles() throws IOException {
    BuildMacros macros = of("Makefile", "build", "x:\n\t$(CC) -DSIZE=$(SIZE) -D GPU -O-DUMMY\n");

    assertThat(macros.missingIn(lacking("SIZE"))).contains("SIZE");
    assertThat(macros.missingIn(lacking("GPU"))).contains("GPU");
    assertThat(macros.missingIn(lacking("UMMY"))).isEmpty();
    assertThat(macros.missingIn(lacking("OTHER"))).isEmpty();
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
    assertThat(of("a.cu", "cuda", "// nvcc -DSIZE=4").missingIn(lacking("SIZE"))).isEmpty();
  }
}
