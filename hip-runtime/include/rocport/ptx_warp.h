// PTX instructions between the lanes of a warp for which CUDA has no equivalent function.
//
//   PTX                                      here (namespace rocport::ptx)
//   shfl[.sync].{up,down,bfly,idx}.b32 d     shfl_up, shfl_down, shfl_bfly, shfl_idx
//   the same with d|p                        the functions with d and p as their first arguments
//   match.all.sync.{b32,b64} d|p             match_all
//   elect.sync d|p                           elect
// The others are functions of warp_sync.h: vote is all_sync, any_sync, uni_sync, ballot_sync; redux
// is reduce_add_sync and so on; match.any, activemask and bar.warp.sync are there, too. Its
// description of logical warps of 32 lanes in waves of 64, and its limits, also apply here.
//
// The operand c of shfl holds two numbers: bits 0-4 are the clamp, bits 8-12 the segment mask. The
// source lane follows PTX ISA, "Data Movement and Conversion Instructions: shfl.sync".
#ifndef ROCPORT_PTX_WARP_H
#define ROCPORT_PTX_WARP_H

#include "warp_sync.h"

#if defined(__HIP__) && defined(__clang__)

namespace rocport {
namespace ptx {

namespace shuffle_detail {

/// The lanes that c allows to the calling lane: the first and the last of its segment, where the
/// bits outside the segment mask are zeros or those of the clamp.
struct Segment {
  int lane;
  int first;
  int last;
  int free;

  __device__ __forceinline__ explicit Segment(unsigned c)
      : lane(static_cast<int>(lane_id())),
        first(lane & static_cast<int>(c >> 8 & 31u)),
        last(first | static_cast<int>(c & ~(c >> 8) & 31u)),
        free(static_cast<int>(~(c >> 8) & 31u)) {}

  /// The value of the source lane; the lane's own if the source is out of range.
  __device__ __forceinline__ unsigned read(ROCPORT_MAYBE_UNDEF unsigned a, int source,
                                           bool in_range) const {
    const auto from = static_cast<unsigned>(in_range ? source : lane);
    return static_cast<unsigned>(rocport::warp_detail::read_lane(
        static_cast<int>(a), rocport::warp_detail::warp_base() + from));
  }
};

}  // namespace shuffle_detail

/// d is a of the lane b (modulo 32) below; p is true if that lane is at or above the limit.
__device__ __forceinline__ void shfl_up(unsigned& d, bool& p, ROCPORT_MAYBE_UNDEF unsigned a,
                                        unsigned b, unsigned c, unsigned members = 0xffffffffu) {
  (void)members;
  const shuffle_detail::Segment segment(c);
  const int source = segment.lane - static_cast<int>(b & 31u);
  p = source >= segment.last;  // the clamp of this mode is a lower limit
  d = segment.read(a, source, p);
}

/// d is a of the lane b (modulo 32) above; p is true if that lane is at or below the limit.
__device__ __forceinline__ void shfl_down(unsigned& d, bool& p, ROCPORT_MAYBE_UNDEF unsigned a,
                                          unsigned b, unsigned c, unsigned members = 0xffffffffu) {
  (void)members;
  const shuffle_detail::Segment segment(c);
  const int source = segment.lane + static_cast<int>(b & 31u);
  p = source <= segment.last;
  d = segment.read(a, source, p);
}

/// d is a of the lane whose number differs in the bits of b.
__device__ __forceinline__ void shfl_bfly(unsigned& d, bool& p, ROCPORT_MAYBE_UNDEF unsigned a,
                                          unsigned b, unsigned c, unsigned members = 0xffffffffu) {
  (void)members;
  const shuffle_detail::Segment segment(c);
  const int source = segment.lane ^ static_cast<int>(b & 31u);
  p = source <= segment.last;
  d = segment.read(a, source, p);
}

/// d is a of lane b of the segment.
__device__ __forceinline__ void shfl_idx(unsigned& d, bool& p, ROCPORT_MAYBE_UNDEF unsigned a,
                                         unsigned b, unsigned c, unsigned members = 0xffffffffu) {
  (void)members;
  const shuffle_detail::Segment segment(c);
  const int source = segment.first | (static_cast<int>(b) & segment.free);
  p = source <= segment.last;
  d = segment.read(a, source, p);
}

/// The same without the predicate.
__device__ __forceinline__ unsigned shfl_up(ROCPORT_MAYBE_UNDEF unsigned a, unsigned b, unsigned c,
                                            unsigned members = 0xffffffffu) {
  unsigned d;
  bool p;
  shfl_up(d, p, a, b, c, members);
  return d;
}
__device__ __forceinline__ unsigned shfl_down(ROCPORT_MAYBE_UNDEF unsigned a, unsigned b,
                                              unsigned c, unsigned members = 0xffffffffu) {
  unsigned d;
  bool p;
  shfl_down(d, p, a, b, c, members);
  return d;
}
__device__ __forceinline__ unsigned shfl_bfly(ROCPORT_MAYBE_UNDEF unsigned a, unsigned b,
                                              unsigned c, unsigned members = 0xffffffffu) {
  unsigned d;
  bool p;
  shfl_bfly(d, p, a, b, c, members);
  return d;
}
__device__ __forceinline__ unsigned shfl_idx(ROCPORT_MAYBE_UNDEF unsigned a, unsigned b, unsigned c,
                                             unsigned members = 0xffffffffu) {
  unsigned d;
  bool p;
  shfl_idx(d, p, a, b, c, members);
  return d;
}

/// d is the lanes of the mask if a has the same bits in all of them, else 0; p is true in the first
/// case.
template <typename T>
__device__ __forceinline__ void match_all(unsigned& d, bool& p, ROCPORT_MAYBE_UNDEF T a,
                                          unsigned members) {
  int same;
  d = match_all_sync(members, a, &same);
  p = same != 0;
}
template <typename T>
__device__ __forceinline__ unsigned match_all(ROCPORT_MAYBE_UNDEF T a, unsigned members) {
  int same;
  return match_all_sync(members, a, &same);
}

/// d is one lane of the mask, the same for all; p is true in that lane only. PTX does not specify
/// which lane: here it is the lowest active one.
__device__ __forceinline__ void elect(unsigned& d, bool& p, unsigned members) {
  const unsigned active = activemask() & members;
  d = active != 0u ? static_cast<unsigned>(__builtin_ctz(active)) : 0u;
  p = d == lane_id();
}

}  // namespace ptx
}  // namespace rocport

#endif
#endif  // ROCPORT_PTX_WARP_H
