package dev.rocport.build.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.build.run.UnitResult;
import dev.rocport.build.run.UnitResult.Status;
import dev.rocport.build.unit.Language;
import dev.rocport.build.unit.Unit;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Severity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigurationsTest {
  @TempDir private Path root;

  /** Returns the macros that a unit needs that lacks {@code grid}. */
  private Set<String> macros(String header) throws IOException {
    return macros(header, "grid");
  }

  private Set<String> macros(String header, String missing) throws IOException {
    return macros(header, "unknown type name '" + missing + "'", "");
  }

  private Set<String> macros(String header, String message, String snippet) throws IOException {
    return macros("a.cu", "gpu.h", header, message, snippet);
  }

  private Set<String> macros(
      String path, String include, String header, String message, String snippet)
      throws IOException {
    Files.createDirectories(root.resolve(include).getParent());
    Files.writeString(root.resolve(include), header);
    Finding error =
        new Finding(
            "BUILD-ERROR",
            Severity.ERROR,
            Disposition.UNPORTED,
            "a.cu",
            3,
            1,
            3,
            2,
            message,
            "",
            snippet,
            "f");
    UnitResult unit =
        new UnitResult(
            new Unit(path, path, root, Language.HIP, List.of(), false, root.resolve("a.o")),
            Status.FAILED,
            0,
            new TreeMap<>(),
            new TreeMap<>(),
            0,
            List.of(error),
            "");
    return new Configurations(root, m -> !m.startsWith("__"), m -> m.equals("BUILD_FOR_PYTHON"))
        .macros(unit, List.of(include, "none.h", "a.cu"));
  }

  @Test
  void aMacroOfACopyOfAnotherProjectIsNotNeeded() throws IOException {
    String lacks = "unknown type name 'grid'";
    String header = "#ifdef %s\nstruct grid {};\n#endif\n";
    String copy = "third_party/text/gpu.h";

    assertThat(macros("a.cu", copy, header.formatted("STRICT"), lacks, "")).isEmpty();
    assertThat(macros("a.cu", copy, header.formatted("BUILD_FOR_PYTHON"), lacks, ""))
        .containsExactly("BUILD_FOR_PYTHON");
    assertThat(macros("third_party/text/a.cu", copy, header.formatted("STRICT"), lacks, ""))
        .containsExactly("STRICT");
    Files.writeString(root.resolve("a.cu"), "#ifdef STRICT\n#endif\n");
    assertThat(macros("a.cu", copy, header.formatted("STRICT"), lacks, ""))
        .containsExactly("STRICT");
  }

  @Test
  void aMacroThatTurnsADeclarationOnIsNeeded() throws IOException {
    assertThat(macros("#ifdef GPU\ndim3 grid(int n);\n#endif\n")).containsExactly("GPU");
    assertThat(macros("#ifdef GPU\n#define grid 4\n#endif\n")).containsExactly("GPU");
    assertThat(macros("#ifdef _USE_GPU\ndim3 grid(int n);\n#endif\n")).containsExactly("_USE_GPU");
    assertThat(macros("#if defined(GPU)\n#if 1\ndim3 grid(int n);\n#endif\n#endif\n"))
        .containsExactly("GPU");
    assertThat(macros("#ifndef H\n#define H\n#if GPU || FAST\ndim3 grid(int n);\n#endif\n#endif\n"))
        .containsExactly("GPU");
  }

  @Test
  void aMacroOfTheBuildThatExcludesAMissingHeaderIsNeeded() throws IOException {
    String message = "'mex.h' file not found";

    assertThat(
            macros(
                "#ifdef BUILD_FOR_PYTHON\nint n;\n#else\n#include \"mex.h\"\n#endif\n",
                message,
                ""))
        .containsExactly("BUILD_FOR_PYTHON");
    assertThat(macros("#ifndef BUILD_FOR_PYTHON\n#include <mex.h>\n#endif\n", message, ""))
        .containsExactly("BUILD_FOR_PYTHON");
    assertThat(macros("#ifndef OF_THE_USER\n#include <mex.h>\n#endif\n", message, "")).isEmpty();
    assertThat(macros("#include <mex.h>\n", message, "")).isEmpty();
  }

  /** A unit that is checked without its GPU code would count as compiled. */
  @Test
  void aMacroThatExcludesGpuCodeIsNotUsedForAMissingHeader() throws IOException {
    String message = "'mex.h' file not found";
    String exclusion = "#ifndef BUILD_FOR_PYTHON\n#include <mex.h>\n%s#endif\n";

    assertThat(macros(exclusion.formatted("#include <hip/hip_runtime.h>\n"), message, ""))
        .isEmpty();
    assertThat(macros(exclusion.formatted("__global__ void k();\n"), message, "")).isEmpty();
    String elsewhere =
        "#ifdef BUILD_FOR_PYTHON\nint n;\n#elif N > 2\nvoid f() { hipFree(0); }\n#endif\n";
    assertThat(macros(exclusion.formatted("") + elsewhere, message, "")).isEmpty();
    assertThat(macros(exclusion.formatted("int hips;\n"), message, ""))
        .containsExactly("BUILD_FOR_PYTHON");
  }

  @Test
  void aUnitIsNotCompiledWithMacrosOfOthersThatExcludeItsGpuCode() throws IOException {
    Files.writeString(root.resolve("a.cu"), "#ifndef HOST_ONLY\n__global__ void k();\n#endif\n");
    Configurations configurations = new Configurations(root, m -> true, m -> true);
    SortedSet<String> all = new TreeSet<>(Set.of("GPU", "HOST_ONLY"));

    assertThat(configurations.defines("a.cu", List.of(), Set.of("GPU"), all))
        .containsExactly("GPU");
    assertThat(configurations.defines("b.cu", List.of(), Set.of("HOST_ONLY"), all))
        .containsExactly("GPU", "HOST_ONLY");
  }

  @Test
  void aMacroThatTurnsABaseOfAClassOnIsNeeded() throws IOException {
    String header = "#ifdef WITH_GPU\nclass Model {};\n#endif\n";
    String message = "expected class name";

    Files.writeString(root.resolve("a.cu"), "class Node : public Model {};\n");
    assertThat(macros(header, message, "class Node : public Model {")).containsExactly("WITH_GPU");
    assertThat(macros(header, message, "class Node : public ml::Model {"))
        .containsExactly("WITH_GPU");
    assertThat(macros(header, message, "class Node : public Model, Other {")).isEmpty();
  }

  @Test
  void aMacroThatTurnsTheHeaderOfALibraryOnIsNeeded() throws IOException {
    String header = "#ifdef USE_BLAS\n#include <hipblas/hipblas.h>\n#endif\n";

    assertThat(macros(header, "hipblasHandle_t")).containsExactly("USE_BLAS");
    assertThat(macros(header, "hipfftHandle")).isEmpty();
  }

  @Test
  void usesElsewhereDoNotDefineAMacro() throws IOException {
    String define = "#if defined(GPU) || defined(HIP)\n#define grid 4\n#endif\n";

    assertThat(macros(define + "int n = grid;\n")).containsExactly("GPU");
    assertThat(macros(define + "#ifdef FAST\n#define grid 5\n#else\n#define grid 6\n#endif\n"))
        .isEmpty();
  }

  @Test
  void noMacroIsNeededIfAHeaderHasTheNameAnyway() throws IOException {
    assertThat(macros("dim3 grid(int n);\n")).isEmpty();
    assertThat(macros("#define grid 4\n#ifdef GPU\nint n = grid;\n#endif\n")).isEmpty();
    assertThat(macros("#ifndef CPU\ndim3 grid(int n);\n#endif\n")).isEmpty();
    assertThat(macros("#ifdef GPU\ndim3 grid(int n);\n#else\nint grid(int n);\n#endif\n"))
        .isEmpty();
  }

  @Test
  void macrosOfCompilersAndOfTheHeaderAreNoConfiguration() throws IOException {
    assertThat(macros("#ifdef __ICC\ndim3 grid(int n);\n#endif\n")).isEmpty();
    assertThat(macros("#define GPU\n#ifdef GPU\ndim3 grid(int n);\n#endif\n")).isEmpty();
  }
}
