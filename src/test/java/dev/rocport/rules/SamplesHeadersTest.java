package dev.rocport.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.toolchain.TestCompiler;
import dev.rocport.toolchain.TestCompiler.Compiled;
import dev.rocport.toolchain.TestToolchain;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The headers with the names of those of the CUDA samples compile without a warning; what they
 * compute is shown by {@code src/test/kernels/samples_helpers.hip}.
 */
@Tag("toolchain")
final class SamplesHeadersTest {
  private static final Path INCLUDE = Path.of("hip-runtime/include").toAbsolutePath();
  private static final List<String> HEADERS =
      RuleCatalog.builtIn().names().stream()
          .filter(n -> n.family().equals("API-SAMPLES") && n.kind() == ApiName.Kind.HEADER)
          .map(ApiName::hip)
          .distinct()
          .toList();

  @TempDir Path folder;

  @Test
  void eachHeaderCompilesAlone() throws Exception {
    assertThat(HEADERS).hasSizeGreaterThan(5);
    for (String header : HEADERS) {
      compile(List.of(header), List.of("-std=c++11"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"-std=c++11", "-std=c++14", "-std=c++17"})
  void allCompileTogetherForDeviceAndHost(String standard) throws Exception {
    compile(HEADERS, List.of(standard));
    compile(HEADERS, List.of(standard, "-x", "c++"));
  }

  @Test
  void theyCompileAfterThoseOfTheLibraries() throws Exception {
    List<String> headers =
        new ArrayList<>(
            List.of(
                "hipblas/hipblas.h",
                "hipfft/hipfft.h",
                "hiprand/hiprand.h",
                "hipsparse/hipsparse.h",
                "hipsolver/hipsolver.h"));
    headers.addAll(HEADERS);
    compile(headers, List.of("-std=c++17"));
  }

  private void compile(List<String> headers, List<String> flags) throws Exception {
    Path source = folder.resolve("a.hip");
    Files.writeString(
        source,
        headers.stream().map(h -> "#include <" + h + ">\n").collect(Collectors.joining())
            + "int used(int);\n");
    List<String> arguments = new ArrayList<>(TestToolchain.get().hipCompile(List.of("gfx942")));
    arguments.addAll(
        List.of(
            "-I" + INCLUDE,
            "-fsyntax-only",
            "-Wall",
            "-Wextra",
            "-Wno-unused-command-line-argument"));
    arguments.addAll(flags);
    Compiled compiled = TestCompiler.compile(source, arguments);
    assertThat(compiled.messages()).as(String.join(" ", headers)).isEmpty();
    assertThat(compiled.code()).isZero();
  }
}
