// CUDA's warp functions with CUDA's meaning (32 lanes, 32-bit masks) on AMD waves of 64 or 32 lanes.
//
// A wave of 64 lanes is treated as two logical warps: lanes 0-31 and lanes 32-63. Every function
// acts inside the logical warp of the calling lane: lane numbers are 0-31, bit i of a mask is lane i
// of that warp, ballots return that warp's 32 bits, shuffles never leave it. On a wave of 32 lanes
// wave and warp are the same. HIP's own functions of these names (present with
// HIP_ENABLE_WARP_SYNC_BUILTINS in 6.2-6.4, always from 7.0) span the wave and reject 32-bit masks;
// the functions here are in namespace rocport, so a program can use both.
//
//   CUDA                                    here (namespace rocport)
//   __shfl_sync, _up_, _down_, _xor_        shfl_sync, shfl_up_sync, shfl_down_sync, shfl_xor_sync
//   __ballot_sync, __any_sync, __all_sync   ballot_sync, any_sync, all_sync
//   __uni_sync                              uni_sync
//   __match_any_sync, __match_all_sync      match_any_sync, match_all_sync
//   __reduce_{add,min,max,and,or,xor}_sync  reduce_{add,min,max,and,or,xor}_sync
//   __activemask, __syncwarp                activemask, syncwarp
//   __shfl, __shfl_up, __shfl_down,         shfl, shfl_up, shfl_down, shfl_xor,
//   __shfl_xor, __ballot, __any, __all      ballot, any, all (the functions without a mask)
//   warpSize (32 in CUDA)                   warp_size
//   %laneid, %lanemask_lt ... in PTX        lane_id(), lanemask_eq/lt/le/gt/ge()
//
// Limits. (1) The lanes of a wave run in lockstep: a mask cannot make lanes in another branch wait.
// CUDA requires that all lanes of the mask execute the same call. If a program reaches it through
// two different call sites, only lanes of one site see each other here. (2) Values taken from a
// lane that is not active are undefined, as in CUDA. (3) The logical warp of a thread is its linear
// index in the block / 32, as in CUDA.
// Shuffle ranges follow PTX's shfl.sync (source operand taken modulo 32), matches compare bits as
// PTX's match.sync does (a NaN equals itself, +0 differs from -0), and lanes that have exited are
// ignored, as PTX defines for vote, match and redux.
#ifndef ROCPORT_WARP_SYNC_H
#define ROCPORT_WARP_SYNC_H

#include "warp_size.h"

#if defined(__HIP__) && defined(__clang__)

#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif

// In CUDA a lane may pass a value that it never set, if its value is not read: for example a
// counter that only the first lane advances and then broadcasts. Without the attribute, clang
// assumes that such lanes do not exist, and all lanes advance the counter.
#if defined(__has_attribute)
#if __has_attribute(maybe_undef)
#define ROCPORT_MAYBE_UNDEF __attribute__((maybe_undef))
#endif
#endif
#ifndef ROCPORT_MAYBE_UNDEF
#define ROCPORT_MAYBE_UNDEF
#endif

// Lanes of the target's waves: 64 on GCN and CDNA, 32 on RDNA unless -mwavefrontsize64 is given.
// The host pass, which runs none of this, uses 64. Compilers of ROCm 7 warn about the macros.
#if !defined(__HIP_DEVICE_COMPILE__) || defined(__GFX8__) || defined(__GFX9__) || defined(__SPIRV__)
#define ROCPORT_WAVE_SIZE 64
#else
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-pragma"
#if defined(__AMDGCN_WAVEFRONT_SIZE__) && __AMDGCN_WAVEFRONT_SIZE__ == 64
#define ROCPORT_WAVE_SIZE 64
#elif defined(__AMDGCN_WAVEFRONT_SIZE) && __AMDGCN_WAVEFRONT_SIZE == 64
#define ROCPORT_WAVE_SIZE 64
#else
#define ROCPORT_WAVE_SIZE 32
#endif
#pragma clang diagnostic pop
#endif

namespace rocport {

namespace warp_detail {

/// Lane of the wave: 0-63, or 0-31 on a wave of 32.
__device__ __forceinline__ unsigned wave_lane() {
#if ROCPORT_WAVE_SIZE == 32
  const unsigned lane = __builtin_amdgcn_mbcnt_lo(~0u, 0u);
#else
  const unsigned lane = __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0u));
#endif
  __builtin_assume(lane < ROCPORT_WAVE_SIZE);  // unknown to the compiler; saves range checks
  return lane;
}

/// The active lanes of the wave for which the predicate holds.
__device__ __forceinline__ unsigned long long wave_ballot(bool predicate) {
#if ROCPORT_WAVE_SIZE == 32
  return __builtin_amdgcn_ballot_w32(predicate);
#else
  return __builtin_amdgcn_ballot_w64(predicate);
#endif
}

/// First wave lane of the caller's logical warp: 0 or 32.
__device__ __forceinline__ unsigned warp_base() { return wave_lane() & 32u; }

/// The caller's 32 bits of a mask over the wave.
__device__ __forceinline__ unsigned own_half(unsigned long long wave_mask) {
  return static_cast<unsigned>(wave_mask >> warp_base());
}

__device__ __forceinline__ unsigned vote(bool predicate) {
  return own_half(wave_ballot(predicate));
}

__device__ __forceinline__ int read_lane(ROCPORT_MAYBE_UNDEF int value, unsigned wave_lane) {
  return __builtin_amdgcn_ds_bpermute(static_cast<int>(wave_lane << 2), value);
}

/// A value as 32-bit words, so that any plain type can be exchanged between lanes.
template <typename T>
struct Words {
  static constexpr unsigned count = (sizeof(T) + 3u) / 4u;
  int word[count];

  __device__ __forceinline__ static Words of(const T& value) {
    Words words = {};
    __builtin_memcpy(words.word, static_cast<const void*>(&value), sizeof(T));
    return words;
  }

  __device__ __forceinline__ T value() const {
    T result;
    __builtin_memcpy(static_cast<void*>(&result), word, sizeof(T));
    return result;
  }
};

/// The value of a lane of the wave.
template <typename T>
__device__ __forceinline__ T from_wave_lane(const T& value, unsigned lane) {
  // HIP's bfloat16 pairs have copy constructors, so requiring trivially copyable types would be too
  // strict.
  static_assert(__is_trivially_destructible(T), "only plain values can cross lanes");
  Words<T> words = Words<T>::of(value);
#pragma unroll
  for (unsigned i = 0; i < Words<T>::count; ++i) words.word[i] = read_lane(words.word[i], lane);
  return words.value();
}

template <typename T>
__device__ __forceinline__ bool same_bits(const Words<T>& a, const Words<T>& b) {
  bool same = true;
#pragma unroll
  for (unsigned i = 0; i < Words<T>::count; ++i) same = same && a.word[i] == b.word[i];
  return same;
}

// The following functions are for warps of Lanes lanes: 32 (logical warps) or the wave.

/// Value of lane source of the caller's section of width lanes.
template <unsigned Lanes, typename T>
__device__ __forceinline__ T shuffle(const T& var, int source, int width) {
  static_assert(Lanes == 32u || Lanes == 64u, "a warp has 32 or 64 lanes");
  const unsigned section = static_cast<unsigned>(width) - 1u;
  const unsigned lane = wave_lane();
  return from_wave_lane(var, (lane & ~section) | (static_cast<unsigned>(source) & section));
}

template <unsigned Lanes, typename T>
__device__ __forceinline__ T shuffle_up(const T& var, unsigned delta, int width) {
  const unsigned section = static_cast<unsigned>(width) - 1u;
  const unsigned lane = wave_lane();
  const unsigned step = delta & (Lanes - 1u);
  return from_wave_lane(var, (lane & section) >= step ? lane - step : lane);
}

template <unsigned Lanes, typename T>
__device__ __forceinline__ T shuffle_down(const T& var, unsigned delta, int width) {
  const unsigned section = static_cast<unsigned>(width) - 1u;
  const unsigned lane = wave_lane();
  const unsigned step = delta & (Lanes - 1u);
  return from_wave_lane(var, (lane & section) + step <= section ? lane + step : lane);
}

template <unsigned Lanes, typename T>
__device__ __forceinline__ T shuffle_xor(const T& var, int lane_mask, int width) {
  const unsigned section = static_cast<unsigned>(width) - 1u;
  const unsigned lane = wave_lane();
  const unsigned source = lane ^ (static_cast<unsigned>(lane_mask) & (Lanes - 1u));
  return from_wave_lane(var, (source & ~section) <= (lane & ~section) ? source : lane);
}

/// The active lanes of the wave whose value has the same bits.
template <typename T>
__device__ __forceinline__ unsigned long long wave_match(const T& value) {
  static_assert(sizeof(T) <= 8, "a match compares at most 64 bits");
  const auto own = Words<T>::of(value);
  unsigned long long same = 0;
  for (unsigned long long left = wave_ballot(true); left != 0;) {
    const int leader = __builtin_ctzll(left);
    Words<T> theirs = {};
#pragma unroll
    for (unsigned i = 0; i < Words<T>::count; ++i) {
      theirs.word[i] = __builtin_amdgcn_readlane(own.word[i], leader);
    }
    const bool equal = same_bits(own, theirs);
    const unsigned long long group = wave_ballot(equal);
    same = equal ? group : same;
    left &= ~group;
  }
  return same;
}

/// Whether the value has the same bits as that of a lane of the wave.
template <typename T>
__device__ __forceinline__ bool same_as(const T& value, unsigned lane) {
  static_assert(sizeof(T) <= 8, "a match compares at most 64 bits");
  return same_bits(Words<T>::of(value), Words<T>::of(from_wave_lane(value, lane)));
}

/// A lane's 64 bits, for all lanes.
__device__ __forceinline__ unsigned long long scalar(unsigned long long value, int lane) {
  const auto low = __builtin_amdgcn_readlane(static_cast<int>(value), lane);
  const auto high = __builtin_amdgcn_readlane(static_cast<int>(value >> 32), lane);
  return static_cast<unsigned long long>(static_cast<unsigned>(high)) << 32 |
         static_cast<unsigned>(low);
}

/// Combines the values of the member lanes, which are active, in ascending order unless the whole
/// warp takes part (the operations are associative and commutative, so any order is valid). Bit i
/// of the members is lane i of the warp.
template <unsigned Lanes, typename Mask, typename T, typename Op>
__device__ __forceinline__ T reduce(Mask members, T value, Op op) {
  const unsigned lane = wave_lane();
  if (members == static_cast<Mask>(~0ull >> (64u - Lanes))) {
#pragma unroll
    for (unsigned step = Lanes / 2u; step > 0; step >>= 1) {
      value = op(value, from_wave_lane(value, lane ^ step));
    }
    return value;
  }
  const unsigned long long own = static_cast<unsigned long long>(members)
                                 << (lane & ~(Lanes - 1u));
  T result = value;
  // Processes one group of lanes after the other, each in scalar registers.
  for (unsigned long long left = wave_ballot(true); left != 0;) {
    const unsigned long long group = scalar(own, __builtin_ctzll(left));
    T combined = value;
    bool found = false;
    for (unsigned long long rest = group; rest != 0; rest &= rest - 1u) {
      const T other =
          static_cast<T>(__builtin_amdgcn_readlane(static_cast<int>(value), __builtin_ctzll(rest)));
      combined = found ? op(combined, other) : other;
      found = true;
    }
    const bool mine = own == group;
    result = mine ? combined : result;
    left &= ~wave_ballot(mine);
  }
  return result;
}

struct Add {
  template <typename T>
  __device__ __forceinline__ T operator()(T a, T b) const {
    return static_cast<T>(static_cast<unsigned>(a) + static_cast<unsigned>(b));
  }
};
struct Min {
  template <typename T>
  __device__ __forceinline__ T operator()(T a, T b) const { return b < a ? b : a; }
};
struct Max {
  template <typename T>
  __device__ __forceinline__ T operator()(T a, T b) const { return a < b ? b : a; }
};
struct And {
  __device__ __forceinline__ unsigned operator()(unsigned a, unsigned b) const { return a & b; }
};
struct Or {
  __device__ __forceinline__ unsigned operator()(unsigned a, unsigned b) const { return a | b; }
};
struct Xor {
  __device__ __forceinline__ unsigned operator()(unsigned a, unsigned b) const { return a ^ b; }
};

}  // namespace warp_detail

/// Lane number within the logical warp, 0-31.
__device__ __forceinline__ unsigned lane_id() { return warp_detail::wave_lane() & 31u; }

__device__ __forceinline__ unsigned lanemask_eq() { return 1u << lane_id(); }
__device__ __forceinline__ unsigned lanemask_lt() { return lanemask_eq() - 1u; }
__device__ __forceinline__ unsigned lanemask_le() { return lanemask_lt() | lanemask_eq(); }
__device__ __forceinline__ unsigned lanemask_gt() { return ~lanemask_le(); }
__device__ __forceinline__ unsigned lanemask_ge() { return ~lanemask_lt(); }

/// The active lanes of the caller's logical warp.
__device__ __forceinline__ unsigned activemask() { return warp_detail::vote(true); }

/// Orders the memory accesses of the lanes of one wave, which is all that CUDA guarantees between
/// the lanes of the mask. The hardware keeps the accesses of a wave in order, so this only
/// restricts the compiler.
__device__ __forceinline__ void syncwarp(unsigned mask = 0xffffffffu) {
  (void)mask;
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}

__device__ __forceinline__ unsigned ballot_sync(unsigned mask, int predicate) {
  return warp_detail::vote(predicate != 0) & mask;
}

__device__ __forceinline__ int any_sync(unsigned mask, int predicate) {
  return ballot_sync(mask, predicate) != 0u;
}

__device__ __forceinline__ int all_sync(unsigned mask, int predicate) {
  return (warp_detail::vote(predicate == 0) & mask) == 0u;
}

/// True if the predicate is the same in all lanes of the mask.
__device__ __forceinline__ int uni_sync(unsigned mask, int predicate) {
  const unsigned set = ballot_sync(mask, predicate);
  return set == 0u || set == (activemask() & mask);
}

/// Value of lane src_lane of the caller's section of width lanes (1, 2, 4, 8, 16 or 32).
template <typename T>
__device__ __forceinline__ T shfl_sync(unsigned mask, ROCPORT_MAYBE_UNDEF T var, int src_lane,
                                       int width = warp_size) {
  (void)mask;
  return warp_detail::shuffle<32>(var, src_lane, width);
}

/// Value of the lane delta below; the lane's own value if that is before the section.
template <typename T>
__device__ __forceinline__ T shfl_up_sync(unsigned mask, ROCPORT_MAYBE_UNDEF T var, unsigned delta,
                                          int width = warp_size) {
  (void)mask;
  return warp_detail::shuffle_up<32>(var, delta, width);
}

/// Value of the lane delta above; the lane's own value if that is past the section.
template <typename T>
__device__ __forceinline__ T shfl_down_sync(unsigned mask, ROCPORT_MAYBE_UNDEF T var,
                                            unsigned delta, int width = warp_size) {
  (void)mask;
  return warp_detail::shuffle_down<32>(var, delta, width);
}

/// Value of the lane with the bits of lane_mask flipped; the lane's own value if that is past the
/// section (earlier sections can be read, as in CUDA).
template <typename T>
__device__ __forceinline__ T shfl_xor_sync(unsigned mask, ROCPORT_MAYBE_UNDEF T var, int lane_mask,
                                           int width = warp_size) {
  (void)mask;
  return warp_detail::shuffle_xor<32>(var, lane_mask, width);
}

/// The lanes of the mask whose value has the same bits.
template <typename T>
__device__ __forceinline__ unsigned match_any_sync(unsigned mask, ROCPORT_MAYBE_UNDEF T value) {
  return warp_detail::own_half(warp_detail::wave_match(value)) & mask;
}

/// The active lanes of the mask if their values all have the same bits (*pred = 1), else 0.
template <typename T>
__device__ __forceinline__ unsigned match_all_sync(unsigned mask, ROCPORT_MAYBE_UNDEF T value,
                                                   int* pred) {
  const unsigned members = activemask() & mask;
  const unsigned leader = members != 0u ? static_cast<unsigned>(__builtin_ctz(members)) : 0u;
  const bool equal = warp_detail::same_as(value, warp_detail::warp_base() + leader);
  const bool all = (warp_detail::vote(!equal) & members) == 0u;
  *pred = all ? 1 : 0;
  return all ? members : 0u;
}

__device__ __forceinline__ int reduce_add_sync(unsigned mask, int value) {
  return warp_detail::reduce<32>(activemask() & mask, value, warp_detail::Add());
}
__device__ __forceinline__ unsigned reduce_add_sync(unsigned mask, unsigned value) {
  return warp_detail::reduce<32>(activemask() & mask, value, warp_detail::Add());
}
__device__ __forceinline__ int reduce_min_sync(unsigned mask, int value) {
  return warp_detail::reduce<32>(activemask() & mask, value, warp_detail::Min());
}
__device__ __forceinline__ unsigned reduce_min_sync(unsigned mask, unsigned value) {
  return warp_detail::reduce<32>(activemask() & mask, value, warp_detail::Min());
}
__device__ __forceinline__ int reduce_max_sync(unsigned mask, int value) {
  return warp_detail::reduce<32>(activemask() & mask, value, warp_detail::Max());
}
__device__ __forceinline__ unsigned reduce_max_sync(unsigned mask, unsigned value) {
  return warp_detail::reduce<32>(activemask() & mask, value, warp_detail::Max());
}
__device__ __forceinline__ unsigned reduce_and_sync(unsigned mask, unsigned value) {
  return warp_detail::reduce<32>(activemask() & mask, value, warp_detail::And());
}
__device__ __forceinline__ unsigned reduce_or_sync(unsigned mask, unsigned value) {
  return warp_detail::reduce<32>(activemask() & mask, value, warp_detail::Or());
}
__device__ __forceinline__ unsigned reduce_xor_sync(unsigned mask, unsigned value) {
  return warp_detail::reduce<32>(activemask() & mask, value, warp_detail::Xor());
}

/// The functions without a mask that CUDA had before 9: all active lanes take part.
template <typename T>
__device__ __forceinline__ T shfl(ROCPORT_MAYBE_UNDEF T var, int src_lane, int width = warp_size) {
  return shfl_sync(0xffffffffu, var, src_lane, width);
}
template <typename T>
__device__ __forceinline__ T shfl_up(ROCPORT_MAYBE_UNDEF T var, unsigned delta,
                                     int width = warp_size) {
  return shfl_up_sync(0xffffffffu, var, delta, width);
}
template <typename T>
__device__ __forceinline__ T shfl_down(ROCPORT_MAYBE_UNDEF T var, unsigned delta,
                                       int width = warp_size) {
  return shfl_down_sync(0xffffffffu, var, delta, width);
}
template <typename T>
__device__ __forceinline__ T shfl_xor(ROCPORT_MAYBE_UNDEF T var, int lane_mask,
                                      int width = warp_size) {
  return shfl_xor_sync(0xffffffffu, var, lane_mask, width);
}
__device__ __forceinline__ unsigned ballot(int predicate) {
  return ballot_sync(0xffffffffu, predicate);
}
__device__ __forceinline__ int any(int predicate) { return any_sync(0xffffffffu, predicate); }
__device__ __forceinline__ int all(int predicate) { return all_sync(0xffffffffu, predicate); }

}  // namespace rocport

#elif defined(__CUDACC__)

// One source for both vendors: under nvcc the same names are CUDA's own functions.
namespace rocport {

__device__ __forceinline__ unsigned lane_id() {
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}
__device__ __forceinline__ unsigned lanemask_eq() { return 1u << lane_id(); }
__device__ __forceinline__ unsigned lanemask_lt() { return lanemask_eq() - 1u; }
__device__ __forceinline__ unsigned lanemask_le() { return lanemask_lt() | lanemask_eq(); }
__device__ __forceinline__ unsigned lanemask_gt() { return ~lanemask_le(); }
__device__ __forceinline__ unsigned lanemask_ge() { return ~lanemask_lt(); }
__device__ __forceinline__ unsigned activemask() { return __activemask(); }
__device__ __forceinline__ void syncwarp(unsigned mask = 0xffffffffu) { __syncwarp(mask); }
__device__ __forceinline__ unsigned ballot_sync(unsigned mask, int predicate) {
  return __ballot_sync(mask, predicate);
}
__device__ __forceinline__ int any_sync(unsigned mask, int predicate) {
  return __any_sync(mask, predicate);
}
__device__ __forceinline__ int all_sync(unsigned mask, int predicate) {
  return __all_sync(mask, predicate);
}
__device__ __forceinline__ int uni_sync(unsigned mask, int predicate) {
  return __uni_sync(mask, predicate);
}
template <typename T>
__device__ __forceinline__ T shfl_sync(unsigned mask, T var, int src_lane, int width = 32) {
  return __shfl_sync(mask, var, src_lane, width);
}
template <typename T>
__device__ __forceinline__ T shfl_up_sync(unsigned mask, T var, unsigned delta, int width = 32) {
  return __shfl_up_sync(mask, var, delta, width);
}
template <typename T>
__device__ __forceinline__ T shfl_down_sync(unsigned mask, T var, unsigned delta, int width = 32) {
  return __shfl_down_sync(mask, var, delta, width);
}
template <typename T>
__device__ __forceinline__ T shfl_xor_sync(unsigned mask, T var, int lane_mask, int width = 32) {
  return __shfl_xor_sync(mask, var, lane_mask, width);
}
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
template <typename T>
__device__ __forceinline__ unsigned match_any_sync(unsigned mask, T value) {
  return __match_any_sync(mask, value);
}
template <typename T>
__device__ __forceinline__ unsigned match_all_sync(unsigned mask, T value, int* pred) {
  return __match_all_sync(mask, value, pred);
}
#endif
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
template <typename T>
__device__ __forceinline__ T reduce_add_sync(unsigned mask, T value) {
  return __reduce_add_sync(mask, value);
}
template <typename T>
__device__ __forceinline__ T reduce_min_sync(unsigned mask, T value) {
  return __reduce_min_sync(mask, value);
}
template <typename T>
__device__ __forceinline__ T reduce_max_sync(unsigned mask, T value) {
  return __reduce_max_sync(mask, value);
}
__device__ __forceinline__ unsigned reduce_and_sync(unsigned mask, unsigned value) {
  return __reduce_and_sync(mask, value);
}
__device__ __forceinline__ unsigned reduce_or_sync(unsigned mask, unsigned value) {
  return __reduce_or_sync(mask, value);
}
__device__ __forceinline__ unsigned reduce_xor_sync(unsigned mask, unsigned value) {
  return __reduce_xor_sync(mask, value);
}
#endif

}  // namespace rocport

#endif
#endif  // ROCPORT_WARP_SYNC_H
