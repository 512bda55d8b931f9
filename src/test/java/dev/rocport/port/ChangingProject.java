package dev.rocport.port;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A project of kernels, helpers, launches and macros in several files, and random edits of it: the
 * same for the same seed.
 */
final class ChangingProject {
  private static final String HELPERS =
      """
      #pragma once
      #include "sizes.h"
      __device__ inline int ceil_div(int a, int b) { return (a + b - 1) / b; }
      __device__ inline int lane_of() { return threadIdx.x % WARP; }
      __device__ inline int warp_sum(int v) {
        for (int d = WARP / 2; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffff, v, d);
        return v;
      }
      __device__ inline int warp_max(int v) {
        for (int d = 16; d > 0; d >>= 1) v = max(v, __shfl_xor_sync(FULL, v, d));
        return v;
      }
      __device__ inline int block_sum(int v) {
        __shared__ int part[32];
        v = warp_sum(v);
        if (lane_of() == 0) part[threadIdx.x / 32] = v;
        __syncthreads();
        v = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0;
        if (threadIdx.x / 32 == 0) v = warp_sum(v);
        return v;
      }
      """;

  private static final String SIZES =
      """
      #pragma once
      #define WARP 32
      #define FULL 0xffffffffu
      constexpr int kThreads = 8 * WARP;
      enum { HALF = 16, LANES = 32 };
      """;

  private static final String KERNELS =
      """
      #include "lib/helpers.cuh"
      #define BLOCK%1$d 256
      __global__ void sum%1$d(const int* in, int* out, int n) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        int v = %2$s(i < n ? in[i] : 0);
        if (threadIdx.x %% 32 == 0) atomicAdd(out, v);
      }
      __device__ int own%1$d(int v) { return __shfl_sync(FULL, v, 0) + ceil_div(v, 2); }
      __global__ void vote%1$d(const int* in, int* out) {
        unsigned m = __ballot_sync(FULL, in[threadIdx.x] > 0);
        if (lane_of() == 0) out[threadIdx.x / WARP] = __popc(m) + own%1$d(in[0]);
      }
      void run%1$d(const int* in, int* out, int n) {
        sum%1$d<<<(n + 255) / 256, BLOCK%1$d>>>(in, out, n);
        dim3 block(kThreads);
        vote%1$d<<<n, block>>>(in, out);
      }
      """;

  private static final String CALLER =
      """
      #include "kernels1.cu"
      __global__ void other(int* out) { out[threadIdx.x] = block_sum(out[threadIdx.x]); }
      void all(const int* in, int* out, int n) {
        sum1<<<n, kThreads>>>(in, out, n);
        other<<<n, 128>>>(out);
        cudaDeviceSynchronize();
      }
      """;

  private static final String PLAIN =
      """
      #include "lib/helpers.cuh"
      __global__ void scale(float* x, float a) { x[threadIdx.x] *= a; }
      void scaled(float* x) { scale<<<1, 64>>>(x, 2.0f); }
      """;

  private static final String TABLE =
      """
      #include "lib/sizes.h"
      extern void run1(const int*, int*, int);
      void* table[] = {(void*)run1};
      """;

  private static final List<String> NUMBERS =
      List.of(
          "0", "1", "5", "16", "31", "32", "33", "64", "96", "128", "256", "0xffffffff", "FULL");

  private static final List<String> NAMES =
      List.of(
          "warp_sum",
          "warp_max",
          "block_sum",
          "lane_of",
          "ceil_div",
          "own1",
          "sum1",
          "vote2",
          "WARP",
          "kThreads",
          "BLOCK2",
          "other",
          "scale",
          "HALF",
          "v",
          "n");

  private static final List<String> LINES =
      List.of(
          "",
          "// text",
          "#define WARP 64",
          "#define HALF (LANES / 2)",
          "#define n 7",
          "#define BLOCK2 (2 * kThreads)",
          "constexpr int LANES = 32;",
          "#include \"lib/sizes.h\"",
          "#include \"lib/helpers.cuh\"",
          "#include \"plain.cu\"",
          "#if 0",
          "#endif",
          "__device__ inline int max(int a, int b) { return a > b ? a : b; }",
          "__device__ int warp_sum(int v) { return v + __shfl_xor_sync(0xffffffffu, v, 1); }",
          "__device__ int warp_sum(int v, int w) { return __shfl_down_sync(FULL, v, w); }",
          "__device__ int loose(int v) { return __shfl_sync(0xffffffff, v, 0); }",
          "__global__ void twin(int* p) { p[0] = warp_max(p[threadIdx.x]) + loose(1); }",
          "void t(int* p) { twin<<<1, 96>>>(p); }",
          "void u(int* p, int k) { twin<<<1, k>>>(p); void* q = (void*)&twin; }",
          "int cudaOwnThing(int);",
          "void w() { cudaOwnThing(1); cudaMalloc(nullptr, 1); }",
          "static inline int __popc(int x) { return x; }",
          "void x() { asm(\"wgmma.fence.sync.aligned;\"); }",
          "}");

  private final Random random;
  private final SortedMap<String, String> first = new TreeMap<>();
  private final SortedMap<String, String> texts = new TreeMap<>();

  ChangingProject(long seed) {
    this.random = new Random(seed);
    first.put("lib/helpers.cuh", HELPERS);
    first.put("lib/sizes.h", SIZES);
    first.put("caller.cu", CALLER);
    first.put("plain.cu", PLAIN);
    first.put("table.cpp", TABLE);
    for (int i = 1; i <= 4; i++) {
      first.put("kernels" + i + ".cu", KERNELS.formatted(i, i % 2 == 0 ? "warp_sum" : "block_sum"));
    }
    texts.putAll(first);
  }

  /** The text of each file by its path. */
  SortedMap<String, String> texts() {
    return texts;
  }

  /** Edits the project, and returns the path of the file that it has changed, made or deleted. */
  String edit() {
    List<String> all = List.copyOf(first.keySet());
    String path = all.get(random.nextInt(all.size()));
    String text = texts.get(path);
    if (text == null || random.nextInt(25) == 0) {
      texts.put(path, first.get(path));
      return path;
    }
    if (random.nextInt(25) == 0) {
      texts.remove(path);
      return path;
    }
    texts.put(path, edited(text));
    return path;
  }

  private String edited(String text) {
    return switch (random.nextInt(7)) {
      case 0, 1 -> replaced(text, "\\b(?:0x[0-9a-f]+u?|[0-9]+|FULL|WARP)\\b", NUMBERS);
      case 2 -> replaced(text, "\\b[a-z_]+[a-z][0-9]?\\b(?=\\()", NAMES);
      case 3 ->
          replaced(text, "\\b(?:__global__|__device__)\\b", List.of("__global__", "__device__"));
      case 4 -> lines(text, (lines, at) -> lines.remove(at));
      case 5 -> lines(text, (lines, at) -> lines.add(at, one(LINES)));
      default ->
          lines(text, (lines, at) -> lines.add(at, lines.remove(random.nextInt(lines.size()))));
    };
  }

  private String one(List<String> of) {
    return of.get(random.nextInt(of.size()));
  }

  private String replaced(String text, String pattern, List<String> by) {
    List<MatchResult> found = Pattern.compile(pattern).matcher(text).results().toList();
    if (found.isEmpty()) {
      return text;
    }
    MatchResult m = found.get(random.nextInt(found.size()));
    return text.substring(0, m.start()) + one(by) + text.substring(m.end());
  }

  private interface LineEdit {
    void at(List<String> lines, int line);
  }

  private String lines(String text, LineEdit edit) {
    List<String> lines = new ArrayList<>(List.of(text.split("\n")));
    if (lines.size() > 1) {
      edit.at(lines, random.nextInt(lines.size() - 1));
    }
    return String.join("\n", lines) + "\n";
  }
}
