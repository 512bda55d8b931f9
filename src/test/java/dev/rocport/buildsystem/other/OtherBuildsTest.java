package dev.rocport.buildsystem.other;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.buildsystem.TestFiles;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Severity;
import dev.rocport.core.source.SourceFile;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OtherBuildsTest {
  private static List<Finding> look(String path, String text) {
    return OtherBuilds.SYSTEM
        .portSnippet(RuleCatalog.builtIn(), PortOptions.DEFAULT, SourceFile.of(path, text))
        .findings();
  }

  @Test
  void flagsOfOtherCommandsHaveNoReplacement() {
    assertThat(look("config/arch.sh", "command -v nvidia-smi || exit 1\n"))
        .singleElement()
        .satisfies(f -> assertThat(f.message()).startsWith("nvidia-smi").doesNotContain("-v"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SConstruct | env['NVCC'] = '/opt/tools/nvcc' | nvcc is the CUDA compiler",
        "SConscript | LIBS=['cusolver'] | cusolver: -lhipsolver",
        "sub/wscript | conf.load('cuda') | a search for CUDA",
        "xmake.lua | add_cugencodes('native') | xmake supports CUDA but not HIP",
        "premake5.lua | buildcustomizations 'BuildCustomizations/CUDA 12.2' | Visual Studio",
        "app.pro | LIBS += -L$$(CUDA_PATH)/lib64 -lcudart | CUDA_PATH is a variable",
        "app.props | <AdditionalDependencies>cublas.lib;cufft.lib</AdditionalDependencies> | cufft:"
            + " -lhipfft",
        "app.vcxproj | <Include>$(CudaToolkitIncludeDir)</Include> | a property of the CUDA build"
            + " rules for Visual Studio",
        "justfile | nvcc -rdc=true -o a a.cu | -rdc=true: -fgpu-rdc",
        "Taskfile.yml | - nvcc -lineinfo a.cu | -lineinfo: -gline-tables-only",
        "out.ninja | rule cu | ",
        "out.ninja | command = nvcc -arch=sm_90 -c $in -o $out | nvcc is the CUDA compiler",
        "build.rs | .header('cuda_runtime.h') | hip/hip_runtime.h",
        "Jamroot | lib cudart : : <search>/usr/local/cuda-12/lib64 ; | the CUDA folder",
        "BUCK | cuda_library(name = 'k') | a build rule for CUDA",
        "BUILD.gn | cflags = [ '--generate-code=arch=compute_80' ] | an NVIDIA architecture",
        "flake.nix | config.cudaSupport = true; | rocmSupport",
        "configure | CUDA_HOME=/opt/cuda | ROCM_PATH",
        "recipe/meta.yaml | - {{ compiler('cuda') }} | a CUDA package of conda recipes",
        "SConstruct | env.Program('cuda_demo', 'main.cpp') | ",
        "SConstruct | # nvcc would do | ",
        "a.vcxproj | <!-- nvcc --> | ",
      })
  void linesThatAskForCudaAreErrorsWithWhatRocmHas(String path, String line, String said) {
    List<Finding> found = look(path, "first\n" + line + "\n");
    if (said == null) {
      assertThat(found).isEmpty();
    } else {
      assertThat(found)
          .singleElement()
          .satisfies(
              f -> {
                assertThat(f.severity()).isEqualTo(Severity.ERROR);
                assertThat(f.message()).contains(said);
                assertThat(f.line()).isEqualTo(2);
              });
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "module load gcc cuda/12.4",
        "srun --gres=gpu:a100:2 ./app",
        "nvidia-smi -L",
        "nvcc --version",
        "docker run --gpus all image",
        "export LD_LIBRARY_PATH=/usr/local/cuda/lib64",
      })
  void whatScriptsSayOfNvidiaIsAWarning(String line) {
    assertThat(look("job.slurm", line + "\n"))
        .singleElement()
        .satisfies(f -> assertThat(f.severity()).isEqualTo(Severity.WARNING));
  }

  @Test
  void scriptsThatCompileAreErrorsUnlessTheyKnowHipcc() {
    String script = "nvcc -O2 -o app app.cu\n";
    assertThat(look("build.sh", script))
        .singleElement()
        .satisfies(f -> assertThat(f.severity()).isEqualTo(Severity.ERROR));
    assertThat(look("build.sh", script + "hipcc -O2 -o app app.hip\n")).isEmpty();
  }

  /** Only on Windows is a Visual Studio project the build that is used. */
  @ParameterizedTest
  @ValueSource(strings = {"app/CMakeLists.txt", "Makefile"})
  void aVisualStudioProjectBesideAPortedBuildIsOneWarning(String build) {
    SortedMap<String, SourceFile> tree = new TreeMap<>();
    String lines = "<CudaCompile Include=\"a.cu\"/>\n<Link>cublas.lib</Link>\n";
    for (String path : List.of("app/vc/app.vcxproj", "app/SConstruct", build)) {
      tree.put(path, SourceFile.of(path, lines));
    }
    SortedMap<String, Changes> changes =
        OtherBuilds.SYSTEM
            .port(RuleCatalog.builtIn(), PortOptions.DEFAULT, new TestFiles(tree))
            .changes();

    assertThat(changes.get("app/vc/app.vcxproj").findings())
        .singleElement()
        .satisfies(f -> assertThat(f.severity()).isEqualTo(Severity.WARNING));
    assertThat(changes.get("app/SConstruct").findings())
        .extracting(Finding::severity)
        .containsOnly(Severity.ERROR);
  }
}
