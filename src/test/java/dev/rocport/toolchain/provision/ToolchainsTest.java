package dev.rocport.toolchain.provision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rocport.io.Folders;
import dev.rocport.io.Sha256;
import dev.rocport.toolchain.GfxTarget;
import dev.rocport.toolchain.Library;
import dev.rocport.toolchain.TestToolchain;
import dev.rocport.toolchain.ToolRun;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.ToolchainRequest;
import dev.rocport.toolchain.packages.Deb;
import dev.rocport.toolchain.packages.Manifest;
import dev.rocport.toolchain.packages.PackageList;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With the real toolchain of this machine. */
@Tag("toolchain")
class ToolchainsTest {
  @TempDir private Path folder;

  private ToolRun run(List<String> command) throws IOException {
    return ToolRun.of(command, folder, Map.of(), Duration.ofMinutes(2));
  }

  private ToolRun build(Toolchain t, String source, List<String> libraries) throws IOException {
    Path file = Files.writeString(folder.resolve("a.hip"), source);
    List<String> compile = new ArrayList<>(List.of(t.clang().toString()));
    compile.addAll(t.hipCompile(List.of("gfx90a", "gfx942")));
    compile.addAll(List.of("-c", file.toString(), "-o", "a.o"));
    ToolRun compiled = run(compile);
    if (!compiled.ok()) {
      return compiled;
    }
    List<String> link = new ArrayList<>(List.of(t.clang().toString(), "a.o", "-o", "a.out"));
    link.addAll(t.link());
    libraries.forEach(l -> link.add("-l" + l));
    return run(link);
  }

  @Test
  void buildsAProgramThatUsesEveryLibrary() throws Exception {
    Toolchain t = TestToolchain.get();
    String source =
        """
        #include <hip/hip_runtime.h>
        #include <hipblas/hipblas.h>
        #include <rccl/rccl.h>
        __global__ void k(int *p) { p[threadIdx.x] = __shfl_xor_sync(~0ull, (int)threadIdx.x, 1); }
        int main() {
          int *p = nullptr;
          hipblasHandle_t h;
          ncclUniqueId id;
          k<<<1, 64>>>(p);
          return hipMalloc((void **)&p, 4) + hipblasCreate(&h) + ncclGetUniqueId(&id);
        }
        """;
    ToolRun built = build(t, source, t.libraries().stream().map(Library::linkName).toList());
    assertThat(built.output()).doesNotContain("error");
    assertThat(built.code()).isZero();
    assertThat(t.targets()).contains(new GfxTarget("gfx90a"), new GfxTarget("gfx942"));
  }

  @Test
  void anUnknownFunctionDoesNotLink() throws Exception {
    String source =
        """
        #include <hip/hip_runtime.h>
        extern "C" int hipNoSuchFunction();
        int main() { return hipNoSuchFunction(); }
        """;
    ToolRun built = build(TestToolchain.get(), source, List.of());
    assertThat(built.ok()).isFalse();
    assertThat(built.output()).contains("hipNoSuchFunction");
  }

  @Test
  void aCallWithoutRuntimeAbortsWithTheFunctionsName() throws Exception {
    Toolchain t = TestToolchain.get();
    org.junit.jupiter.api.Assumptions.assumeTrue(t.kind() == Toolchain.Kind.PROVISIONED);
    String source =
        """
        #include <hip/hip_runtime.h>
        int main() { return hipDeviceSynchronize(); }
        """;
    assertThat(build(t, source, List.of()).output()).doesNotContain("error");
    ToolRun ran =
        ToolRun.of(
            List.of(folder.resolve("a.out").toString()),
            folder,
            Map.of("LD_LIBRARY_PATH", t.lib().toString()),
            Duration.ofSeconds(20));
    assertThat(ran.code()).isEqualTo(134);
    assertThat(ran.output()).contains("hipDeviceSynchronize");
  }

  @Test
  void answersFromTheCacheInMilliseconds() throws Exception {
    ToolchainRequest request = ToolchainRequest.defaults();
    Toolchain first = TestToolchain.get();
    List<String> steps = new ArrayList<>();
    long begin = System.nanoTime();
    for (int i = 0; i < 20; i++) {
      assertThat(Toolchains.require(request, steps::add)).isEqualTo(first);
    }
    assertThat(steps).isEmpty();
    assertThat(Duration.ofNanos((System.nanoTime() - begin) / 20))
        .isLessThan(Duration.ofMillis(50));
  }

  @Test
  void saysWhatToDoWhereThereIsNone() {
    ToolchainRequest request =
        new ToolchainRequest(folder, Map.of(), false, false, true, false, Optional.empty());
    assertThatThrownBy(() -> Toolchains.require(request, line -> {}))
        .isInstanceOf(ToolchainException.class)
        .hasMessageContaining("rocport toolchain install");
  }

  @Test
  void aDamagedOfflineFolderLeavesNothingInstalled() throws Exception {
    Path packages = Files.createDirectories(folder.resolve("packages"));
    Path deb = Files.writeString(packages.resolve("a_1_all.deb"), "not a package");
    String sum = Sha256.of(deb);
    // A machine with no compiler of its own unpacks one first.
    List<Deb> listed =
        PackageList.builtIn().groups().stream()
            .map(group -> new Deb(group, "a", "1", sum, deb))
            .toList();
    Files.writeString(packages.resolve(Manifest.FILE), new Manifest(listed).text());
    Path home = folder.resolve("home");
    ToolchainRequest request =
        new ToolchainRequest(
            home, System.getenv(), true, false, true, false, Optional.of(packages));
    assertThatThrownBy(() -> Toolchains.install(request, line -> {}))
        .isInstanceOf(ToolchainException.class)
        .hasMessageContaining("a_1_all.deb");
    assertThat(home.resolve("current")).doesNotExist();
    assertThat(Folders.list(home.resolve("installs"))).isEmpty();
  }
}
