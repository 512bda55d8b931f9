// quick exact: all of rocport/wave.h: warps that are waves, partly active ones, all widths, mask bits
#include "../../../hip-runtime/include/rocport/wave.h"

namespace w = rocport::wave;
using Mask = w::mask;
constexpr int Lanes = w::size;

// Of the target that is compiled for; the host pass has 64 of it.
static_assert(w::size == __AMDGCN_WAVEFRONT_SIZE__ && w::size == 1 << w::log2_size, "lanes");
static_assert(sizeof(w::mask) == 8 && w::full >> (w::size - 1) == 1, "a bit a lane");

#include "warp_functions.h"

template <int N>
struct PerLane {
  int of[N];
};

__global__ void constants(uint64_t* out) {
  __shared__ unsigned waves[256 / w::size];
  PerLane<w::size> lanes;
  unsigned thread = unsigned(linear_thread());
  if (w::lane_id() == 0) waves[w::warp_id()] = thread;
  __syncthreads();
  out[thread * 4] = w::warp_id();
  out[thread * 4 + 1] = waves[w::warp_id()];
  out[thread * 4 + 2] = w::full;
  out[thread * 4 + 3] = sizeof(lanes.of) / sizeof(int) << 8 | unsigned(w::log2_size);
}

__global__ void mask_bits(uint64_t* out, const uint64_t* in, int n) {
  int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  w::mask m = in[i];
  out[i] = unsigned(w::popc(m));
  out[n + i] = unsigned(w::ffs(m));
  out[2 * n + i] = unsigned(w::clz(m));
  out[3 * n + i] = w::brev(m);
  out[4 * n + i] = w::fns(m, unsigned(i) % 64, i % 9 - 4);
}

/** As PTX's fns counts. */
unsigned nth(uint64_t m, int base, int offset) {
  if (offset == 0) return m >> base & 1 ? unsigned(base) : ~0u;
  int step = offset > 0 ? 1 : -1, left = abs(offset);
  for (int at = base; at >= 0 && at < 64; at += step) {
    if (m >> at & 1 && --left == 0) return unsigned(at);
  }
  return ~0u;
}

int main() {
  Check check;
  check_all(check);
  check.same("host_size", w::host_size(), 64);

  dim3 block(25, 5, 2);
  Buffer<uint64_t> known(250 * 4);
  constants<<<1, block>>>(known.get());
  std::vector<uint64_t> wanted;
  for (uint64_t i = 0; i < 250; i++) {
    for (uint64_t v : {i / 64, i / 64 * 64, ~uint64_t(0), uint64_t(64 << 8 | 6)}) wanted.push_back(v);
  }
  check.same("constants", known.host(), wanted);

  std::vector<uint64_t> masks{0, ~uint64_t(0), 1, uint64_t(1) << 63, 0xffffffff, ~uint64_t(0xffffffff)};
  for (unsigned i = 0; i < 500; i++) masks.push_back(i % 2 ? bits64(i) : bits64(i) & bits64(i + 7) & bits64(i + 9));
  int n = int(masks.size());
  Buffer<uint64_t> in(masks), out(5 * n);
  mask_bits<<<(n + 99) / 100, 100>>>(out.get(), in.get(), n);
  std::vector<uint64_t> want(5 * n);
  for (int i = 0; i < n; i++) {
    int lowest = 64, highest = -1;
    for (int k = 0; k < 64; k++) {
      if (!(masks[i] >> k & 1)) continue;
      want[i]++;
      lowest = k < lowest ? k : lowest;
      highest = k;
      want[3 * n + i] |= uint64_t(1) << (63 - k);
    }
    want[n + i] = lowest == 64 ? 0 : unsigned(lowest) + 1;
    want[2 * n + i] = unsigned(63 - highest);
    want[4 * n + i] = nth(masks[i], i % 64, i % 9 - 4);
  }
  check.same("mask_bits", out.host(), want);
  return check.end();
}
