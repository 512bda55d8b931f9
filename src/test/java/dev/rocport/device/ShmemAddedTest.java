package dev.rocport.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.TestProfile;
import dev.rocport.core.result.Severity;
import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.cuda.CudaPorter;
import dev.rocport.lang.cuda.symbols.ProjectIndex;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.toolchain.TestCompiler;
import dev.rocport.toolchain.TestToolchain;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainRequest;
import dev.rocport.toolchain.provision.Mpi;
import dev.rocport.toolchain.runtime.Rocshmem;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What {@code rocport/shmem.h} builds on rocSHMEM does what NVSHMEM does: a program of NVSHMEM that
 * checks its own results on each PE, ported, over several GPUs, and over teams of some of them.
 */
@Tag("device")
final class ShmemAddedTest {
  private static final boolean FULL = TestProfile.isFull();
  private static final Path HOME = Path.of(System.getProperty("rocport.home", "."));
  private static final List<String> TARGETS = TestProfile.targets(1);

  @TempDir private Path folder;

  @Test
  void addedFunctionsComputeTheResultsOfNvshmem() throws Exception {
    Path program = program();
    for (String gpu : TARGETS) {
      for (int pes : FULL ? new int[] {1, 2, 3, 4} : new int[] {3}) {
        List<String> right =
            IntStream.range(0, pes).mapToObj(r -> "PE %d of %d: ok".formatted(r, pes)).toList();
        TestDevice.Run ran = run(gpu, pes, program);
        assertThat(ran.out().lines())
            .as("%d PEs on %s: %s", pes, gpu, ran.err())
            .containsExactlyInAnyOrderElementsOf(right);
        assertThat(ran.code()).isZero();
      }
    }
  }

  private Path program() throws Exception {
    Toolchain toolchain = TestToolchain.get();
    Rocshmem rocshmem = Rocshmem.of(toolchain);
    List<String> compile = new ArrayList<>(toolchain.hipCompile(TARGETS));
    compile.addAll(rocshmem.compile());
    compile.addAll(List.of("-c", "-std=c++17", "-O2", "-fgpu-rdc", "-Wall", "-Wextra", "-Werror"));
    compile.addAll(List.of("-Wno-unused-result", "-Wno-unused-value"));
    Path archive = rocshmem.archive(System.err::println);
    List<String> link = new ArrayList<>(List.of(archive.toString()));
    link.addAll(toolchain.linkRelocatable(TARGETS));
    link.add("-Wno-unused-command-line-argument");
    TestCompiler.Compiled object = TestCompiler.compile(port(), compile);
    TestCompiler.Compiled program = TestCompiler.compile(object.made(), link, archive);
    assertThat(object.messages() + program.messages()).isEmpty();
    return program.made();
  }

  private Path port() throws Exception {
    Path source = HOME.resolve("src/test/kernels/shmem_added.cu");
    SourceFile file = SourceFile.of("shmem_added.cu", Files.readString(source));
    Changes changes =
        new CudaPorter(RuleCatalog.builtIn(), PortOptions.DEFAULT).port(file, ProjectIndex.EMPTY);
    assertThat(changes.findings()).noneMatch(f -> f.severity() == Severity.ERROR);
    String ported =
        new String(changes.edits().apply(file.bytes()), StandardCharsets.UTF_8)
            .replace("\"rocport/", "\"" + HOME.toAbsolutePath() + "/hip-runtime/include/rocport/");
    return Files.writeString(folder.resolve("shmem_added.hip"), ported);
  }

  private TestDevice.Run run(String gpu, int pes, Path program) throws Exception {
    TestToolchain.runtime();
    Mpi mpi = Mpi.require(ToolchainRequest.defaults(), System.err::println);
    Map<String, String> variables = new HashMap<>(System.getenv());
    mpi.into(variables);
    List<String> words = new ArrayList<>(List.of("env", "ROCSHMEM_HEAP_SIZE=1048576"));
    variables.forEach(
        (k, v) -> {
          if (!k.equals("LD_LIBRARY_PATH") && !v.equals(System.getenv(k))) {
            words.add(k + "=" + v);
          }
        });
    words.addAll(mpi.command(pes, Map.of(), List.of(program.toString())));
    return TestDevice.run(gpu, 4, folder, 120, words);
  }
}
