package dev.rocport.build.unit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.io.elf.ElfFile;
import dev.rocport.toolchain.TestCompiler;
import dev.rocport.toolchain.TestToolchain;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("toolchain")
final class EmbeddedCodeTest {
  private static final String SOURCE =
      """
      #include <hip/hip_runtime.h>
      __global__ void first(int* p) { *p = 1; }
      __global__ void second(int* p) { *p = 2; }
      """;

  @TempDir private Path folder;

  private List<CodeObject> compiled(String option) throws Exception {
    Path in = Files.writeString(folder.resolve("kernels.hip"), SOURCE);
    List<String> arguments = new ArrayList<>();
    arguments.addAll(TestToolchain.get().hipCompile(List.of("gfx942", "gfx90a")));
    arguments.addAll(List.of("-c", option));
    return EmbeddedCode.of(ElfFile.read(TestCompiler.compile(in, arguments).made()));
  }

  @Test
  void namesTheKernelsOfEachTargetAlsoIfCompressed() throws Exception {
    List<String> kernels = List.of("_Z5firstPi", "_Z6secondPi");
    assertThat(compiled("--no-offload-compress"))
        .containsExactly(
            new CodeObject("gfx90a", true, kernels), new CodeObject("gfx942", true, kernels));
    assertThat(compiled("--offload-compress")).isEqualTo(compiled("--no-offload-compress"));
  }
}
