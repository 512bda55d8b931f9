package dev.rocport.singlesource;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.cuda.CudaPorter;
import dev.rocport.lang.cuda.symbols.ProjectIndex;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.toolchain.TestToolchain;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a real preprocessor makes of a ported file for NVIDIA is what it makes of the original. */
@Tag("toolchain")
final class PreprocessorTest {
  private static final Path FIXTURES =
      Path.of(System.getProperty("rocport.home", ".")).resolve("fixtures");

  private static final List<List<String>> COMPILES =
      List.of(
          List.of(
              "-D__CUDACC__=1", "-D__NVCC__=1", "-D__CUDA_ARCH__=900", "-DCUDART_VERSION=13000"),
          List.of("-D__CUDACC__=1", "-D__NVCC__=1", "-DCUDA_VERSION=11080"),
          List.of());

  @Test
  void fixturesReadTheSame(@TempDir Path dir) throws Exception {
    int compared = 0;
    for (String fixture : List.of("last_block_sum", "warp_reduce", "nbody_legacy", "half_mix")) {
      Path before = Files.createDirectories(dir.resolve(fixture).resolve("before"));
      Path after = Files.createDirectories(dir.resolve(fixture).resolve("after"));
      List<SourceFile> files = sources(FIXTURES.resolve(fixture));
      SingleSource style =
          new SingleSource(new CudaPorter(RuleCatalog.builtIn(), PortOptions.DEFAULT));
      ProjectIndex project = ProjectIndex.of(files.stream().map(style::scan).toList());
      for (SourceFile file : files) {
        Files.write(before.resolve(file.path()), file.bytes());
        Files.write(after.resolve(file.path()), style.port(file, project).output());
      }
      for (SourceFile file : files) {
        for (List<String> defines : COMPILES) {
          String original = preprocess(before, file.path(), defines);
          assertThat(original).isNotBlank();
          assertThat(preprocess(after, file.path(), defines)).isEqualTo(original);
          compared++;
        }
      }
    }
    assertThat(compared).isGreaterThanOrEqualTo(12);
  }

  private static List<SourceFile> sources(Path fixture) throws IOException {
    List<SourceFile> files = new ArrayList<>();
    try (Stream<Path> all = Files.list(fixture)) {
      for (Path p : all.filter(f -> f.toString().matches(".*\\.(cu|h)")).sorted().toList()) {
        files.add(new SourceFile(p.getFileName().toString(), Files.readAllBytes(p)));
      }
    }
    return files;
  }

  /** The text without line markers; missing headers are passed over, line numbers are the same. */
  private static String preprocess(Path folder, String file, List<String> defines)
      throws Exception {
    List<String> command = new ArrayList<>(List.of(TestToolchain.get().clang().toString()));
    command.addAll(List.of("-E", "-P", "-x", "c++", "-nostdinc", "-nostdinc++"));
    command.addAll(List.of("-ferror-limit=0", "-w", "-D__LINE__=0"));
    command.addAll(defines);
    command.add(file);
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return text;
  }
}
