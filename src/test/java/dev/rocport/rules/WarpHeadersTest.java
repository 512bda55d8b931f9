package dev.rocport.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.toolchain.TestCompiler;
import dev.rocport.toolchain.TestCompiler.Compiled;
import dev.rocport.toolchain.TestToolchain;
import dev.rocport.toolchain.Toolchain;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The compiler diagnostics for {@code warp_sync.h} and {@code wave.h}; that they compute the right
 * things on waves of 64 lanes is shown by {@code src/test/kernels/warp_sync.hip} and {@code
 * wave.hip}.
 */
@Tag("toolchain")
final class WarpHeadersTest {
  private static final Path HOME = Path.of(System.getProperty("rocport.home", "."));
  private static final Path KERNELS = HOME.resolve("src/test/kernels").toAbsolutePath();
  private static final Path INCLUDE = HOME.resolve("hip-runtime/include").toAbsolutePath();
  private static final Pattern REFUSED =
      Pattern.compile("masks\\.hip:(\\d+):\\d+: error: a mask of rocport::wave has 64 bits");
  private static final List<String> STRICT = List.of("-Wall", "-Wextra", "-pedantic", "-Werror");

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"warp_sync,gfx1030", "warp_sync,gfx1100", "wave,gfx1030", "wave,gfx1100"})
  void everyFunctionCompilesForWavesOf32Lanes(String program, String gpu) throws Exception {
    Compiled compiled =
        hip(
            gpu,
            KERNELS.resolve(program + ".hip"),
            List.of("-O2", "-std=c++14", "-Wall", "-Wextra", "-S"));
    assertThat(compiled.messages()).isEmpty();
    assertThat(Files.readString(compiled.made())).contains(".amdhsa_wavefront_size32 1");
  }

  /** Each call with a mask that was not widened is an error at that call, and no other one is. */
  @Test
  void masksOf32BitsAreRefused() throws Exception {
    List<String> lines =
        List.of(
            "#include \"rocport/wave.h\"",
            "namespace w = rocport::wave;",
            "template <class M> __device__ int lanes(M mask) {",
            "  return w::popc(mask);  // refused",
            "}",
            "__global__ void f(w::mask* out, int v, unsigned m, const w::mask wide, long same) {",
            "  out[0] = w::ballot_sync(0xffffffff, v);  // refused",
            "  out[0] = w::ballot_sync(0xffffffffffffffff, v);",
            "  out[0] = w::ballot_sync(w::full, v) + w::ballot_sync(wide, v);",
            "  out[0] = w::ballot_sync(same, v) + w::ballot_sync(1ull << v, v);",
            "  out[0] = w::ballot_sync(1u << v, v);  // refused",
            "  out[0] = w::any_sync(m, v);  // refused",
            "  out[0] = w::all_sync(~0u, v);  // refused",
            "  out[0] = w::uni_sync(-1, v);  // refused",
            "  out[0] = w::shfl_sync(m, v, 0);  // refused",
            "  out[0] = w::shfl_up_sync(m, v, 1);  // refused",
            "  out[0] = w::shfl_down_sync(m, v, 1);  // refused",
            "  out[0] = w::shfl_xor_sync(m, v, 1);  // refused",
            "  out[0] = w::match_any_sync(m, v);  // refused",
            "  out[0] = w::match_all_sync(m, v, &v);  // refused",
            "  out[0] = w::reduce_add_sync(m, v);  // refused",
            "  out[0] = w::reduce_min_sync(m, v);  // refused",
            "  out[0] = w::reduce_max_sync(m, 1u);  // refused",
            "  out[0] = w::reduce_and_sync(m, 1u);  // refused",
            "  out[0] = w::reduce_or_sync(m, 1u);  // refused",
            "  out[0] = w::reduce_xor_sync(m, 1u);  // refused",
            "  w::syncwarp(0xffff);  // refused",
            "  out[0] = w::ffs(m);  // refused",
            "  out[0] = w::clz(m);  // refused",
            "  out[0] = w::brev(m);  // refused",
            "  out[0] = w::fns(m, 0, 1);  // refused",
            "  out[0] = lanes(m) + lanes(wide);",
            "  out[0] = w::reduce_add_sync(wide, v) + w::shfl_down_sync(w::activemask(), v, 1);",
            "}");
    Path source = folder.resolve("masks.hip");
    Files.write(source, lines);
    Compiled compiled = hip("gfx90a", source, withStrict("-fsyntax-only", "-ferror-limit=0"));
    List<Integer> expected = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).endsWith("// refused")) {
        expected.add(i + 1);
      }
    }
    assertThat(
            REFUSED
                .matcher(compiled.messages())
                .results()
                .map(r -> Integer.valueOf(r.group(1)))
                .sorted())
        .as(compiled.messages())
        .containsExactlyElementsOf(expected);
    assertThat(Pattern.compile(" error: ").matcher(compiled.messages()).results())
        .as(compiled.messages())
        .hasSameSizeAs(expected);
  }

  @Test
  void underNvccTheNamesAreCudas() throws Exception {
    List<String> arguments = withStrict("-x", "c++", "-std=c++14", "-fsyntax-only");
    Compiled compiled = TestCompiler.compile(KERNELS.resolve("wave_nvcc.cpp"), arguments);
    assertThat(compiled.messages()).isEmpty();
    assertThat(compiled.code()).isZero();
  }

  private static List<String> withStrict(String... flags) {
    List<String> all = new ArrayList<>(STRICT);
    all.addAll(List.of(flags));
    return all;
  }

  private static Compiled hip(String gpu, Path source, List<String> flags) throws Exception {
    Toolchain toolchain = TestToolchain.get();
    List<String> arguments = new ArrayList<>(toolchain.hipCompile(List.of(gpu)));
    arguments.addAll(List.of("--cuda-device-only", "-I" + INCLUDE));
    arguments.addAll(flags);
    return TestCompiler.compile(source, arguments);
  }
}
