package dev.rocport.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.rocport.core.source.SourceTree;
import dev.rocport.core.source.TreeSelection;
import dev.rocport.inventory.Bill.Use;
import dev.rocport.inventory.binary.BinaryBytes;
import dev.rocport.rules.RuleCatalog;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is found in single files. */
class BillScanTest {
  private static final ComponentTable TABLE = new ComponentTable(RuleCatalog.builtIn(), "6.4");

  @TempDir private Path folder;

  private Bill bill() {
    try {
      SourceTree tree = SourceTree.walk(TreeSelection.of(List.of(folder)));
      return BillScan.of(TABLE, tree, List.of("tree"), 1 << 20, 2);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private Bill bill(String name, String text) {
    write(name, text.getBytes(StandardCharsets.UTF_8));
    return bill();
  }

  private void write(String name, byte[] bytes) {
    try {
      Path file = folder.resolve(name);
      Files.createDirectories(file.getParent());
      Files.write(file, bytes);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static List<String> ids(Bill bill) {
    return bill.uses().stream().map(u -> u.component().id()).sorted().toList();
  }

  private static Use use(Bill bill, String id) {
    return bill.uses().stream()
        .filter(u -> u.component().id().equals(id))
        .findFirst()
        .orElseThrow();
  }

  private static List<String> places(Bill bill, String id) {
    return use(bill, id).evidence().stream()
        .map(e -> e.kind().label() + " " + e.place() + " " + e.text())
        .toList();
  }

  @Test
  void includesAndNamesIdentifyLibraries() {
    Bill bill =
        bill(
            "a.cpp",
            """
            #include <cudnn.h>
            #include "rmm/device_buffer.hpp"
            // cublasCreate is no use
            const char* text = "cublasCreate";
            void f() { cudssCreate(&h); thrust::sort(a, b); nvjpegDecode(x); int cudss; }
            """);
    assertThat(ids(bill)).containsExactly("cudnn", "cudss", "nvjpeg", "rmm", "thrust");
    assertThat(places(bill, "rmm")).containsExactly("include a.cpp:2 rmm/device_buffer.hpp");
    assertThat(places(bill, "thrust")).containsExactly("name a.cpp:5 thrust::sort");
  }

  @Test
  void aNameWithoutCounterpartMakesSupportPartial() {
    Bill all = bill("a.cpp", "int f() { return cublasCreate(&h); }\n");
    assertThat(use(all, "cublas").support()).isEqualTo(Support.YES);
    Bill some = bill("b.cpp", "int f() { return cublasSetSmCountTarget(h, 3); }\n");
    assertThat(use(some, "cublas").without()).containsExactly("cublasSetSmCountTarget");
    assertThat(use(some, "cublas").support()).isEqualTo(Support.PARTLY);
  }

  @Test
  void macrosOfTheTreeAndOtherNamespacesAreNoUse() {
    Bill bill =
        bill(
            "a.cpp",
            "#define OPTIX_CHECK(x) x\nvoid f() { OPTIX_CHECK(1); mine::thrust::sort(); }\n");
    assertThat(ids(bill)).isEmpty();
  }

  @Test
  void theLanguagesOwnNamesCountInCudaFilesOnly() {
    assertThat(ids(bill("a.cpp", "int f() { return __syncthreads(); }\n"))).isEmpty();
    assertThat(ids(bill("b.cu", "__global__ void f() { __syncthreads(); }\n")))
        .containsExactly("cuda-language");
  }

  @Test
  void aFileOfHipIsNoCuda() {
    String text = "#include <hip/hip_runtime.h>\n#include <thrust/sort.h>\n";
    Bill bill = bill("a.hip", text + "__global__ void f() { __syncthreads(); ncclSend(0); }\n");
    assertThat(ids(bill)).doesNotContain("cuda-language", "nccl");
  }

  @Test
  void distinguishesInlinePtxFromHostAssembly() {
    assertThat(ids(bill("a.cu", "void f() { asm volatile(\"pause\"); }\n"))).isEmpty();
    Bill bill = bill("b.cu", "void f() { asm volatile(\"bar.sync 0;\"); }\n");
    assertThat(places(bill, "ptx")).containsExactly("code b.cu:1 asm statement");
  }

  @Test
  void conditionsGiveVersionsAndArchitectures() {
    Bill bill =
        bill(
            "a.cuh",
            """
            #if CUDART_VERSION >= 11020 && CUDNN_VERSION < 8900
            #elif NCCL_VERSION_CODE >= NCCL_VERSION(2, 18, 3)
            #elif CUDNN_VERSION >= 90100 && defined(CUDART_VERSION)
            #elif __CUDA_ARCH__ >= 800
            #endif
            """);
    assertThat(use(bill, "cuda-runtime").versions()).containsExactly(">=11.2");
    assertThat(use(bill, "cudnn").versions()).containsExactly("<8.9.0", ">=9.1.0");
    assertThat(use(bill, "nccl").versions()).containsExactly(">=2.18.3");
    assertThat(bill.targets()).extracting(Bill.Target::name).containsExactly("sm_80");
  }

  @Test
  void cmakeGivesPackagesTargetsLibrariesAndArchitectures() {
    Bill bill =
        bill(
            "CMakeLists.txt",
            """
            project(p LANGUAGES CXX CUDA)
            find_package(CUDAToolkit 12.2 REQUIRED)
            find_package(NCCL)
            # find_package(CUDNN)
            set(CMAKE_CUDA_ARCHITECTURES 80 90-virtual)
            target_link_libraries(p PRIVATE CUDA::cublas ${CUDA_CUFFT_LIBRARIES} cudss)
            """);
    assertThat(ids(bill)).containsExactly("cublas", "cuda-toolkit", "cudss", "cufft", "nccl");
    assertThat(use(bill, "cuda-toolkit").versions()).containsExactly(">=12.2");
    assertThat(places(bill, "cublas")).containsExactly("cmake CMakeLists.txt:6 CUDA::cublas");
    assertThat(bill.targets()).extracting(Bill.Target::name).containsExactly("sm_80", "compute_90");
  }

  @Test
  void makefilesGiveFlags() {
    Bill bill =
        bill(
            "Makefile",
            "NVCC = nvcc -gencode arch=compute_70,code=sm_70\n"
                + "LIBS = -lcusparseLt -lnvidia-ml -lcudamine # -lnvrtc\n"
                + "\tcp /usr/lib/libnccl.so.2 .\n");
    assertThat(ids(bill)).containsExactly("cuda-toolkit", "cusparselt", "nccl", "nvml", "nvrtc");
    assertThat(use(bill, "nccl").versions()).containsExactly("2");
    assertThat(bill.targets()).extracting(Bill.Target::name).containsExactly("compute_70", "sm_70");
  }

  @Test
  void requirementsGivePackagesAndTheToolkit() {
    Bill bill =
        bill(
            "requirements.txt",
            "torch==2.3.0+cu121\nnvidia-cublas-cu12==12.1.3.1\nauto-gptq\nnumpy\naccelerate\n");
    assertThat(ids(bill)).containsExactly("cublas", "cuda-toolkit", "pypi:auto-gptq", "pytorch");
    assertThat(use(bill, "cuda-toolkit").versions()).containsExactly("12", "12.1");
    assertThat(use(bill, "cublas").evidence().getFirst().purl())
        .isEqualTo("pkg:pypi/nvidia-cublas-cu12@12.1.3.1");
    assertThat(use(bill, "pypi:auto-gptq").support()).isEqualTo(Support.MANUAL);
  }

  @Test
  void dockerfilesGiveImagesAndSystemPackages() {
    Bill bill =
        bill(
            "Dockerfile",
            """
            FROM nvidia/cuda:12.4.1-cudnn-devel-ubuntu22.04
            RUN apt-get update && apt-get install -y libnccl2=2.21.5-1+cuda12.4 \\
                cuda-toolkit-12-4 && pip install cupy-cuda12x
            FROM ubuntu:22.04
            """);
    assertThat(ids(bill)).containsExactly("cuda-toolkit", "cudnn", "cupy", "nccl");
    assertThat(use(bill, "cuda-toolkit").versions()).contains("12.4.1", "12.4");
    assertThat(places(bill, "nccl"))
        .containsExactly("apt Dockerfile:2 libnccl2==2.21.5-1+cuda12.4");
  }

  @Test
  void condaEnvironmentsGiveVersions() {
    Bill bill =
        bill(
            "environment.yml",
            "dependencies:\n  - nvidia::cuda-nvcc=12.4\n  - cudnn>=8.9\n  - pip:\n    - pycuda\n");
    assertThat(ids(bill)).containsExactly("cuda-toolkit", "cudnn", "pycuda");
    assertThat(use(bill, "cudnn").versions()).containsExactly(">=8.9");
    assertThat(use(bill, "pycuda").evidence().getFirst().line()).isEqualTo(5);
  }

  @Test
  void lockFilesAndInstalledPackagesGiveVersions() {
    write(
        "uv.lock",
        "version = 1\n[[package]]\nname = \"cupy-cuda12x\"\nversion = \"13.3.0\"\n"
            .getBytes(StandardCharsets.UTF_8));
    write(
        "Pipfile.lock",
        "{\"default\": {\"pycuda\": {\"version\": \"==2024.1\"}}}\n"
            .getBytes(StandardCharsets.UTF_8));
    Bill bill =
        bill(
            "lib/nvidia_nccl_cu12-2.20.5.dist-info/METADATA",
            "Metadata-Version: 2.1\nName: nvidia-nccl-cu12\nVersion: 2.20.5\n");
    assertThat(ids(bill)).containsExactly("cuda-toolkit", "cupy", "nccl", "pycuda");
    assertThat(use(bill, "cupy").versions()).containsExactly("13.3.0");
    assertThat(places(bill, "cupy")).containsExactly("pip uv.lock:3 cupy-cuda12x==13.3.0");
    assertThat(use(bill, "pycuda").versions()).containsExactly("2024.1");
    assertThat(use(bill, "nccl").evidence().getFirst().line()).isEqualTo(2);
  }

  @Test
  void librariesThatAreLoadedByNameCount() {
    Bill bill =
        bill("a.c", "void f(void) { dlopen(\"libnvidia-ml.so.1\", 1); load(\"nvcuda.dll\"); }\n");
    assertThat(ids(bill)).containsExactly("cuda-driver", "nvml");
    assertThat(places(bill, "nvml")).containsExactly("link a.c:1 libnvidia-ml.so.1");
  }

  @Test
  void longLinesAreReadInTimeThatGrowsWithThem() {
    String[] words = {
      "project(", " ", "1_", "lib", "libx+", "-l", "dependency('cuda' ", "\"", "find_library("
    };
    for (String word : words) {
      String line = word.repeat(100_000 / word.length());
      write("a.py", (line + "x\n").getBytes(StandardCharsets.UTF_8));
      write("Makefile", ("a" + line + "x.dll\n").getBytes(StandardCharsets.UTF_8));
      write("configure.ac", ("AC_CHECK_LIB(" + line).getBytes(StandardCharsets.UTF_8));
      write("a.ptx", (line + "\n".repeat(60_000)).getBytes(StandardCharsets.UTF_8));
      assertTimeoutPreemptively(Duration.ofSeconds(60), () -> bill());
    }
  }

  @Test
  void autoconfChecksGiveLibraries() {
    Bill bill =
        bill(
            "configure.ac",
            "AC_CHECK_LIB([cublas], [cublasCreate_v2], [x=1])\n"
                + "AC_SEARCH_LIBS([cufftPlan1d], [cufft m], [], [x=0])\n"
                + "AC_SEARCH_LIBS(curandCreateGenerator, curand)\n"
                + "AC_CHECK_HEADERS([cudnn.h nccl.h])\n");
    assertThat(ids(bill)).containsExactly("cublas", "cudnn", "cufft", "curand", "nccl");
  }

  @Test
  void mesonGivesModulesAndVersions() {
    Bill bill =
        bill(
            "meson.build",
            "project('p', 'cpp', 'cuda')\n"
                + "c = dependency('cuda', version: '>=11.8', modules: ['cublas', 'curand'])\n"
                + "n = cc.find_library('nccl')\n");
    assertThat(ids(bill)).containsExactly("cublas", "cuda-toolkit", "curand", "nccl");
    assertThat(use(bill, "cuda-toolkit").versions()).containsExactly(">=11.8");
  }

  @Test
  void aLayerThatDefinesCudasNamesHidesNoUse() {
    write("hip.h", "#define cudaMalloc hipMalloc\n".getBytes(StandardCharsets.UTF_8));
    Bill bill = bill("a.cpp", "void f() { cudaMalloc(&p, 4); }\n");
    assertThat(places(bill, "cuda-runtime")).contains("name a.cpp:1 cudaMalloc");
  }

  @Test
  void windowsLibraryVersionsHaveTheirPoint() {
    assertThat(VersionNumber.ofFile("120_0")).isEqualTo("12.0");
    assertThat(VersionNumber.ofFile("110")).isEqualTo("11.0");
    assertThat(VersionNumber.ofFile("12")).isEqualTo("12");
    assertThat(VersionNumber.ofFile("8")).isEqualTo("8");
    assertThat(VersionNumber.ofFile("12.4.127")).isEqualTo("12.4.127");
  }

  @Test
  void importsCountUnlessTheModuleIsTheTreesOwn() {
    write("warp/__init__.py", new byte[0]);
    Bill bill =
        bill(
            "a.py",
            "\"\"\"\nimport pycuda\n\"\"\"\nimport numpy, cupy as cp\nfrom numba import cuda\n"
                + "import warp\nimport numba\n");
    assertThat(ids(bill)).containsExactly("cupy", "numba-cuda");
  }

  @Test
  void binariesAreEvidenceWithVersionsAndArchitectures() {
    byte[] fatbin = BinaryBytes.fatbin(new int[] {2, 86});
    write(
        "lib/libx.so",
        BinaryBytes.library(
            "libx.so",
            List.of("libcudart.so.12", "libcudnn_ops.so.9"),
            Map.of(".nv_fatbin", fatbin)));
    write("bin/x.exe", BinaryBytes.windows(List.of("cublas64_11.dll"), fatbin));
    write("k.ptx", ".version 8.0\n.target sm_80\n".getBytes(StandardCharsets.UTF_8));
    Bill bill = bill();
    assertThat(ids(bill)).containsExactly("cublas", "cuda-runtime", "cudnn", "device-code", "ptx");
    assertThat(use(bill, "cublas").versions()).containsExactly("11");
    assertThat(places(bill, "cuda-runtime"))
        .containsExactly("binary lib/libx.so needs libcudart.so.12");
    assertThat(bill.targets())
        .extracting(t -> t.name() + " " + t.how())
        .containsExactly("compute_80 ptx", "sm_86 cubin", "sm_86 cubin");
    assertThat(bill.has(Support.NO)).isTrue();
  }

  @Test
  void damagedFilesAreNotesAndOthersAreStillListed() {
    write("bad.fatbin", BinaryBytes.fatbin(new int[] {2, 80}));
    write("cut.cubin", java.util.Arrays.copyOf(BinaryBytes.cubin(7, 80), 30));
    Bill bill = bill("a.cpp", "#include <nccl.h>\n");
    assertThat(bill.notes()).extracting(Bill.Note::path).containsExactly("cut.cubin");
    assertThat(ids(bill)).containsExactly("device-code", "nccl");
  }

  @Test
  void aTreeWithoutCudaHasAnEmptyBill() {
    Bill bill = bill("a.cpp", "#include <vector>\nint main() { return cudaish; }\n");
    assertThat(bill.uses()).isEmpty();
    assertThat(bill.has(Support.YES)).isFalse();
  }
}
