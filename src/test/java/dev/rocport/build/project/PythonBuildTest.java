package dev.rocport.build.project;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.rocport.build.BuildResult;
import dev.rocport.build.Builder;
import dev.rocport.build.plan.BuildOptions;
import dev.rocport.build.run.BuildListener;
import dev.rocport.core.result.Finding;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.toolchain.TestToolchain;
import dev.rocport.toolchain.ToolchainRequest;
import dev.rocport.toolchain.provision.Extras;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Projects with a setup.py, with the real setuptools and compiler. */
@Tag("toolchain")
class PythonBuildTest {
  private static final String KERNEL =
      """
      #include <hip/hip_runtime.h>
      __global__ void kernel(float* p) { p[threadIdx.x] = 1.0f; }
      extern "C" void run(float* p) { kernel<<<1, 64>>>(p); }
      """;

  @TempDir private Path folder;
  private Path root;

  @BeforeEach
  void python() throws Exception {
    assumeThat(Extras.find(PythonProject.TOOLS, ToolchainRequest.defaults())).isPresent();
    root = Files.createDirectory(folder.toRealPath().resolve("tree"));
    file("waves/__init__.py", "");
    file("csrc/k.cu", KERNEL);
  }

  private void file(String name, String text) throws Exception {
    Files.createDirectories(root.resolve(name).getParent());
    Files.writeString(root.resolve(name), text);
  }

  private BuildResult build() throws Exception {
    BuildOptions options =
        new BuildOptions(
            root,
            root.resolve("build-rocport"),
            List.of("gfx90a"),
            2,
            false,
            Optional.empty(),
            List.of(),
            List.of(),
            List.of(),
            false,
            false,
            List.of(),
            List.of(),
            Duration.ofMinutes(30),
            Optional.empty(),
            Map.of(),
            false);
    return Builder.of(
            options,
            TestToolchain.get(),
            RuleCatalog.builtIn(),
            Optional.empty(),
            BuildListener.SILENT)
        .build();
  }

  @Test
  void programsStartedBySetupBuildModulesBesideThePackage() throws Exception {
    file(
        "setup.py",
        """
        import os
        import subprocess
        from setuptools import setup
        from setuptools.command.build_py import build_py

        class Build(build_py):
            def run(self):
                super().run()
                out = os.path.join(self.build_lib, "waves", "libk.so")
                hipcc = os.path.join(os.environ["ROCM_PATH"], "bin", "hipcc")
                assert os.environ["USE_ROCM"] == "1"
                subprocess.check_call([hipcc, "-shared", "-fPIC", "-o", out, "csrc/k.cu"])

        setup(name="waves", packages=["waves"], cmdclass={"build_py": Build})
        """);
    BuildResult built = build();
    assertThat(built.source()).isEqualTo("setup.py");
    assertThat(built.allFindings()).isEmpty();
    assertThat(built.units()).singleElement().satisfies(u -> assertThat(u.ok()).isTrue());
    assertThat(root.resolve("build-rocport/tree/waves/libk.so")).exists();
    assertThat(root.resolve("waves/libk.so")).doesNotExist();
  }

  @Test
  void aSetupThatFailsIsAFinding() throws Exception {
    file("setup.py", "raise SystemExit('no CUDA here')\n");
    assertThat(build().allFindings())
        .singleElement()
        .satisfies(f -> assertThat(f.message()).contains("no CUDA here"));
  }

  @Test
  void reportsPyTorchExtensionsWithoutPyTorch() throws Exception {
    file(
        "setup.py",
        """
        from torch.utils.cpp_extension import BuildExtension, CUDAExtension
        raise SystemExit("no CUDA here")
        """);
    file("csrc/bind.cu", "#include <torch/extension.h>\n");
    BuildResult built = build();
    List<Finding> found = built.allFindings();
    assumeThat(found.getFirst().message()).doesNotContain("no CUDA here"); // a PyTorch for ROCm
    assertThat(found)
        .singleElement()
        .satisfies(f -> assertThat(f.message()).contains("PyTorch for ROCm", "csrc/bind.cu"));
    assertThat(built.units()).singleElement().satisfies(u -> assertThat(u.ok()).isTrue());
  }

  @Test
  void aMakefileThatCallsNoCompilerLeavesTheBuildToSetup() throws Exception {
    file("Makefile", "test:\n\tpytest\n");
    file("setup.py", "# no nvcc is needed\nraise SystemExit('started')\n");
    assertThat(build().allFindings())
        .singleElement()
        .satisfies(f -> assertThat(f.message()).contains("started"));
  }
}
