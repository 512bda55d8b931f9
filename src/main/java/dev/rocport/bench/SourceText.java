package dev.rocport.bench;

import java.util.Random;

/** Makes up source text that is read like real code: names, comments, literals, nesting. */
final class SourceText {
  private static final String[] NOUNS = {
    "buffer", "matrix", "vector", "index", "weight", "sample", "field", "cell", "particle", "edge",
    "node", "tile", "block", "offset", "stride", "count", "width", "height", "depth", "energy",
    "density", "flux", "mass", "force", "grid", "mesh", "layer", "batch", "token", "score"
  };
  private static final String[] VERBS = {
    "compute",
    "update",
    "reduce",
    "scatter",
    "gather",
    "apply",
    "advance",
    "sort",
    "merge",
    "scan",
    "fill",
    "copy",
    "normalise",
    "project",
    "filter",
    "blend",
    "sample",
    "interpolate",
    "assemble"
  };

  private final Random random;
  private final int number;
  private final StringBuilder out = new StringBuilder();
  private int functions;

  SourceText(Random random, int number) {
    this.random = random;
    this.number = number;
  }

  int length() {
    return out.length();
  }

  @Override
  public String toString() {
    return out.toString();
  }

  void begin(FileClass kind) {
    out.append("// Unit ").append(number).append(": ").append(sentence()).append(".\n");
    if (kind == FileClass.HEADERS) {
      out.append("#ifndef UNIT").append(number).append("_H\n#define UNIT").append(number);
      out.append("_H\n\n#include <cstddef>\n#include <vector>\n\n");
      return;
    }
    out.append("#include <cstdio>\n#include <vector>\n#include <algorithm>\n");
    if (kind != FileClass.HOST) {
      out.append("#include <cuda_runtime.h>\n");
    }
    out.append("#include \"unit").append(Math.max(0, number - 1)).append(".h\"\n\n");
  }

  void end(FileClass kind) {
    if (kind == FileClass.HEADERS) {
      out.append("#endif // UNIT").append(number).append("_H\n");
    }
  }

  /** A kernel, the function that launches it, and host code around. */
  void kernelPart() {
    String name = function();
    String a = name();
    String b = name();
    text(
        """
        // %s.
        __global__ void %s_kernel(float* __restrict__ %s, const float* %s, int n, float scale) {
          __shared__ float cache[256];
          const int i = blockIdx.x * blockDim.x + threadIdx.x;
          cache[threadIdx.x] = i < n ? %s[i] : 0.0f;
          __syncthreads();
          for (int step = blockDim.x / 2; step > 0; step >>= 1) {
            if (threadIdx.x < step) {
              cache[threadIdx.x] += __ldg(&%s[i]) * __expf(cache[threadIdx.x + step]);
            }
            __syncthreads();
          }
          if (i < n) {
            %s[i] = fmaf(scale, cache[threadIdx.x], rsqrtf(%s[i] + %d.0f));
            atomicAdd(&%s[0], cache[0]);
          }
        }

        cudaError_t %s(std::vector<float>& host, cudaStream_t stream) {
          float* %s = nullptr;
          float* %s = nullptr;
          const size_t bytes = host.size() * sizeof(float);
          cudaError_t status = cudaMalloc(&%s, bytes);
          if (status != cudaSuccess) {
            fprintf(stderr, "%s: %%s\\n", cudaGetErrorString(status));
            return status;
          }
          cudaMallocManaged(&%s, bytes, cudaMemAttachGlobal);
          cudaMemcpyAsync(%s, host.data(), bytes, cudaMemcpyHostToDevice, stream);
          dim3 grid((host.size() + 255) / 256);
          %s_kernel<<<grid, 256, 0, stream>>>(%s, %s, static_cast<int>(host.size()), %d.5f);
          status = cudaGetLastError();
          cudaMemcpyAsync(host.data(), %s, bytes, cudaMemcpyDeviceToHost, stream);
          cudaStreamSynchronize(stream);
          cudaFree(%s);
          cudaFree(%s);
          return status;
        }

        """,
        sentence(),
        name,
        a,
        b,
        b,
        b,
        a,
        b,
        random.nextInt(99),
        a,
        name,
        a,
        b,
        a,
        name,
        b,
        a,
        name,
        a,
        b,
        random.nextInt(9),
        a,
        b,
        a);
    hostPart();
  }

  /** A warp reduction, a vote, and host code around. */
  void warpPart() {
    String name = function();
    text(
        """
        // %s.
        __device__ __forceinline__ float %s_warp(float value) {
          for (int offset = 16; offset > 0; offset /= 2) {
            value += __shfl_down_sync(0xffffffff, value, offset);
          }
          return value;
        }

        __global__ void %s_kernel(const float* in, float* out, int n) {
          const int lane = threadIdx.x & 31;
          const int warp = threadIdx.x / 32;
          __shared__ float partial[32];
          float sum = 0.0f;
          for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
            sum += in[i];
          }
          const unsigned active = __ballot_sync(0xffffffffu, sum > 0.0f);
          sum = %s_warp(sum) + __popc(active);
          if (lane == 0) {
            partial[warp] = sum;
          }
          __syncthreads();
          if (warp == 0) {
            sum = %s_warp(lane < blockDim.x / warpSize ? partial[lane] : 0.0f);
            if (lane == 0) {
              out[blockIdx.x] = sum;
            }
          }
        }

        void %s(const float* in, float* out, int n) {
          %s_kernel<<<n / 256 + 1, 256>>>(in, out, n);
          cudaDeviceSynchronize();
        }

        """,
        sentence(), name, name, name, name, name, name);
    hostPart();
  }

  /** Plain C++. */
  void hostPart() {
    String name = function();
    String a = name();
    String b = name();
    text(
        """
        /* %s; %s. */
        static double %s(const std::vector<double>& %s, std::size_t limit) {
          double %s = %d.%d;
          for (std::size_t i = 0; i < %s.size() && i < limit; ++i) {
            switch (i %% 4) {
              case 0:
                %s += %s[i] * 0x%x;
                break;
              case 1:
                %s -= std::max(%s[i], 1e-%d);
                break;
              default:
                %s = (%s + %s[i]) / 2.0;
            }
            if (%s > 1.0e%d) {
              std::printf("%s: %%zu of %%zu \\"%s\\"\\n", i, limit);
              return %s;
            }
          }
          return %s;
        }

        """,
        sentence(),
        sentence(),
        name,
        a,
        b,
        random.nextInt(9),
        random.nextInt(999),
        a,
        b,
        a,
        random.nextInt(65536),
        b,
        a,
        random.nextInt(9),
        b,
        b,
        a,
        b,
        random.nextInt(30),
        name,
        sentence(),
        b,
        b);
  }

  /** Declarations and a template. */
  void headerPart() {
    String name = function();
    String a = name();
    text(
        """
        /// %s.
        ///
        /// %s, %s.
        template <typename T, int N = %d>
        struct %s_traits {
          using value_type = T;
          static constexpr int size = N;
          T %s[N];
          T& operator[](std::size_t i) { return %s[i]; }
        };

        int %s(const float* %s, std::size_t count, int mode = %d);
        #define %s_LIMIT(x) ((x) < %d ? (x) : %d)

        """,
        sentence(),
        sentence(),
        sentence(),
        random.nextInt(64) + 1,
        name,
        a,
        a,
        name,
        a,
        random.nextInt(4),
        name.toUpperCase(java.util.Locale.ROOT),
        random.nextInt(4096),
        random.nextInt(4096));
  }

  /** A class that uses PyTorch. */
  void pythonPart() {
    String name = function();
    String a = name();
    text(
        """
        # %s.
        class %s(torch.nn.Module):
            def forward(self, %s):
                if torch.cuda.is_available():
                    %s = %s.to("cuda:%d")
                scale = %d.5 / max(1, %s.shape[0])
                return [row * scale for row in %s]

        """,
        sentence(), name, a, a, a, random.nextInt(4), random.nextInt(9), a, a);
  }

  /** A paragraph. */
  void prose() {
    for (int i = 0; i < 5; i++) {
      out.append(sentence()).append(i < 4 ? ", " : ".\n\n");
    }
  }

  @SuppressWarnings("AnnotateFormatMethod") // the templates are constants of this class
  private void text(String template, Object... parts) {
    out.append(String.format(java.util.Locale.ROOT, template, parts));
  }

  private String function() {
    return pick(VERBS) + "_" + pick(NOUNS) + "_" + number + "_" + functions++;
  }

  private String name() {
    return pick(NOUNS) + (char) ('A' + random.nextInt(26)) + random.nextInt(100);
  }

  private String sentence() {
    return pick(VERBS) + " the " + pick(NOUNS) + " of each " + pick(NOUNS) + " by " + pick(NOUNS);
  }

  private String pick(String[] words) {
    return words[random.nextInt(words.length)];
  }
}
