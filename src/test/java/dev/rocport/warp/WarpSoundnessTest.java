package dev.rocport.warp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.core.result.Finding;
import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.cuda.CudaPorter;
import dev.rocport.lang.cuda.symbols.ProjectIndex;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Kernels close to those that may use wider warps, in which wider warps would change what is seen
 * outside: none of them is widened.
 */
final class WarpSoundnessTest {
  private static final CudaPorter PORTER =
      new CudaPorter(RuleCatalog.builtIn(), PortOptions.DEFAULT);

  /** The rules of which one reports the decision about a kernel. */
  private static final Set<String> DECISIONS = Set.of("W64-WIDE", "W64-KEEP", "W64-UNSURE");

  /** What the kernels use. */
  private static final String HELPERS =
      """
      __device__ int warp_sum(int v) {
        for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffff, v, d);
        return v;
      }
      """;

  private static final Map<String, String> OTHERS =
      Map.of(
          "ones",
          "__device__ int ones(unsigned m) { return __popc(m); }\n",
          "flip",
          "__device__ void flip(bool& b) { b = !b; }\n",
          "at<float>",
          "template <class T> __device__ T at(int i, const T* p) { return p[i]; }\n",
          "store",
          """
          __device__ void store(int x, int lane, int warp) {
            extern __shared__ int mine[];
            x = warp_sum(x);
            if (lane == 0) mine[warp] = x;
          }
          """);

  private static final String LAUNCH =
      """
      void run(const int* in, int* out, int n, int* count) { k<<<64, 256>>>(in, out, n, count); }
      """;

  private static boolean widens(String body, String helpers) {
    String text =
        helpers
            + "__global__ void k(const int* in, int* out, int n, int* count) {\n"
            + "int tid = threadIdx.x, lane = tid & 31, warp = tid >> 5;\n"
            + "int i = blockIdx.x * blockDim.x + tid;\n"
            + body
            + "}\n"
            + LAUNCH;
    return widens(text);
  }

  /** The other functions that a body names. */
  private static String helpers(String body) {
    StringBuilder b = new StringBuilder(HELPERS);
    OTHERS.forEach((name, text) -> b.append(body.contains(name + "(") ? text : ""));
    return b.toString();
  }

  private static boolean widens(String text) {
    SourceFile file = new SourceFile("k.cu", text.getBytes(StandardCharsets.UTF_8));
    ProjectIndex project = ProjectIndex.of(List.of(PORTER.scan(file)));
    return widens(PORTER.port(file, project));
  }

  /** The decision about the file's kernels, which must be there, and the text that follows it. */
  private static boolean widens(Changes changes) {
    Set<String> decisions =
        changes.findings().stream()
            .map(Finding::rule)
            .filter(DECISIONS::contains)
            .collect(Collectors.toSet());
    assertThat(decisions).as("decisions about the file").isNotEmpty();
    boolean wide = decisions.contains("W64-WIDE");
    byte[] ported = changes.edits().apply(changes.file().bytes());
    assertThat(new String(ported, StandardCharsets.UTF_8).contains("rocport::wave::"))
        .isEqualTo(wide);
    assertThat(changes.counts().containsKey("W64-WIDE")).isEqualTo(wide);
    return wide;
  }

  /** The idioms themselves, without the errors of the others. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        """
        __shared__ int part[32];
        int v = warp_sum(in[i]);
        if (lane == 0) part[warp] = v;
        __syncthreads();
        v = tid < blockDim.x / 32 ? part[lane] : 0;
        if (warp == 0) v = warp_sum(v);
        if (tid == 0) out[blockIdx.x] = v;
        """,
        """
        bool keep = i < n && in[i] > 0;
        unsigned votes = __ballot_sync(0xffffffff, keep);
        int leader = __ffs(votes) - 1, base = 0;
        if (lane == leader) base = atomicAdd(count, __popc(votes));
        base = __shfl_sync(0xffffffff, base, leader);
        if (keep) out[base + __popc(votes & ((1u << lane) - 1))] = in[i];
        """,
        """
        int key = in[i] & 7;
        unsigned same = __match_any_sync(0xffffffff, key);
        if (lane == __ffs(same) - 1) atomicAdd(&out[key], __popc(same));
        """,
        """
        __shared__ int part[8];
        int v = warp_sum(in[i]);
        if (lane == 0) part[warp] = v;
        __syncthreads();
        if (tid == 0) {
          int sum = 0;
          for (int w = 0; w < 8; w++) sum += part[w];
          out[blockIdx.x] = sum;
        }
        """,
      })
  void idiomsAreWidened(String body) {
    assertThat(widens(body, helpers(body))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        """
        // Thread 0 stores the number of warps.
        __shared__ int part[32];
        int v = warp_sum(in[i]);
        if (lane == 0) part[warp] = v;
        __syncthreads();
        v = tid < blockDim.x / 32 ? part[lane] : 0;
        if (warp == 0) v = warp_sum(v);
        if (tid == 0) out[blockIdx.x] = v;
        if (tid == 0) out[9] = blockDim.x / 32;
        """,
        """
        // A shared variable holds the number of warps.
        __shared__ int part[32];
        int v = warp_sum(in[i]);
        if (lane == 0) part[warp] = v;
        __syncthreads();
        v = tid < blockDim.x / 32 ? part[lane] : 0;
        if (warp == 0) v = warp_sum(v);
        if (tid == 0) out[blockIdx.x] = v;
        __shared__ int warps;
        if (tid == 0) warps = blockDim.x / 32;
        __syncthreads();
        out[i] = warps;
        """,
        """
        // The 32 is both a lane count and a number that is stored.
        int w = 32;
        int l = tid % w;
        int v = warp_sum(in[i]);
        if (l == 0) atomicAdd(out, v);
        out[i + 1] = w;
        """,
        """
        // The 32 is both a lane count and a number that is computed with.
        const int w = 32;
        const int rows = w * 2;
        int v = warp_sum(in[i]);
        if (tid % w == 0) atomicAdd(out, v);
        out[i + 1] = rows;
        """,
        """
        // The 32 flows into another variable.
        int w = 32;
        int v = warp_sum(in[i]);
        if (tid % w == 0) atomicAdd(out, v);
        w >>= 2;
        out[i + 1] = w;
        """,
        """
        // A variable in an inner block hides the lane.
        int x = lane;
        {
          int x = 0;
          out[i] = x;
        }
        atomicAdd(out, x);
        int v = warp_sum(in[i]);
        if (lane == 0) atomicAdd(count, v);
        """,
        """
        // An inner variable hides the type of a floating-point one.
        float f = in[i];
        {
          int f = 0;
          out[i] = f;
        }
        for (int d = 16; d > 0; d >>= 1) f += __shfl_down_sync(0xffffffff, f, d);
        if (lane == 0) atomicMax(out, __float_as_int(f));
        """,
        """
        // A lambda stores a variable's later value.
        __shared__ int part[32];
        int v = warp_sum(in[i]);
        if (lane == 0) part[warp] = v;
        __syncthreads();
        v = tid < blockDim.x / 32 ? part[lane] : 0;
        if (warp == 0) v = warp_sum(v);
        if (tid == 0) out[blockIdx.x] = v;
        int x = 0;
        auto put = [&]() { out[i] = x; };
        x = lane;
        put();
        """,
        """
        // A lambda stores in some lanes.
        __shared__ int part[32];
        int v = warp_sum(in[i]);
        if (lane == 0) part[warp] = v;
        __syncthreads();
        v = tid < blockDim.x / 32 ? part[lane] : 0;
        if (warp == 0) v = warp_sum(v);
        if (tid == 0) out[blockIdx.x] = v;
        auto put = [&]() { out[i] = 1; };
        if (lane == 0) put();
        """,
        """
        // A function that is not seen reads the partial results.
        __shared__ int part[32];
        int v = warp_sum(in[i]);
        if (lane == 0) part[warp] = v;
        __syncthreads();
        v = tid < blockDim.x / 32 ? part[lane] : 0;
        if (warp == 0) v = warp_sum(v);
        if (tid == 0) out[blockIdx.x] = v;
        out[i] = eight(part);
        """,
        """
        // A function that is not seen sets what ought to be the identity.
        __shared__ int part[32];
        int v = warp_sum(in[i]);
        if (lane == 0) part[warp] = v;
        __syncthreads();
        int x = 0;
        load(x, in, i);
        if (tid < blockDim.x / 32) x = part[lane];
        if (warp == 0) x = warp_sum(x);
        if (tid == 0) out[blockIdx.x] = x;
        """,
        """
        // A pointer sets what ought to be the identity.
        __shared__ int part[32];
        int v = warp_sum(in[i]);
        if (lane == 0) part[warp] = v;
        __syncthreads();
        int x = 0;
        int* p = &x;
        *p = in[i];
        if (tid < blockDim.x / 32) x = part[lane];
        if (warp == 0) x = warp_sum(x);
        if (tid == 0) out[blockIdx.x] = x;
        """,
        """
        // A reference sets a variable.
        __shared__ int part[32];
        int v = warp_sum(in[i]);
        if (lane == 0) part[warp] = v;
        __syncthreads();
        v = tid < blockDim.x / 32 ? part[lane] : 0;
        if (warp == 0) v = warp_sum(v);
        if (tid == 0) out[blockIdx.x] = v;
        int x = 0;
        int& r = x;
        r = lane;
        out[i] = x;
        """,
        """
        // A copy of the thread's index is no block's value.
        uint3 t = threadIdx;
        int v = 0;
        if (t.x < 48) {
          v = warp_sum(in[i]);
          if (lane == 0) atomicAdd(out, v);
        }
        """,
        """
        // The vote was on a shared variable that has changed.
        __shared__ int s;
        if (tid == 0) s = in[0];
        __syncthreads();
        unsigned votes = __ballot_sync(0xffffffff, s > tid);
        int leader = __ffs(votes) - 1, base = 0;
        if (lane == leader) base = atomicAdd(count, __popc(votes));
        base = __shfl_sync(0xffffffff, base, leader);
        __syncthreads();
        if (tid == 0) s = in[1];
        __syncthreads();
        if (s > tid) out[base + __popc(votes & ((1u << lane) - 1))] = in[i];
        """,
        """
        // The vote was on memory that has changed.
        int* p = out + i;
        unsigned votes = __ballot_sync(0xffffffff, *p > 0);
        int leader = __ffs(votes) - 1, base = 0;
        if (lane == leader) base = atomicAdd(count, __popc(votes));
        base = __shfl_sync(0xffffffff, base, leader);
        *p = in[i];
        if (*p > 0) out[base + __popc(votes & ((1u << lane) - 1))] = in[i];
        """,
        """
        // The vote was on the low bits of the later value.
        int x = in[i];
        unsigned votes = __ballot_sync(0xffffffff, (unsigned char)x);
        int leader = __ffs(votes) - 1, base = 0;
        if (lane == leader) base = atomicAdd(count, __popc(votes));
        base = __shfl_sync(0xffffffff, base, leader);
        if (x) out[base + __popc(votes & ((1u << lane) - 1))] = in[i];
        """,
        """
        // The leader reserves slots only if its own value requires it.
        bool keep = i < n && in[i] > 0;
        unsigned votes = __ballot_sync(0xffffffff, keep);
        int leader = __ffs(votes) - 1, base = 0;
        int mine = 0;
        if (lane == leader) base = atomicAdd(count, __popc(votes));
        if (lane == leader && in[i] > 5) mine = base;
        base = __shfl_sync(0xffffffff, mine, leader);
        if (keep) out[base + __popc(votes & ((1u << lane) - 1))] = in[i];
        """,
        """
        // The leader takes room only where the whole block may.
        bool keep = i < n && in[i] > 0;
        unsigned votes = __ballot_sync(0xffffffff, keep);
        int leader = __ffs(votes) - 1, base = 0;
        if (n > 100 && lane == leader) base = atomicAdd(count, __popc(votes));
        base = __shfl_sync(0xffffffff, base, leader);
        if (keep) out[base + __popc(votes & ((1u << lane) - 1))] = in[i];
        """,
        """
        // The leader reserves the slots, but lane 0 broadcasts them.
        bool keep = i < n && in[i] > 0;
        unsigned votes = __ballot_sync(0xffffffff, keep);
        int leader = __ffs(votes) - 1, base = 0;
        if (lane == leader) base = atomicAdd(count, __popc(votes));
        base = __shfl_sync(0xffffffff, base, 0);
        if (keep) out[base + __popc(votes & ((1u << lane) - 1))] = in[i];
        """,
        """
        // The room goes over lane 0, which did not take it.
        bool keep = i < n && in[i] > 0;
        unsigned votes = __ballot_sync(0xffffffff, keep);
        int leader = __ffs(votes) - 1, base = 0;
        if (lane == leader) base = atomicAdd(count, __popc(votes));
        int b = 0;
        if (lane == 0) b = base;
        base = __shfl_sync(0xffffffff, b, leader);
        if (keep) out[base + __popc(votes & ((1u << lane) - 1))] = in[i];
        """,
        """
        // The lanes agree on less than the place they add to.
        int key = in[i];
        unsigned same = __match_any_sync(0xffffffff, key & 3);
        if (lane == __ffs(same) - 1) atomicAdd(&out[key], __popc(same));
        """,
        """
        // Only some of the warps' results are read.
        __shared__ int part[32];
        int v = warp_sum(in[i]);
        if (lane == 0) part[warp] = v;
        __syncthreads();
        v = 0;
        if (tid < blockDim.x / 32 && tid < 3) v = part[tid];
        if (warp == 0) v = warp_sum(v);
        if (tid == 0) out[blockIdx.x] = v;
        """,
        """
        // The block's result is only sometimes put over the warp's.
        __shared__ int part[32];
        int v = warp_sum(in[i]);
        if (lane == 0) part[warp] = v;
        __syncthreads();
        int w = tid < blockDim.x / 32 ? part[lane] : 0;
        if (warp == 0) w = warp_sum(w);
        if (tid == 0 && n > 100) v = w;
        if (tid == 0) out[blockIdx.x] = v;
        """,
        """
        // An element of the partial results is read through a pointer.
        __shared__ int part[32];
        int v = warp_sum(in[i]);
        if (lane == 0) part[warp] = v;
        __syncthreads();
        v = tid < blockDim.x / 32 ? part[lane] : 0;
        if (warp == 0) v = warp_sum(v);
        if (tid == 0) out[blockIdx.x] = v;
        int* q = part + 4;
        out[i] = q[tid & 3];
        """,
        """
        // A partial result is read as the array's first element.
        __shared__ int part[32];
        int v = warp_sum(in[i]);
        if (lane == 0) part[warp] = v;
        __syncthreads();
        v = tid < blockDim.x / 32 ? part[lane] : 0;
        if (warp == 0) v = warp_sum(v);
        if (tid == 0) out[blockIdx.x] = v;
        out[i] = *part;
        """,
        """
        // A partial result is read as the fifth element's address.
        __shared__ int part[32];
        int v = warp_sum(in[i]);
        if (lane == 0) part[warp] = v;
        __syncthreads();
        v = tid < blockDim.x / 32 ? part[lane] : 0;
        if (warp == 0) v = warp_sum(v);
        if (tid == 0) out[blockIdx.x] = v;
        out[i] = *&part[5];
        """,
        """
        // The partial results are changed through a pointer.
        __shared__ int part[32];
        int* q = part + 1;
        int v = warp_sum(in[i]);
        if (lane == 0) part[warp] = v;
        __syncthreads();
        q[tid & 3] = 7;
        __syncthreads();
        v = tid < blockDim.x / 32 ? part[lane] : 0;
        if (warp == 0) v = warp_sum(v);
        if (tid == 0) out[blockIdx.x] = v;
        """,
        """
        // The partial results are added to, all eight.
        __shared__ int part[32];
        int v = warp_sum(in[i]);
        if (lane == 0) part[warp] = v;
        __syncthreads();
        atomicAdd(&part[tid & 7], 1);
        __syncthreads();
        v = tid < blockDim.x / 32 ? part[lane] : 0;
        if (warp == 0) v = warp_sum(v);
        if (tid == 0) out[blockIdx.x] = v;
        """,
        """
        // The partial results are read in pieces.
        __shared__ int part[32];
        int v = warp_sum(in[i]);
        if (lane == 0) part[warp] = v;
        __syncthreads();
        short* h = (short*)part;
        v = tid < blockDim.x / 32 ? h[lane] : 0;
        if (warp == 0) v = warp_sum(v);
        if (tid == 0) out[blockIdx.x] = v;
        """,
        """
        // One lane a warp does it as a short circuit.
        __shared__ int part[32];
        int v = warp_sum(in[i]);
        if (lane == 0) part[warp] = v;
        __syncthreads();
        v = tid < blockDim.x / 32 ? part[lane] : 0;
        if (warp == 0) v = warp_sum(v);
        if (tid == 0) out[blockIdx.x] = v;
        lane == 0 && (out[i] = 1);
        """,
        """
        // One lane a warp counts in a condition.
        __shared__ int part[32];
        int v = warp_sum(in[i]);
        if (lane == 0) part[warp] = v;
        __syncthreads();
        v = tid < blockDim.x / 32 ? part[lane] : 0;
        if (warp == 0) v = warp_sum(v);
        if (tid == 0) out[blockIdx.x] = v;
        if (lane == 0 && atomicAdd(count, 1) == 7) out[99] = 1;
        """,
        """
        // One lane a warp sets a variable as a short circuit.
        __shared__ int part[32];
        int v = warp_sum(in[i]);
        if (lane == 0) part[warp] = v;
        __syncthreads();
        v = tid < blockDim.x / 32 ? part[lane] : 0;
        if (warp == 0) v = warp_sum(v);
        if (tid == 0) out[blockIdx.x] = v;
        int x = 0;
        lane == 0 && (x = 5);
        out[i] = x;
        """,
        """
        // Lanes set a variable in two arms.
        __shared__ int part[32];
        int v = warp_sum(in[i]);
        if (lane == 0) part[warp] = v;
        __syncthreads();
        v = tid < blockDim.x / 32 ? part[lane] : 0;
        if (warp == 0) v = warp_sum(v);
        if (tid == 0) out[blockIdx.x] = v;
        int x;
        lane == 0 ? (x = 1) : (x = 2);
        out[i] = x;
        """,
        """
        // The distance is used after the ladder.
        int v = in[i], d;
        for (d = 1; d < 32; d <<= 1) v += __shfl_xor_sync(0xffffffff, v, d);
        if (lane == 0) atomicAdd(out, v);
        out[i + 1] = d;
        """,
        """
        // A function counts the bits of votes and those of numbers.
        __shared__ int part[32];
        int v = warp_sum(in[i]);
        if (lane == 0) part[warp] = v;
        __syncthreads();
        v = tid < blockDim.x / 32 ? part[lane] : 0;
        if (warp == 0) v = warp_sum(v);
        if (tid == 0) out[blockIdx.x] = v;
        unsigned votes = __ballot_sync(0xffffffff, in[i] > 0);
        if (lane == 0) atomicAdd(count, ones(votes));
        out[i] = ones(in[i]);
        """,
        """
        // A variable is a vote's mask and then a number.
        unsigned m = __ballot_sync(0xffffffff, in[i] > 0);
        if (lane == 0) atomicAdd(count, __popc(m));
        m = in[i];
        out[i] = m >> 1;
        """,
        """
        // Numbers of 32 bits are added up in 64.
        int v = warp_sum(in[i]);
        if (lane == 0) atomicAdd((unsigned long long*)out, (unsigned long long)v);
        """,
        """
        // The greatest numbers are compared without their sign.
        __shared__ unsigned part[32];
        int v = in[i];
        for (int d = 16; d > 0; d >>= 1) v = max(v, __shfl_down_sync(0xffffffff, v, d));
        if (lane == 0) part[warp] = v;
        __syncthreads();
        unsigned u = tid < blockDim.x / 32 ? part[lane] : 0;
        if (lane == 0) atomicMax((unsigned*)out, (unsigned)v);
        """,
        """
        // The sums are of numbers at a function of an index.
        auto v = at<float>(i, (const float*)in);
        for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffff, v, d);
        if (lane == 0) atomicMax(out, __float_as_int(v));
        """,
        """
        // Lanes leave in front of the sum.
        if (tid >= 40) return;
        int v = warp_sum(in[i]);
        if (lane == 0) atomicAdd(out, v);
        """,
        """
        // The loop's lanes break off.
        int v = in[i];
        for (int r = 0; r < 4; r++) {
          if (in[i + r] < 0) break;
          v = warp_sum(v);
          if (lane == 0) atomicAdd(out, v);
        }
        """,
        """
        // What the atomic operation gives back is stored.
        int v = warp_sum(in[i]);
        if (lane == 0) out[i] = atomicAdd(count, v);
        """,
        """
        // A switch stores in some lanes.
        __shared__ int part[32];
        int v = warp_sum(in[i]);
        if (lane == 0) part[warp] = v;
        __syncthreads();
        v = tid < blockDim.x / 32 ? part[lane] : 0;
        if (warp == 0) v = warp_sum(v);
        if (tid == 0) out[blockIdx.x] = v;
        switch (lane) {
          case 0: out[i] = 1; break;
          default: break;
        }
        """,
        """
        // A vote decides about the store.
        if (__any_sync(0xffffffff, in[i] > 0)) out[i] = 1;
        """,
        """
        // The identity is another one.
        __shared__ int part[32];
        int v = warp_sum(in[i]);
        if (lane == 0) part[warp] = v;
        __syncthreads();
        v = tid < blockDim.x / 32 ? part[lane] : 1;
        if (warp == 0) v = warp_sum(v);
        if (tid == 0) out[blockIdx.x] = v;
        """,
        """
        // Eight results are read, though there may be fewer.
        __shared__ int part[32];
        int v = warp_sum(in[i]);
        if (lane == 0) part[warp] = v;
        __syncthreads();
        v = tid < 8 ? part[lane] : 0;
        if (warp == 0) v = warp_sum(v);
        if (tid == 0) out[blockIdx.x] = v;
        """,
        """
        // The sum is one of three of the eight.
        __shared__ int part[32];
        int v = warp_sum(in[i]);
        if (lane == 0) part[warp] = v;
        __syncthreads();
        if (tid == 0) {
          int sum = 0;
          for (int w = 0; w < 3; w++) sum += part[w];
          out[blockIdx.x] = sum;
        }
        """,
        """
        // The partial results are in memory carved out of another function's.
        store(in[i], lane, warp);
        __syncthreads();
        extern __shared__ int s[];
        out[i] = s[tid & 7];
        """,
        """
        // A variable changed between the vote and its use.
        bool keep = i < n && in[i] > 0;
        unsigned votes = __ballot_sync(0xffffffff, keep);
        int leader = __ffs(votes) - 1, base = 0;
        if (lane == leader) base = atomicAdd(count, __popc(votes));
        base = __shfl_sync(0xffffffff, base, leader);
        keep = in[i] > 3;
        if (keep) out[base + __popc(votes & ((1u << lane) - 1))] = in[i];
        """,
        """
        // A function changes the predicate.
        bool keep = i < n && in[i] > 0;
        unsigned votes = __ballot_sync(0xffffffff, keep);
        int leader = __ffs(votes) - 1, base = 0;
        if (lane == leader) base = atomicAdd(count, __popc(votes));
        base = __shfl_sync(0xffffffff, base, leader);
        flip(keep);
        if (keep) out[base + __popc(votes & ((1u << lane) - 1))] = in[i];
        """,
        """
        // Printed.
        __shared__ int part[32];
        int v = warp_sum(in[i]);
        if (lane == 0) part[warp] = v;
        __syncthreads();
        v = tid < blockDim.x / 32 ? part[lane] : 0;
        if (warp == 0) v = warp_sum(v);
        if (tid == 0) out[blockIdx.x] = v;
        if (lane == 0) printf("%d", in[i]);
        """,
        """
        // Swapped in.
        int v = warp_sum(in[i]);
        if (lane == 0) atomicExch(out, v);
        """,
        """
        // Counted by subtraction.
        unsigned votes = __ballot_sync(0xffffffff, in[i] > 0);
        if (lane == 0) atomicSub(count, __popc(votes) > 3);
        """,
        """
        // The base is stored as well.
        bool keep = i < n && in[i] > 0;
        unsigned votes = __ballot_sync(0xffffffff, keep);
        int leader = __ffs(votes) - 1, base = 0;
        if (lane == leader) base = atomicAdd(count, __popc(votes));
        base = __shfl_sync(0xffffffff, base, leader);
        if (keep) out[base + __popc(votes & ((1u << lane) - 1))] = in[i];
        out[i + n] = base;
        """,
        """
        // A pointer into a warp's part of shared memory.
        extern __shared__ int s[];
        int* mine = s + warp * 32;
        mine[lane] = in[i];
        __syncwarp();
        out[i] = mine[31 - lane];
        """,
        """
        // Members of an aggregate are the warps' results.
        struct P { int a, b; } p;
        p.a = warp_sum(in[i]);
        p.b = 0;
        P q = p;
        out[i] = q.a;
        """,
        """
        // A while loop over the warps' results.
        __shared__ int part[32];
        int v = warp_sum(in[i]);
        if (lane == 0) part[warp] = v;
        __syncthreads();
        int sum = 0, w = 0;
        while (w < 8) sum += part[w++];
        if (tid == 0) out[blockIdx.x] = sum;
        """,
        """
        // A pointer picks one of two arrays.
        __shared__ int part[32];
        int v = warp_sum(in[i]);
        if (lane == 0) part[warp] = v;
        __syncthreads();
        v = tid < blockDim.x / 32 ? part[lane] : 0;
        if (warp == 0) v = warp_sum(v);
        if (tid == 0) out[blockIdx.x] = v;
        __shared__ int other[32];
        other[tid & 31] = 1;
        int* q = n > 5 ? part : other;
        out[i] = q[tid & 7];
        """,
        """
        // A pointer into the partial results moves on.
        __shared__ int part[32];
        int v = warp_sum(in[i]);
        if (lane == 0) part[warp] = v;
        __syncthreads();
        v = tid < blockDim.x / 32 ? part[lane] : 0;
        if (warp == 0) v = warp_sum(v);
        if (tid == 0) out[blockIdx.x] = v;
        int* q = part;
        q += 2;
        out[i] = q[1];
        """,
      })
  void bodiesAreKept(String body) {
    assertThat(widens(body, helpers(body))).isFalse();
  }

  private static final String KERNEL =
      """
      __global__ void k(const int* in, int* out) {
        int v = warp_sum(in[blockIdx.x * blockDim.x + threadIdx.x]);
        if (threadIdx.x % 32 == 0) atomicAdd(out, v);
      }
      """;

  @Test
  void aLaunchThatIsSeenIsWidened() {
    String run = "void run(const int* in, int* out) { k<<<64, 256>>>(in, out); }\n";
    assertThat(widens(HELPERS + KERNEL + run)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        """
        // A build may choose blocks of 96 threads.
        void run(const int* in, int* out) {
        #ifdef SMALL
          k<<<64, 96>>>(in, out);
        #else
          k<<<64, 256>>>(in, out);
        #endif
        }
        """,
        """
        // A build may give the block.
        #ifndef BLOCK
        #define BLOCK 256
        #endif
        void run(const int* in, int* out) { k<<<64, BLOCK>>>(in, out); }
        """,
        """
        // The block is read.
        void run(const int* in, int* out) {
          int block = 256;
          std::cin >> block;
          k<<<64, block>>>(in, out);
        }
        """,
        """
        // A function that is not seen may set the block.
        void run(const int* in, int* out, char** args) {
          int block = 256;
          parse(args, block);
          k<<<64, block>>>(in, out);
        }
        """,
        """
        // A parameter hides a constant.
        const int block = 256;
        void run(const int* in, int* out, int block) { k<<<64, block>>>(in, out); }
        """,
        """
        // A variable that is set twice hides a constant.
        const int block = 256;
        void run(const int* in, int* out, int n) {
          int block = 128;
          if (n < 100) block = 96;
          k<<<64, block>>>(in, out);
        }
        """,
        """
        // A variable in an inner block hides the block.
        void run(const int* in, int* out) {
          int block = 256;
          {
            const int block = 96;
            k<<<64, block>>>(in, out);
          }
        }
        """,
        """
        // Launched by its address, too.
        void run(const int* in, int* out, void** args) {
          k<<<64, 256>>>(in, out);
          cudaLaunchKernel((const void*)k, dim3(64), dim3(96), args, 0, 0);
        }
        """,
        """
        // Launched by what it is passed to, too.
        template <class F> void launch(F f, const int* in, int* out) { f<<<64, 96>>>(in, out); }
        void run(const int* in, int* out) {
          k<<<64, 256>>>(in, out);
          launch(k, in, out);
        }
        """,
        """
        // Launched by a macro, too.
        #define GO(f) f<<<64, 96>>>(in, out)
        void run(const int* in, int* out) {
          k<<<64, 256>>>(in, out);
          GO(k);
        }
        """,
        """
        // A member of the block is set later.
        void run(const int* in, int* out) {
          dim3 block(256);
          block.x = 96;
          k<<<64, block>>>(in, out);
        }
        """,
        """
        // A lambda's parameter is the block.
        const int b = 256;
        void run(const int* in, int* out) {
          auto go = [&](int b) { k<<<64, b>>>(in, out); };
          go(96);
        }
        """,
        """
        // Blocks of two dimensions.
        void run(const int* in, int* out) { k<<<64, dim3(64, 4)>>>(in, out); }
        """,
        """
        // Another kernel in a part that is compiled in some builds.
        void run(const int* in, int* out) { k<<<64, 256>>>(in, out); }
        #ifdef MORE
        __global__ void other(int* out) { out[threadIdx.x] = warp_sum(threadIdx.x); }
        void more(int* out) { other<<<1, 96>>>(out); }
        #endif
        """,
      })
  void launchesAreKept(String host) {
    assertThat(widens(HELPERS + KERNEL + host)).isFalse();
  }

  /** The same name is another number in the file that launches. */
  @Test
  void otherFilesHaveTheirOwnConstants() {
    String kernel = "#define THREADS 256\n" + HELPERS + KERNEL;
    for (String define : List.of("#define THREADS 96\n", "const int THREADS = 96;\n")) {
      String host = define + "void run(const int* a, int* b) { k<<<64, THREADS>>>(a, b); }\n";
      assertThat(widens(kernel, host, "b.cu")).isFalse();
    }
    String same = "#define THREADS 128\nvoid run(const int* a, int* b) { k<<<64, 128>>>(a, b); }\n";
    assertThat(widens(kernel, same, "b.cu")).isTrue();
  }

  @Test
  void otherFilesMayTakeTheAddress() {
    String kernel =
        HELPERS + KERNEL + "void run(const int* in, int* out) { k<<<64, 256>>>(in, out); }\n";
    String host = "void go(const int* a, int* b) { auto f = k; f<<<64, 96>>>(a, b); }\n";
    assertThat(widens(kernel, host, "b.cu")).isFalse();
  }

  @Test
  void otherFilesMayIncludeTheFile() {
    String kernel =
        HELPERS + KERNEL + "void run(const int* in, int* out) { k<<<64, 256>>>(in, out); }\n";
    String host =
        "#include \"a.cu\"\n"
            + "__global__ void m(int* o) { o[0] = sum_of(1); }\n"
            + "void go(int* o) { m<<<64, 96>>>(o); }\n";
    String renamed = kernel.replace("warp_sum", "sum_of");
    assertThat(widens(renamed, host, "b.cu")).isFalse();
  }

  /** The first file of two, as a part of a project. */
  private static boolean widens(String first, String second, String name) {
    SourceFile a = new SourceFile("a.cu", first.getBytes(StandardCharsets.UTF_8));
    SourceFile b = new SourceFile(name, second.getBytes(StandardCharsets.UTF_8));
    ProjectIndex project = ProjectIndex.of(List.of(PORTER.scan(a), PORTER.scan(b)));
    return widens(PORTER.port(a, project));
  }

  /** A number of warps that is computed is written as the number it is. */
  @Test
  void numbersOfWarpsAreTheirOwn() {
    String text =
        HELPERS
            + """
            __global__ void k(const int* in, int* out) {
              __shared__ int part[8];
              int v = warp_sum(in[blockIdx.x * blockDim.x + threadIdx.x]);
              if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;
              __syncthreads();
              if (threadIdx.x == 0) {
                int sum = 0;
                for (int w = 0; w < 4 * 2; w++) sum += part[w];
                out[blockIdx.x] = sum;
              }
            }
            void run(const int* in, int* out) { k<<<64, 256>>>(in, out); }
            """;
    SourceFile file = new SourceFile("k.cu", text.getBytes(StandardCharsets.UTF_8));
    ProjectIndex project = ProjectIndex.of(List.of(PORTER.scan(file)));
    byte[] ported = PORTER.port(file, project).edits().apply(file.bytes());
    assertThat(new String(ported, StandardCharsets.UTF_8))
        .contains("w < (8 * 32 / rocport::wave::size)");
  }

  /** Their fragments are distributed over 32 lanes, whatever else the kernel does. */
  @ParameterizedTest
  @EnumSource(names = {"AUTO", "WIDE"})
  void kernelsWithFragmentsKeepGroupsOf32Lanes(PortOptions.Warp warp) {
    String text =
        HELPERS
            + """
            __global__ void k(const int* in, int* out, const half* a) {
              wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> f;
              wmma::load_matrix_sync(f, a, 16);
              int v = warp_sum(in[blockIdx.x * blockDim.x + threadIdx.x]);
              if (threadIdx.x % 32 == 0) atomicAdd(out, v);
            }
            void run(const int* in, int* out) { k<<<64, 256>>>(in, out, 0); }
            """;
    PortOptions options = PortOptions.DEFAULT;
    CudaPorter porter =
        new CudaPorter(
            RuleCatalog.builtIn(),
            new PortOptions(
                options.launch(),
                options.libs(),
                options.style(),
                warp,
                options.renameSources(),
                options.hip(),
                options.filter()));
    SourceFile file = new SourceFile("k.cu", text.getBytes(StandardCharsets.UTF_8));
    Changes changes = porter.port(file, ProjectIndex.of(List.of(porter.scan(file))));
    assertThat(widens(changes)).isFalse();
    assertThat(changes.findings())
        .extracting(Finding::message)
        .anyMatch(m -> m.contains("load_matrix_sync works on groups of 32 lanes (k.cu:7)"));
  }
}
