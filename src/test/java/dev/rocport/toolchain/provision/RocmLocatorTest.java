package dev.rocport.toolchain.provision;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RocmLocatorTest {
  @TempDir private Path machine;

  private Path rocm(String root, String... files) throws Exception {
    Path folder = machine.resolve(root);
    for (String file : files) {
      Path p = folder.resolve(file);
      Files.createDirectories(p.getParent());
      Files.writeString(p, "");
    }
    return folder;
  }

  private Path whole(String root) throws Exception {
    return rocm(
        root,
        "include/hip/hip_version.h",
        "lib/llvm/bin/clang++",
        "lib/llvm/lib/clang/20/lib/amdgcn/bitcode/ockl.bc",
        "lib/libamdhip64.so");
  }

  private List<RocmLocator.Parts> search(Map<String, String> environment) throws Exception {
    return new RocmLocator(machine, environment).candidates();
  }

  @Test
  void findsTheUsualPlace() throws Exception {
    Path root = whole("opt/rocm");
    assertThat(search(Map.of()))
        .singleElement()
        .satisfies(
            p -> {
              assertThat(p.complete()).isTrue();
              assertThat(p.clang()).isEqualTo(root.resolve("lib/llvm/bin/clang++"));
              assertThat(p.bitcode()).endsWith(Path.of("amdgcn/bitcode"));
            });
  }

  @Test
  void prefersWhatTheEnvironmentNames() throws Exception {
    whole("opt/rocm");
    Path mine = whole("mine");
    assertThat(search(Map.of("ROCM_PATH", mine.toString())).getFirst().root()).isEqualTo(mine);
    assertThat(search(Map.of("HIP_PATH", mine.toString())).getFirst().root()).isEqualTo(mine);
  }

  @Test
  void findsTheRootOfAHipccOnThePath() throws Exception {
    Path mine = whole("mine");
    Path hipcc = rocm("mine", "bin/hipcc").resolve("bin/hipcc");
    assertThat(hipcc.toFile().setExecutable(true)).isTrue();
    assertThat(search(Map.of("PATH", "/nowhere:" + hipcc.getParent())).getFirst().root())
        .isEqualTo(mine.toRealPath());
  }

  @Test
  void namesWhatAnIncompleteOneLacks() throws Exception {
    rocm("opt/rocm", "include/hip/hip_version.h", "lib/libamdhip64.so");
    assertThat(search(Map.of()).getFirst().missing())
        .containsExactly("llvm/bin/clang++", "amdgcn/bitcode");
  }

  @Test
  void doesNotTakeAProvisionedToolchainForAReal() throws Exception {
    Path mine = whole("mine");
    Files.writeString(mine.resolve(Provisioner.DESCRIPTOR), "");
    assertThat(search(Map.of("ROCM_PATH", mine.toString()))).isEmpty();
  }

  @Test
  void rocportsOwnRuntimeIsNoRocm() throws Exception {
    Path runtime = whole("runtime");
    Path settings = runtime.resolve(RocmLocator.SETTINGS);
    Files.createDirectories(settings.getParent());
    Files.writeString(settings, "");
    assertThat(search(Map.of("ROCM_PATH", runtime.toString()))).isEmpty();
  }
}
