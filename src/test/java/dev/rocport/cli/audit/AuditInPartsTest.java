package dev.rocport.cli.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.cli.CommandLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An audit in parts reports what an audit of the whole tree reports, to the byte. */
class AuditInPartsTest {
  @TempDir private Path folder;
  private Path root;
  private Path parts;

  @BeforeEach
  void tree() throws IOException {
    root = folder.resolve("tree");
    parts = folder.resolve("parts");
    // What one folder defines means something in others.
    write(
        "common/names.h",
        """
        #pragma once
        struct cudaEventGuard { int id; };
        inline int cublasCheck(int status) { return status; }
        inline int cudaMallocHost(void** p, int n) { return n + (*p == nullptr); }
        """);
    write(
        "common/reduce.cuh",
        """
        #pragma once
        __device__ inline int sum(int v) {
          for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
          return v;
        }
        __device__ inline unsigned mask() { return __ballot_sync(0xffffffffu, threadIdx.x & 1); }
        """);
    write(
        "aa/first.cu",
        """
        #include <cuda_runtime.h>
        #include "../common/reduce.cuh"
        #include "../common/names.h"
        texture<float, 1> shared_texture;
        __global__ void add(int* p) { int s = sum(p[threadIdx.x]); if (threadIdx.x == 0) p[0] = s; }
        int first(int* p, void** q) {
          add<<<1, 32>>>(p);
          return cudaMallocHost(q, 3) + cublasCheck(0);
        }
        """);
    write(
        "zz/last.cu",
        """
        #include <cuda_runtime.h>
        #include "common/reduce.cuh"
        extern texture<float, 1> shared_texture;
        __global__ void mark(unsigned* p) { p[threadIdx.x] = mask() + __popc(mask()); }
        // rocport: ignore PTX-* kept for NVIDIA
        __global__ void fence() { asm volatile("wgmma.fence.sync.aligned;"); }
        void last(unsigned* p, float* f) {
          mark<<<1, 64>>>(p);
          cudaBindTexture(nullptr, shared_texture, f, 64);
          cudaMallocHost((void**)&p, 64);
        }
        """);
    write(
        "zz/put.cu",
        """
        #include <nvshmem.h>
        #include <nvshmemx.h>
        __global__ void put(int* to, int value, int pe) { nvshmem_int_p(to, value, pe); }
        void all() { nvshmem_init(); nvshmem_barrier_all(); nvshmemx_barrier_all_on_stream(0); }
        """);
    write(
        "aa/exchange.cpp",
        "#include <mpi.h>\nvoid send(float* p);\nvoid go(float* p) {"
            + " MPI_Send(p, 1, MPI_FLOAT, 0, 0, MPI_COMM_WORLD); send(p); }\n");
    write(
        "zz/send.cu",
        "#include <cuda_runtime.h>\nvoid send(float* p) {"
            + " cudaMemcpyAsync(p, p + 1, 4, cudaMemcpyDefault); }\n");
    write(
        "CMakeLists.txt",
        """
        cmake_minimum_required(VERSION 3.18)
        project(parts LANGUAGES CXX CUDA)
        add_compile_definitions(USE_CUDA=1)
        add_library(parts aa/first.cu zz/last.cu aa/exchange.cpp)
        target_link_libraries(parts PRIVATE CUDA::cudart CUDA::cublas)
        """);
    write(
        "aa/guard.cpp",
        "#ifdef USE_CUDA\n#include <cuda_runtime.h>\nint n = cudaSuccess;\n#endif\n");
    write(
        "tools/train.py", "import torch\nfrom helper import device\n\nx = torch.zeros(3).cuda()\n");
    write(
        "tools/helper.py",
        "import torch\n\n\ndef device():\n    return torch.cuda.current_device()\n");
    write(
        "lib/kernel.ptx",
        ".version 8.0\n.target sm_90a\n.visible .entry k() { wgmma.fence.sync.aligned; ret; }\n");
    write("doc/notes.md", "CUDA 12 is needed.\n");
    write("old/skipped.cu", "__global__ void no() {}\n");
    write(
        ".rocport.yaml",
        """
        exclude: old
        suppress:
          - rule: W64-*
            path: zz/*
            reason: looked at
        """);
    Files.createSymbolicLink(root.resolve("doc/link.md"), Path.of("notes.md"));
  }

  private void write(String path, String text) throws IOException {
    Files.createDirectories(root.resolve(path).getParent());
    Files.writeString(root.resolve(path), text);
  }

  private CommandLines run(List<String> options, String... more) {
    List<String> args = new ArrayList<>(List.of("audit", root.toString(), "--quiet"));
    args.addAll(options);
    args.addAll(List.of(more));
    return CommandLines.run(args.toArray(String[]::new));
  }

  private CommandLines step(List<String> options, String step, int part) {
    CommandLines done = run(options, "--parts=" + parts, "--step=" + step, "--part=" + part);
    assertThat(done.code()).as(step + part + ": " + done.err()).isLessThan(2);
    return done;
  }

  private String inParts(List<String> options, int size) {
    CommandLines plan = run(options, "--parts=" + parts, "--step=plan", "--part-size=" + size);
    assertThat(plan.code()).as(plan.err()).isZero();
    int count = Integer.parseInt(plan.out().strip());
    for (int i = 0; i < count; i++) {
      step(options, "facts", i);
    }
    step(options, "join", 0);
    if (!options.contains("--only=PTX-*")) {
      assertThat(parts.resolve("evidence")).isNotEmptyFile();
    }
    // In any order, and again: a machine may have been lost.
    for (int i = count - 1; i >= 0; i--) {
      step(options, "files", i);
    }
    step(options, "files", 0);
    return step(options, "report", 0).out();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "--style=single-source", "--warp=groups32", "--only=PTX-*", "--libs=roc"})
  void reportsWhatAnAuditOfTheTreeReports(String option) {
    List<String> options = new ArrayList<>(List.of("--format=json", "--jobs=1"));
    if (!option.isEmpty()) {
      options.add(option);
    }
    CommandLines whole = run(options);
    assertThat(whole.code()).as(whole.err()).isLessThan(2);
    assertThat(inParts(options, 1)).isEqualTo(whole.out());
    if (option.isEmpty()) {
      assertThat(whole.out()).contains("nvshmem_int_p", "passed to MPI by a caller");
    }
  }

  @Test
  void sarifIsTheSameWithAnyNumberOfParts() {
    List<String> options = List.of("--format=sarif", "--jobs=2");
    String whole = run(options).out();
    assertThat(inParts(options, 1)).isEqualTo(whole);
    assertThat(inParts(options, 1000)).isEqualTo(whole);
  }

  @Test
  void whatDoesNotFitIsRefused() {
    List<String> options = List.of("--format=json");
    CommandLines none = run(options, "--parts=" + parts, "--step=files");
    assertThat(none.code()).isEqualTo(2);
    assertThat(none.err()).contains("has no file 'plan' of a step before");
    run(options, "--parts=" + parts, "--step=plan", "--part-size=1");
    assertThat(run(options, "--parts=" + parts, "--step=files").err()).contains("no file 'join'");
    assertThat(run(options, "--parts=" + parts, "--step=facts", "--part=99").err())
        .contains("none with the number 99");
    List<String> others = List.of("--format=json", "--libs=roc");
    assertThat(run(others, "--parts=" + parts, "--step=facts").err())
        .contains("with other options");
    assertThat(run(options, "--parts=" + parts, "--each").err()).contains("--parts: not with");
  }
}
