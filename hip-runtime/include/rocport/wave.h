// CUDA's warp functions over whole waves: warp code whose warps are the target's wavefronts.
//
// For code in which 32 only meant "the lanes of a warp": it gets the lanes from wave::size, the
// masks from wave::mask, and does the same with 64 lanes. Every function has the meaning of the CUDA
// function if warps had wave::size lanes: source lanes count modulo size, widths default to it,
// results of ballots and matches are 64-bit masks. Code that relies on 32 uses warp_sync.h instead,
// which divides the wave; both can be used together.
//
//   CUDA                                    here (namespace rocport::wave)
//   unsigned (as a mask of lanes)           mask: 64 bits, whatever the target
//   32, warpSize; 5; 0xffffffff             size; log2_size; full (constants, template arguments)
//   warpSize in host code                   host_size(): asks the current device
//   threadIdx.x / 32                        warp_id()
//   __shfl_sync, _up_, _down_, _xor_        shfl_sync, shfl_up_sync, shfl_down_sync, shfl_xor_sync
//   __ballot_sync, __any_sync, __all_sync   ballot_sync, any_sync, all_sync
//   __uni_sync                              uni_sync
//   __match_any_sync, __match_all_sync      match_any_sync, match_all_sync
//   __reduce_{add,min,max,and,or,xor}_sync  reduce_{add,min,max,and,or,xor}_sync
//   __activemask, __syncwarp                activemask, syncwarp
//   __shfl, __shfl_up, __shfl_down,         shfl, shfl_up, shfl_down, shfl_xor,
//   __shfl_xor, __ballot, __any, __all      ballot, any, all (the functions without a mask)
//   __popc, __ffs, __clz, __brev, __fns     popc, ffs, clz, brev, fns (of masks only)
//   %laneid, %lanemask_lt ... in PTX        lane_id(), lanemask_eq/lt/le/gt/ge()
//
// A mask must be a 64-bit integer: one of 32 bits, like 0xffffffff, is an error at the call,
// because it was not widened. Under nvcc the same names are CUDA's own functions, and masks have 32
// bits.
//
// Limits. (1) and (2) of warp_sync.h: a mask does not wait for lanes in another branch; values of
// lanes that are not active are undefined. (3) In the host pass size is 64, only so that kernels
// parse: host code that computes with lanes calls host_size(), and template arguments of kernels
// must not depend on size if waves have 32 lanes. (4) There, masks have no bits above lane 31:
// operators that set such bits, like ~, are followed by & full; popc, ffs, clz, brev and fns ignore
// them. (5) Waves of 64 lanes on RDNA (-mwavefrontsize64) and amdgcnspirv are rejected.
#ifndef ROCPORT_WAVE_H
#define ROCPORT_WAVE_H

#include "warp_sync.h"

#if defined(__HIP__) && defined(__clang__)

#if defined(__HIP_DEVICE_COMPILE__) && defined(__SPIRV__)
#error "rocport/wave.h: for amdgcnspirv, the number of lanes in a wave is unknown; compile for a specific GPU"
#elif defined(__HIP_DEVICE_COMPILE__) && ROCPORT_WAVE_SIZE == 64 && \
    !defined(__GFX8__) && !defined(__GFX9__)
#error "rocport/wave.h: the halves of a 64-lane wave cannot exchange values on RDNA; use wave32"
#endif

// Reports an error at each call whose mask was not widened.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wgcc-compat"
#define ROCPORT_WIDE_MASK                                                                     \
  __attribute__((diagnose_if(                                                                 \
      !__is_integral(M) || sizeof(M) != 8,                                                    \
      "a mask of rocport::wave has 64 bits (wave::mask, wave::full): this one was not widened", \
      "error")))

namespace rocport {
namespace wave {

/// One bit per lane of the wave.
using mask = unsigned long long;

/// Lanes of a wave of the target; 64 in the host pass.
constexpr int size = ROCPORT_WAVE_SIZE;
constexpr int log2_size = size == 64 ? 6 : 5;

/// All lanes of the wave.
constexpr mask full = ~0ull >> (64 - size);

}  // namespace wave

namespace wave_detail {

constexpr unsigned warp = ROCPORT_WAVE_SIZE;

/// The active lanes of a mask for which the predicate holds.
__device__ __forceinline__ wave::mask votes(wave::mask lanes, bool predicate) {
  return warp_detail::wave_ballot(predicate) & lanes;
}

}  // namespace wave_detail

namespace wave {

#if !defined(__HIPCC_RTC__)
/// Lanes of a wave of the current device, for host code; 64 if there is no device.
inline int host_size() {
  int device = 0;
  int lanes = 0;
  if (hipGetDevice(&device) != hipSuccess) return 64;
  const hipError_t asked = hipDeviceGetAttribute(&lanes, hipDeviceAttributeWarpSize, device);
  return asked == hipSuccess ? lanes : 64;
}
#endif

/// Lane number within the wave.
__device__ __forceinline__ unsigned lane_id() { return warp_detail::wave_lane(); }

/// Number of the caller's wave within the block.
__device__ __forceinline__ unsigned warp_id() {
  return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) >> log2_size;
}

__device__ __forceinline__ mask lanemask_eq() { return 1ull << lane_id(); }
__device__ __forceinline__ mask lanemask_lt() { return lanemask_eq() - 1u; }
__device__ __forceinline__ mask lanemask_le() { return lanemask_lt() | lanemask_eq(); }
__device__ __forceinline__ mask lanemask_gt() { return ~lanemask_le() & full; }
__device__ __forceinline__ mask lanemask_ge() { return ~lanemask_lt() & full; }

/// The active lanes of the wave.
__device__ __forceinline__ mask activemask() { return warp_detail::wave_ballot(true); }

/// Orders the memory accesses of the wave's lanes, as rocport::syncwarp does.
__device__ __forceinline__ void syncwarp() { rocport::syncwarp(); }
template <typename M>
ROCPORT_WIDE_MASK
__device__ __forceinline__ void syncwarp(M lanes) {
  (void)lanes;
  rocport::syncwarp();
}

template <typename M>
ROCPORT_WIDE_MASK
__device__ __forceinline__ mask ballot_sync(M lanes, int predicate) {
  return wave_detail::votes(static_cast<mask>(lanes), predicate != 0);
}

template <typename M>
ROCPORT_WIDE_MASK
__device__ __forceinline__ int any_sync(M lanes, int predicate) {
  return wave_detail::votes(static_cast<mask>(lanes), predicate != 0) != 0u;
}

template <typename M>
ROCPORT_WIDE_MASK
__device__ __forceinline__ int all_sync(M lanes, int predicate) {
  return wave_detail::votes(static_cast<mask>(lanes), predicate == 0) == 0u;
}

/// True if the predicate is the same in all lanes of the mask.
template <typename M>
ROCPORT_WIDE_MASK
__device__ __forceinline__ int uni_sync(M lanes, int predicate) {
  const mask set = wave_detail::votes(static_cast<mask>(lanes), predicate != 0);
  return set == 0u || set == wave_detail::votes(static_cast<mask>(lanes), true);
}

/// Value of lane src_lane of the caller's section of width lanes (a power of two up to size).
template <typename M, typename T>
ROCPORT_WIDE_MASK
__device__ __forceinline__ T shfl_sync(M lanes, ROCPORT_MAYBE_UNDEF T var, int src_lane,
                                       int width = size) {
  (void)lanes;
  return warp_detail::shuffle<wave_detail::warp>(var, src_lane, width);
}

/// Value of the lane delta below; the lane's own value if that is before the section.
template <typename M, typename T>
ROCPORT_WIDE_MASK
__device__ __forceinline__ T shfl_up_sync(M lanes, ROCPORT_MAYBE_UNDEF T var, unsigned delta,
                                          int width = size) {
  (void)lanes;
  return warp_detail::shuffle_up<wave_detail::warp>(var, delta, width);
}

/// Value of the lane delta above; the lane's own value if that is past the section.
template <typename M, typename T>
ROCPORT_WIDE_MASK
__device__ __forceinline__ T shfl_down_sync(M lanes, ROCPORT_MAYBE_UNDEF T var, unsigned delta,
                                            int width = size) {
  (void)lanes;
  return warp_detail::shuffle_down<wave_detail::warp>(var, delta, width);
}

/// Value of the lane with the bits of lane_mask flipped; the lane's own value if that is past the
/// section (earlier sections can be read, as in CUDA).
template <typename M, typename T>
ROCPORT_WIDE_MASK
__device__ __forceinline__ T shfl_xor_sync(M lanes, ROCPORT_MAYBE_UNDEF T var, int lane_mask,
                                           int width = size) {
  (void)lanes;
  return warp_detail::shuffle_xor<wave_detail::warp>(var, lane_mask, width);
}

/// The lanes of the mask whose value has the same bits.
template <typename M, typename T>
ROCPORT_WIDE_MASK
__device__ __forceinline__ mask match_any_sync(M lanes, ROCPORT_MAYBE_UNDEF T value) {
  return warp_detail::wave_match(value) & static_cast<mask>(lanes);
}

/// The active lanes of the mask if their values all have the same bits (*pred = 1), else 0.
template <typename M, typename T>
ROCPORT_WIDE_MASK
__device__ __forceinline__ mask match_all_sync(M lanes, ROCPORT_MAYBE_UNDEF T value, int* pred) {
  const mask members = wave_detail::votes(static_cast<mask>(lanes), true);
  const unsigned leader = members != 0u ? static_cast<unsigned>(__builtin_ctzll(members)) : 0u;
  const bool equal = warp_detail::same_as(value, leader);
  const bool all = (warp_detail::wave_ballot(!equal) & members) == 0u;
  *pred = all ? 1 : 0;
  return all ? members : 0u;
}

#define ROCPORT_WAVE_REDUCE(name, type, op)                                                    \
  template <typename M>                                                                        \
  ROCPORT_WIDE_MASK                                                                            \
  __device__ __forceinline__ type name(M lanes, type value) {                                  \
    const mask members = wave_detail::votes(static_cast<mask>(lanes), true);                   \
    return warp_detail::reduce<wave_detail::warp>(members, value, warp_detail::op());         \
  }
ROCPORT_WAVE_REDUCE(reduce_add_sync, int, Add)
ROCPORT_WAVE_REDUCE(reduce_add_sync, unsigned, Add)
ROCPORT_WAVE_REDUCE(reduce_min_sync, int, Min)
ROCPORT_WAVE_REDUCE(reduce_min_sync, unsigned, Min)
ROCPORT_WAVE_REDUCE(reduce_max_sync, int, Max)
ROCPORT_WAVE_REDUCE(reduce_max_sync, unsigned, Max)
ROCPORT_WAVE_REDUCE(reduce_and_sync, unsigned, And)
ROCPORT_WAVE_REDUCE(reduce_or_sync, unsigned, Or)
ROCPORT_WAVE_REDUCE(reduce_xor_sync, unsigned, Xor)
#undef ROCPORT_WAVE_REDUCE

/// The functions without a mask that CUDA had before 9: all active lanes take part.
template <typename T>
__device__ __forceinline__ T shfl(ROCPORT_MAYBE_UNDEF T var, int src_lane, int width = size) {
  return wave::shfl_sync(full, var, src_lane, width);
}
template <typename T>
__device__ __forceinline__ T shfl_up(ROCPORT_MAYBE_UNDEF T var, unsigned delta, int width = size) {
  return wave::shfl_up_sync(full, var, delta, width);
}
template <typename T>
__device__ __forceinline__ T shfl_down(ROCPORT_MAYBE_UNDEF T var, unsigned delta,
                                       int width = size) {
  return wave::shfl_down_sync(full, var, delta, width);
}
template <typename T>
__device__ __forceinline__ T shfl_xor(ROCPORT_MAYBE_UNDEF T var, int lane_mask, int width = size) {
  return wave::shfl_xor_sync(full, var, lane_mask, width);
}
__device__ __forceinline__ mask ballot(int predicate) {
  return wave::ballot_sync(full, predicate);
}
__device__ __forceinline__ int any(int predicate) { return wave::any_sync(full, predicate); }
__device__ __forceinline__ int all(int predicate) { return wave::all_sync(full, predicate); }

/// Lanes in a mask.
template <typename M>
ROCPORT_WIDE_MASK
__device__ __forceinline__ int popc(M lanes) {
  return __builtin_popcountll(static_cast<mask>(lanes) & full);
}

/// Lowest lane of a mask + 1; 0 for none.
template <typename M>
ROCPORT_WIDE_MASK
__device__ __forceinline__ int ffs(M lanes) {
  return __builtin_ffsll(static_cast<long long>(static_cast<mask>(lanes) & full));
}

/// Lanes above the highest one of a mask; size for none.
template <typename M>
ROCPORT_WIDE_MASK
__device__ __forceinline__ int clz(M lanes) {
  const mask own = static_cast<mask>(lanes) & full;
  return own != 0u ? __builtin_clzll(own) - (64 - size) : size;
}

/// Lane i becomes lane size - 1 - i.
template <typename M>
ROCPORT_WIDE_MASK
__device__ __forceinline__ mask brev(M lanes) {
  return __builtin_bitreverse64(static_cast<mask>(lanes)) >> (64 - size);
}

/// The offset-th lane of a mask from base up (offset > 0) or down (offset < 0), base included; for
/// offset 0 base itself, if it is in the mask. 0xffffffff if there is none.
template <typename M>
ROCPORT_WIDE_MASK
__device__ __forceinline__ unsigned fns(M lanes, unsigned base, int offset) {
  constexpr unsigned none = 0xffffffffu;
  if (base >= static_cast<unsigned>(size)) return none;
  const mask own = static_cast<mask>(lanes) & full;
  if (offset == 0) return own >> base & 1u ? base : none;
  if (offset > 0) {
    mask left = own >> base << base;
    for (; offset > 1 && left != 0u; --offset) left &= left - 1u;
    return left != 0u ? static_cast<unsigned>(__builtin_ctzll(left)) : none;
  }
  mask left = own & ~0ull >> (63u - base);
  for (; offset < -1 && left != 0u; ++offset) left ^= 1ull << (63 - __builtin_clzll(left));
  return left != 0u ? static_cast<unsigned>(63 - __builtin_clzll(left)) : none;
}

}  // namespace wave
}  // namespace rocport

#undef ROCPORT_WIDE_MASK
#pragma clang diagnostic pop

#elif defined(__CUDACC__)

namespace rocport {
namespace wave {

using mask = unsigned;

constexpr int size = 32;
constexpr int log2_size = 5;
constexpr mask full = 0xffffffffu;

inline int host_size() { return size; }

using rocport::activemask;
using rocport::all_sync;
using rocport::any_sync;
using rocport::ballot_sync;
using rocport::lane_id;
using rocport::lanemask_eq;
using rocport::lanemask_ge;
using rocport::lanemask_gt;
using rocport::lanemask_le;
using rocport::lanemask_lt;
using rocport::shfl_down_sync;
using rocport::shfl_sync;
using rocport::shfl_up_sync;
using rocport::shfl_xor_sync;
using rocport::syncwarp;
using rocport::uni_sync;
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
using rocport::match_all_sync;
using rocport::match_any_sync;
#endif
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
using rocport::reduce_add_sync;
using rocport::reduce_and_sync;
using rocport::reduce_max_sync;
using rocport::reduce_min_sync;
using rocport::reduce_or_sync;
using rocport::reduce_xor_sync;
#endif

__device__ __forceinline__ unsigned warp_id() {
  return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) >> log2_size;
}

// CUDA no longer has functions without a mask; in those, all active lanes took part.
template <typename T>
__device__ __forceinline__ T shfl(T var, int src_lane, int width = size) {
  return __shfl_sync(__activemask(), var, src_lane, width);
}
template <typename T>
__device__ __forceinline__ T shfl_up(T var, unsigned delta, int width = size) {
  return __shfl_up_sync(__activemask(), var, delta, width);
}
template <typename T>
__device__ __forceinline__ T shfl_down(T var, unsigned delta, int width = size) {
  return __shfl_down_sync(__activemask(), var, delta, width);
}
template <typename T>
__device__ __forceinline__ T shfl_xor(T var, int lane_mask, int width = size) {
  return __shfl_xor_sync(__activemask(), var, lane_mask, width);
}
__device__ __forceinline__ mask ballot(int predicate) {
  return __ballot_sync(__activemask(), predicate);
}
__device__ __forceinline__ int any(int predicate) {
  return __any_sync(__activemask(), predicate);
}
__device__ __forceinline__ int all(int predicate) {
  return __all_sync(__activemask(), predicate);
}

__device__ __forceinline__ int popc(mask lanes) { return __popc(lanes); }
__device__ __forceinline__ int ffs(mask lanes) { return __ffs(static_cast<int>(lanes)); }
__device__ __forceinline__ int clz(mask lanes) { return __clz(static_cast<int>(lanes)); }
__device__ __forceinline__ mask brev(mask lanes) { return __brev(lanes); }
__device__ __forceinline__ unsigned fns(mask lanes, unsigned base, int offset) {
  return __fns(lanes, base, offset);
}

}  // namespace wave
}  // namespace rocport

#endif
#endif  // ROCPORT_WAVE_H
