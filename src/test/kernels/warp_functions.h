// Every function of a header of warp functions, beside what it must give, computed on the processor
// from the values of all lanes. The program that includes this says which header: namespace w, with
// warps of Lanes lanes and masks of the type Mask.
#pragma once

#include "check.h"

constexpr Mask All = ~Mask(0);

/** Which threads of a block take part, and how those choose the lanes of their masks. */
struct Setup {
  unsigned seed;
  int part;
  bool grouped;

  BOTH bool active(int thread) const {
    switch (part) {
      case 0: return true;
      case 1: return bits(unsigned(thread) + seed) % 3 != 0;
      case 2: return thread % 64 < 41;
      default: return thread % 64 >= 29 && thread % 2 == 0;
    }
  }
  BOTH unsigned value(int thread) const { return bits(unsigned(thread) * 3 + seed); }
  BOTH int group(int thread) const { return grouped ? int(value(thread) >> 8) % 3 : 0; }
};

__device__ int linear_thread() {
  return int(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
}

/** A value of 12 bytes. */
struct Triple {
  int a, b, c;
  Triple() = default;
  BOTH explicit Triple(uint64_t v) : a(int(v)), b(int(v >> 32)), c(int(v >> 16)) {}
};

template <class T>
__global__ void shuffles(T* out, Setup setup, int source, int width) {
  int thread = linear_thread(), n = int(blockDim.x * blockDim.y * blockDim.z);
  if (!setup.active(thread)) return;
  T v = T(bits64(unsigned(thread) + setup.seed));
  T* to = out + thread;
  Mask m = w::activemask();
  to[0 * n] = w::shfl_sync(m, v, source + thread % 5, width);
  to[1 * n] = w::shfl_up_sync(m, v, unsigned(source), width);
  to[2 * n] = w::shfl_down_sync(m, v, unsigned(source), width);
  to[3 * n] = w::shfl_xor_sync(m, v, source, width);
  to[4 * n] = w::shfl(v, source, width);
  to[5 * n] = w::shfl_up(v, unsigned(source + thread % 3), width);
  to[6 * n] = w::shfl_down(v, unsigned(source + thread % 3), width);
  to[7 * n] = w::shfl_xor(v, source ^ 1, width);
  to[8 * n] = w::shfl_sync(m, v, source);
  to[9 * n] = w::shfl_up_sync(m, v, unsigned(source));
  to[10 * n] = w::shfl_down_sync(m, v, unsigned(source));
  to[11 * n] = w::shfl_xor_sync(m, v, source);
}

/** The lane that PTX's shfl.sync reads, for warps of Lanes lanes. */
struct Shuffled {
  int lane, width;
  int base() const { return lane / width * width; }
  int idx(int source) const { return base() + (source & (width - 1)); }
  int up(int delta) const {
    int from = lane - (delta & (Lanes - 1));
    return from >= base() ? from : lane;
  }
  int down(int delta) const {
    int from = lane + (delta & (Lanes - 1));
    return from < base() + width ? from : lane;
  }
  int flip(int bits) const {
    int from = lane ^ (bits & (Lanes - 1));
    return from < base() + width ? from : lane;
  }
};

template <class T>
void shuffle(Check& check, const char* name, dim3 block, Setup setup) {
  int n = int(block.x * block.y * block.z);
  for (int width = 2; width <= Lanes; width *= 2) {
    for (int source : {0, 1, 3, Lanes / 2, Lanes - 1, Lanes + 2, -1}) {
      Buffer<T> out(12 * n);
      shuffles<T><<<1, block>>>(out.get(), setup, source, width);
      std::vector<T> got = out.host(), want(12 * n);
      memset(static_cast<void*>(want.data()), 0, want.size() * sizeof(T));
      for (int i = 0; i < n; i++) {
        Shuffled part{i % Lanes, width}, whole{i % Lanes, Lanes};
        int from[12] = {part.idx(source + i % 5), part.up(source), part.down(source),
                        part.flip(source), part.idx(source), part.up(source + i % 3),
                        part.down(source + i % 3), part.flip(source ^ 1), whole.idx(source),
                        whole.up(source), whole.down(source), whole.flip(source)};
        for (int k = 0; k < 12; k++) {
          int thread = i / Lanes * Lanes + from[k];
          if (!setup.active(i)) continue;
          if (thread < n && setup.active(thread)) {
            want[k * n + i] = T(bits64(unsigned(thread) + setup.seed));
          } else {
            memset(static_cast<void*>(&got[k * n + i]), 0, sizeof(T));  // undefined
          }
        }
      }
      check.same(name, got, want);
    }
  }
}

constexpr int Results = 40;

__global__ void votes(uint64_t* out, Setup setup) {
  int thread = linear_thread(), n = int(blockDim.x * blockDim.y * blockDim.z);
  __shared__ unsigned last[1024];
  if (!setup.active(thread)) return;
  unsigned v = setup.value(thread);
  Mask m = All;
  if (setup.grouped) {
    for (int g = 0; g < 3; g++) {
      Mask members = w::ballot(setup.group(thread) == g);
      if (setup.group(thread) == g) m = members;
    }
  }
  uint64_t* to = out + thread;
  int k = 0, pred = 7;
  auto put = [&](uint64_t result) { to[n * k++] = result; };
  put(w::lane_id());
  put(w::lanemask_eq());
  put(w::lanemask_lt());
  put(w::lanemask_le());
  put(w::lanemask_gt());
  put(w::lanemask_ge());
  put(w::activemask());
  put(w::ballot_sync(m, v & 1));
  put(uint64_t(w::any_sync(m, v % 29 == 0)));
  put(uint64_t(w::all_sync(m, v % 29 != 0)));
  put(uint64_t(w::uni_sync(m, v % 29 != 0)));
  put(uint64_t(w::uni_sync(m, setup.group(thread) == 1)));
  put(w::ballot(int(v & 2)));
  put(uint64_t(w::any(v % 43 == 0)));
  put(uint64_t(w::all(v % 43 != 0)));
  put(w::match_any_sync(m, v % 5));
  put(w::match_any_sync(m, uint64_t(v % 3) << 40));
  put(w::match_any_sync(m, v % 2 ? 0.0 : -0.0));
  put(w::match_all_sync(m, v % 29 == 0, &pred));
  put(uint64_t(pred));
  put(w::match_all_sync(m, uint64_t(setup.group(thread)) << 35, &pred));
  put(uint64_t(pred));
  put(uint64_t(int64_t(w::reduce_add_sync(m, int(v)))));
  put(w::reduce_add_sync(m, v));
  put(uint64_t(int64_t(w::reduce_min_sync(m, int(v)))));
  put(w::reduce_min_sync(m, v));
  put(uint64_t(int64_t(w::reduce_max_sync(m, int(v)))));
  put(w::reduce_max_sync(m, v));
  put(w::reduce_and_sync(m, v | 0x10u << thread % 3));
  put(w::reduce_or_sync(m, v & 0x11111111u << thread % 3));
  put(w::reduce_xor_sync(m, v));
  last[thread] = v;
  w::syncwarp();
  int next = thread ^ 1;
  put(next < n && setup.active(next) ? last[next] : 0);
  w::syncwarp(m);
  last[thread] = v + 1;
  w::syncwarp(m);
  put(next < n && setup.active(next) ? last[next] : 0);
}

/** What votes gives in one warp. */
struct Warp {
  const Setup& setup;
  int first, n;

  template <class P>
  Mask where(P p) const {
    Mask m = 0;
    for (int i = 0; i < Lanes && first + i < n; i++) {
      if (setup.active(first + i) && p(first + i)) m |= Mask(1) << i;
    }
    return m;
  }

  std::vector<uint64_t> results(int thread) const {
    const Setup& s = setup;
    int lane = thread - first;
    Mask one = Mask(1) << lane, active = where([](int) { return true; });
    Mask m = s.grouped ? where([&](int t) { return s.group(t) == s.group(thread); }) : active;
    auto v = [&](int t) { return s.value(t); };
    auto in = [&](auto p) { return where(p) & m; };
    auto folded = [&](auto value, auto op) {
      uint64_t result = 0;
      bool found = false;
      for (int i = 0; i < Lanes; i++) {
        if (!(m >> i & 1)) continue;
        auto next = value(first + i);
        result = found ? uint64_t(int64_t(op(decltype(next)(result), next))) : uint64_t(int64_t(next));
        found = true;
      }
      return result;
    };
    auto plain = [&](int t) { return v(t); };
    auto sign = [&](int t) { return int(v(t)); };
    auto add = [](auto a, auto b) { return decltype(a)(unsigned(a) + unsigned(b)); };
    auto least = [](auto a, auto b) { return a < b ? a : b; };
    auto most = [](auto a, auto b) { return a < b ? b : a; };
    auto rare = [&](int t) { return v(t) % 29 == 0; };
    Mask rares = in(rare);
    bool same_rare = rares == 0 || rares == m;
    Mask ones = in([&](int t) { return s.group(t) == 1; });
    int next = thread ^ 1;
    unsigned partner = next < n && s.active(next) ? v(next) : 0;
    return {
        uint64_t(lane), one, Mask(one - 1), Mask(one | (one - 1)), Mask(~(one | (one - 1))),
        Mask(~(one - 1)), active, in([&](int t) { return v(t) & 1; }), rares != 0, rares == 0,
        same_rare, ones == 0 || ones == m, where([&](int t) { return v(t) & 2; }),
        where([&](int t) { return v(t) % 43 == 0; }) != 0,
        where([&](int t) { return v(t) % 43 == 0; }) == 0,
        in([&](int t) { return v(t) % 5 == v(thread) % 5; }),
        in([&](int t) { return v(t) % 3 == v(thread) % 3; }),
        in([&](int t) { return v(t) % 2 == v(thread) % 2; }), same_rare ? m : 0, same_rare,
        m, 1, folded(sign, add), uint32_t(folded(plain, add)),
        folded(sign, least), uint32_t(folded(plain, least)), folded(sign, most),
        uint32_t(folded(plain, most)),
        uint32_t(folded([&](int t) { return v(t) | 0x10u << t % 3; },
                        [](unsigned a, unsigned b) { return a & b; })),
        uint32_t(folded([&](int t) { return v(t) & 0x11111111u << t % 3; },
                        [](unsigned a, unsigned b) { return a | b; })),
        uint32_t(folded(plain, [](unsigned a, unsigned b) { return a ^ b; })), partner,
        partner == 0 ? 0u : partner + 1};
  }
};

inline void vote(Check& check, dim3 block, Setup setup) {
  int n = int(block.x * block.y * block.z);
  Buffer<uint64_t> out(Results * n);
  votes<<<1, block>>>(out.get(), setup);
  std::vector<uint64_t> got = out.host();
  for (int i = 0; i < n; i++) {
    if (!setup.active(i)) continue;
    std::vector<uint64_t> want = Warp{setup, i / Lanes * Lanes, n}.results(i), of;
    for (size_t k = 0; k < want.size(); k++) of.push_back(got[k * n + i]);
    check.same("votes", of, want);
  }
}

/** Blocks that fill their warps and ones that do not, all lanes active and only some. */
inline void check_all(Check& check) {
  const dim3 blocks[] = {dim3(64), dim3(256), dim3(100), dim3(37), dim3(1), dim3(9, 5, 3)};
  unsigned seed = 1;
  for (dim3 block : blocks) {
    for (int part = 0; part < 4; part++) {
      for (bool grouped : {false, true}) vote(check, block, Setup{seed++, part, grouped});
    }
  }
  shuffle<int>(check, "int", dim3(100), Setup{5, 0, false});
  shuffle<int>(check, "int", dim3(64), Setup{6, 1, false});
  shuffle<double>(check, "double", dim3(9, 5, 3), Setup{7, 2, false});
  shuffle<short>(check, "short", dim3(37), Setup{8, 3, false});
  shuffle<Triple>(check, "Triple", dim3(128), Setup{9, 1, false});
}
