// Features of CUDA cooperative groups that HIP lacks: reduce, scans, partitions, invoke_one,
// memcpy_async/wait, and the missing group members as free functions.
//
// Put into namespace cooperative_groups, so that ported code needs no change (each only where HIP
// has no such header; HIP brings reduce from 7.13 and scan from 7.14):
//   plus less greater bit_and bit_or bit_xor          (less is the minimum, greater the maximum)
//   reduce, reduce_store_async, inclusive_scan, exclusive_scan
//   labeled_partition, binary_partition, invoke_one, invoke_one_broadcast
//   memcpy_async, wait, wait_prior                    (plain copies, then the group's sync)
//   tiled_partition<N>(tile)                          (a tile of a tile does not compile in HIP)
// Only in rocport::cg, to be called by qualified name, because members cannot be added to HIP's
// classes:
//   CUDA                                         here
//   g.num_threads()                              rocport::cg::num_threads(g)
//   g.shfl(v, r), shfl_up, shfl_down, shfl_xor   rocport::cg::shfl(g, v, r), ...      [any type]
//   g.any(p), g.all(p), g.ballot(p)              rocport::cg::any(g, p), ...
//   g.match_any(v), g.match_all(v, p)            rocport::cg::match_any(g, v), ...
//   block.dim_threads()                          rocport::cg::dim_threads(block)
//   grid.num_blocks(), dim_blocks(),             rocport::cg::num_blocks(grid), ...
//     block_rank(), block_index()
//   coalesced_threads()                          rocport::cg::coalesced_threads()  [at most 32]
//   tiled_partition(coalesced, n)                rocport::cg::tiled_partition(coalesced, n)
// HIP's own any/all/ballot members (HIP_ENABLE_WARP_SYNC_BUILTINS, or 7.0 and later) trap when a
// lane of the tile is not active, and its tiled_partition of a coalesced group shifts a 32-bit one
// by up to 63 places; the functions here do neither.
//
// Reductions and scans combine in the order of the CUDA headers (butterfly from half the size down
// for tiles and groups of 32, doubling scan else), so floating-point results are the same bits.
// Masks are 32 bits wide as in CUDA, except for groups of more than 32 lanes (64 bits).
// Limits: groups are within one wave; a tile of more lanes than the wave is rejected at compile
// time, as is reduce on a thread_block (as in CUDA). No reduce_update_async, no cluster groups.
#ifndef ROCPORT_CG_REDUCE_H
#define ROCPORT_CG_REDUCE_H

#if defined(__HIP__) && defined(__clang__)

#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#include <hip/hip_cooperative_groups.h>
#include <type_traits>
#endif
#include "warp_sync.h"

#if __has_include(<hip/amd_detail/amd_hip_cooperative_groups_reduce.h>)
#include <hip/amd_detail/amd_hip_cooperative_groups_reduce.h>
#define ROCPORT_CG_NATIVE_REDUCE 1
#endif
#if __has_include(<hip/amd_detail/amd_hip_cooperative_groups_scan.h>)
#include <hip/amd_detail/amd_hip_cooperative_groups_scan.h>
#define ROCPORT_CG_NATIVE_SCAN 1
#endif

namespace rocport {
namespace cg {

namespace groups = ::cooperative_groups;

namespace detail {

using Wave = unsigned long long;

/// Wave lane of the n-th set bit (n from 0; the mask has more than n bits set).
__device__ __forceinline__ unsigned nth_lane(Wave mask, unsigned n) {
  unsigned lane = 0;
#pragma unroll
  for (unsigned width = 32; width > 0; width >>= 1) {
    const unsigned below = static_cast<unsigned>(
        __builtin_popcountll(mask >> lane & ((Wave(1) << width) - 1u)));
    if (n >= below) {
      n -= below;
      lane += width;
    }
  }
  return lane;
}

/// Reads and sets the lanes and the partition numbers that HIP's groups keep protected.
struct Coalesced : groups::coalesced_group {
  __device__ __forceinline__ explicit Coalesced(Wave lanes)
      : groups::coalesced_group(static_cast<lane_mask>(lanes)) {}

  __device__ __forceinline__ Coalesced(Wave lanes, unsigned rank, unsigned count)
      : Coalesced(lanes) {
    coalesced_info.tiled_info.meta_group_rank = rank;
    coalesced_info.tiled_info.meta_group_size = count;
  }

  __device__ __forceinline__ static Wave lanes_of(const groups::coalesced_group& group) {
    return (group.*(&Coalesced::coalesced_info)).member_mask;
  }
};

/// Lanes of the members of a group in the wave.
template <typename Group>
struct Lanes {
  static constexpr bool supported = false;
};

template <unsigned Size, typename Parent>
struct Lanes<groups::thread_block_tile<Size, Parent>> {
  static constexpr bool supported = true;
  using Mask = typename std::conditional<(Size > 32), Wave, unsigned>::type;
  unsigned base;

  __device__ __forceinline__ explicit Lanes(const groups::thread_block_tile<Size, Parent>&)
      : base(warp_detail::wave_lane() & ~(Size - 1u)) {}
  __device__ __forceinline__ unsigned size() const { return Size; }
  __device__ __forceinline__ unsigned rank() const {
    return warp_detail::wave_lane() & (Size - 1u);
  }
  __device__ __forceinline__ unsigned lane(unsigned rank) const { return base + rank; }
  __device__ __forceinline__ Wave wave_mask() const { return ~Wave(0) >> (64u - Size) << base; }
  /// Bits of a wave mask, numbered by rank.
  __device__ __forceinline__ Mask by_rank(Wave mask) const {
    return static_cast<Mask>((mask & wave_mask()) >> base);
  }
};

template <>
struct Lanes<groups::coalesced_group> {
  static constexpr bool supported = true;
  using Mask = lane_mask;
  Wave members;

  __device__ __forceinline__ explicit Lanes(const groups::coalesced_group& group)
      : members(Coalesced::lanes_of(group)) {}
  __device__ __forceinline__ unsigned size() const {
    return static_cast<unsigned>(__builtin_popcountll(members));
  }
  __device__ __forceinline__ unsigned rank() const {
    return __builtin_amdgcn_mbcnt_hi(static_cast<unsigned>(members >> 32),
        __builtin_amdgcn_mbcnt_lo(static_cast<unsigned>(members), 0u));
  }
  __device__ __forceinline__ unsigned lane(unsigned rank) const { return nth_lane(members, rank); }
  __device__ __forceinline__ Wave wave_mask() const { return members; }
  __device__ __forceinline__ Mask by_rank(Wave mask) const {
    Mask packed = 0;
    unsigned rank = 0;
    for (Wave left = members; left != 0; left &= left - 1u, ++rank) {
      packed |= static_cast<Mask>(mask >> __builtin_ctzll(left) & 1u) << rank;
    }
    return packed;
  }
};

template <typename T>
using Plain = typename std::remove_cv<typename std::remove_reference<T>::type>::type;

template <typename L, typename T, typename Op>
__device__ __forceinline__ T scan(const L& lanes, const T& value, Op&& op) {
  T result = value;
  const unsigned size = lanes.size();
  const unsigned rank = lanes.rank();
  for (unsigned step = 1; step < size; step <<= 1) {
    const T below =
        warp_detail::from_wave_lane(result, lanes.lane(rank >= step ? rank - step : rank));
    if (rank >= step) result = op(result, below);
  }
  return result;
}

template <typename L, typename T, typename Op>
__device__ __forceinline__ T reduce(const L& lanes, const T& value, Op&& op, bool butterfly) {
  const unsigned size = lanes.size();
  if (butterfly) {
    T result = value;
    const unsigned rank = lanes.rank();
    for (unsigned step = size >> 1; step > 0; step >>= 1) {
      result = op(result, warp_detail::from_wave_lane(result, lanes.lane(rank ^ step)));
    }
    return result;
  }
  return warp_detail::from_wave_lane(scan(lanes, value, op), lanes.lane(size - 1u));
}

/// The lanes whose value has the same bits as the caller's, over the active lanes of the wave.
template <typename T>
__device__ __forceinline__ Wave same_value(const T& value) {
  const auto own = warp_detail::Words<T>::of(value);
  Wave same = 0;
  for (Wave left = __builtin_amdgcn_ballot_w64(true); left != 0;) {
    const int leader = __builtin_ctzll(left);
    warp_detail::Words<T> theirs = {};
#pragma unroll
    for (unsigned i = 0; i < warp_detail::Words<T>::count; ++i) {
      theirs.word[i] = __builtin_amdgcn_readlane(own.word[i], leader);
    }
    const bool equal = warp_detail::same_bits(own, theirs);
    const Wave group = __builtin_amdgcn_ballot_w64(equal);
    same = equal ? group : same;
    left &= ~group;
  }
  return same;
}

template <typename Group, typename T>
__device__ __forceinline__ groups::coalesced_group split(const Group& group, const T& label) {
  const Wave lanes = Lanes<Group>(group).wave_mask();
  const Wave own = same_value(label) & lanes;
  const unsigned first = static_cast<unsigned>(__builtin_ctzll(own));
  const Wave leaders =
      __builtin_amdgcn_ballot_w64(first == warp_detail::wave_lane()) & lanes;
  const Wave before = leaders & ((Wave(1) << first) - 1u);
  return Coalesced(own, static_cast<unsigned>(__builtin_popcountll(before)),
                   static_cast<unsigned>(__builtin_popcountll(leaders)));
}

/// At most two groups, numbered by the predicate; if all agree, one group with number 0 of 1.
template <typename Group>
__device__ __forceinline__ groups::coalesced_group split(const Group& group, bool pred) {
  const Wave lanes = Lanes<Group>(group).wave_mask();
  const Wave set = __builtin_amdgcn_ballot_w64(pred) & lanes;
  if (set == lanes || set == 0) return Coalesced(lanes, 0u, 1u);
  return Coalesced(pred ? set : lanes & ~set, pred ? 1u : 0u, 2u);
}

template <typename Word>
__device__ __forceinline__ void copy_words(void* to, const void* from, size_t bytes, size_t rank,
                                           size_t size) {
  Word* target = static_cast<Word*>(to);
  const Word* source = static_cast<const Word*>(from);
  for (size_t i = rank; i < bytes / sizeof(Word); i += size) target[i] = source[i];
}

}  // namespace detail

#ifndef ROCPORT_CG_NATIVE_REDUCE
template <typename T>
struct plus {
  __device__ __forceinline__ T operator()(T a, T b) const { return a + b; }
};
template <typename T>
struct less {
  __device__ __forceinline__ T operator()(T a, T b) const { return b < a ? b : a; }
};
template <typename T>
struct greater {
  __device__ __forceinline__ T operator()(T a, T b) const { return a < b ? b : a; }
};
template <typename T>
struct bit_and {
  __device__ __forceinline__ T operator()(T a, T b) const { return a & b; }
};
template <typename T>
struct bit_or {
  __device__ __forceinline__ T operator()(T a, T b) const { return a | b; }
};
template <typename T>
struct bit_xor {
  __device__ __forceinline__ T operator()(T a, T b) const { return a ^ b; }
};
#else
using groups::bit_and;
using groups::bit_or;
using groups::bit_xor;
using groups::greater;
using groups::less;
using groups::plus;
#endif

/// Combines the values of all members; every member gets the result.
template <unsigned Size, typename Parent, typename T, typename Op>
__device__ __forceinline__ detail::Plain<T> reduce(
    const groups::thread_block_tile<Size, Parent>& group, T&& value, Op&& op) {
  const detail::Lanes<groups::thread_block_tile<Size, Parent>> lanes(group);
  return detail::reduce(lanes, static_cast<const detail::Plain<T>&>(value), op, true);
}

template <typename T, typename Op>
__device__ __forceinline__ detail::Plain<T> reduce(const groups::coalesced_group& group, T&& value,
                                                   Op&& op) {
  const detail::Lanes<groups::coalesced_group> lanes(group);
  const unsigned size = lanes.size();
  return detail::reduce(lanes, static_cast<const detail::Plain<T>&>(value), op,
                        size == 32 || size == 64);
}

/// Reduces and lets the first member store the result.
template <typename Group, typename T, typename V, typename Op>
__device__ __forceinline__ void reduce_store_async(const Group& group, T* target, V&& value,
                                                   Op&& op) {
  const T result = reduce(group, static_cast<T>(value), op);
  if (detail::Lanes<Group>(group).rank() == 0) *target = result;
}

template <typename Group, typename T, typename Op>
__device__ __forceinline__ detail::Plain<T> inclusive_scan(const Group& group, T&& value, Op&& op) {
  static_assert(detail::Lanes<Group>::supported, "scans need a tile or a coalesced group");
  return detail::scan(detail::Lanes<Group>(group), static_cast<const detail::Plain<T>&>(value), op);
}

template <typename Group, typename T>
__device__ __forceinline__ detail::Plain<T> inclusive_scan(const Group& group, T&& value) {
  return inclusive_scan(group, value, plus<detail::Plain<T>>());
}

/// The first member gets a value-initialized T.
template <typename Group, typename T, typename Op>
__device__ __forceinline__ detail::Plain<T> exclusive_scan(const Group& group, T&& value, Op&& op) {
  const detail::Lanes<Group> lanes(group);
  const detail::Plain<T> upto = inclusive_scan(group, value, op);
  const unsigned rank = lanes.rank();
  const detail::Plain<T> before =
      warp_detail::from_wave_lane(upto, lanes.lane(rank > 0 ? rank - 1u : 0u));
  return rank > 0 ? before : detail::Plain<T>{};
}

template <typename Group, typename T>
__device__ __forceinline__ detail::Plain<T> exclusive_scan(const Group& group, T&& value) {
  return exclusive_scan(group, value, plus<detail::Plain<T>>());
}

template <typename Group>
__device__ __forceinline__ auto num_threads(const Group& group) -> decltype(group.size()) {
  return group.size();
}

/// A value of the member with a rank, taken modulo the group's size.
template <typename Group, typename T>
__device__ __forceinline__ T shfl(const Group& group, ROCPORT_MAYBE_UNDEF T value, int rank) {
  const detail::Lanes<Group> lanes(group);
  return warp_detail::from_wave_lane(value, lanes.lane(static_cast<unsigned>(rank) % lanes.size()));
}

template <typename Group, typename T>
__device__ __forceinline__ T shfl_up(const Group& group, ROCPORT_MAYBE_UNDEF T value,
                                     unsigned delta) {
  const detail::Lanes<Group> lanes(group);
  const unsigned rank = lanes.rank();
  return warp_detail::from_wave_lane(value, lanes.lane(rank >= delta ? rank - delta : rank));
}

template <typename Group, typename T>
__device__ __forceinline__ T shfl_down(const Group& group, ROCPORT_MAYBE_UNDEF T value,
                                       unsigned delta) {
  const detail::Lanes<Group> lanes(group);
  const unsigned rank = lanes.rank();
  const bool inside = delta < lanes.size() - rank;
  return warp_detail::from_wave_lane(value, lanes.lane(inside ? rank + delta : rank));
}

template <unsigned Size, typename Parent, typename T>
__device__ __forceinline__ T shfl_xor(const groups::thread_block_tile<Size, Parent>& group,
                                      ROCPORT_MAYBE_UNDEF T value, unsigned mask) {
  const detail::Lanes<groups::thread_block_tile<Size, Parent>> lanes(group);
  const unsigned rank = lanes.rank() ^ mask;
  return warp_detail::from_wave_lane(value, lanes.lane(rank < Size ? rank : lanes.rank()));
}

template <typename Group>
__device__ __forceinline__ typename detail::Lanes<Group>::Mask ballot(const Group& group,
                                                                      int predicate) {
  return detail::Lanes<Group>(group).by_rank(__builtin_amdgcn_ballot_w64(predicate != 0));
}

template <typename Group>
__device__ __forceinline__ int any(const Group& group, int predicate) {
  return (__builtin_amdgcn_ballot_w64(predicate != 0) & detail::Lanes<Group>(group).wave_mask()) !=
         0;
}

template <typename Group>
__device__ __forceinline__ int all(const Group& group, int predicate) {
  return (__builtin_amdgcn_ballot_w64(predicate == 0) & detail::Lanes<Group>(group).wave_mask()) ==
         0;
}

template <typename Group, typename T>
__device__ __forceinline__ typename detail::Lanes<Group>::Mask match_any(
    const Group& group, ROCPORT_MAYBE_UNDEF T value) {
  return detail::Lanes<Group>(group).by_rank(detail::same_value(value));
}

template <typename Group, typename T>
__device__ __forceinline__ typename detail::Lanes<Group>::Mask match_all(
    const Group& group, ROCPORT_MAYBE_UNDEF T value, int& pred) {
  const detail::Lanes<Group> lanes(group);
  const detail::Wave active = __builtin_amdgcn_ballot_w64(true) & lanes.wave_mask();
  const bool same = (detail::same_value(value) & active) == active;
  pred = same ? 1 : 0;
  return same ? lanes.by_rank(active) : 0;
}

/// One group per value of the label.
template <typename T>
__device__ __forceinline__ groups::coalesced_group labeled_partition(
    const groups::coalesced_group& group, T label) {
  return detail::split(group, label);
}
template <typename T, unsigned Size, typename Parent>
__device__ __forceinline__ groups::coalesced_group labeled_partition(
    const groups::thread_block_tile<Size, Parent>& group, T label) {
  return detail::split(group, label);
}

/// The members that have the caller's predicate.
__device__ __forceinline__ groups::coalesced_group binary_partition(
    const groups::coalesced_group& group, bool pred) {
  return detail::split(group, pred);
}
template <unsigned Size, typename Parent>
__device__ __forceinline__ groups::coalesced_group binary_partition(
    const groups::thread_block_tile<Size, Parent>& group, bool pred) {
  return detail::split(group, pred);
}

/// The active threads of the caller's logical warp: 32 at most, as in CUDA. HIP's function of this
/// name uses the whole wave.
__device__ __forceinline__ groups::coalesced_group coalesced_threads() {
  return detail::Coalesced(detail::Wave(activemask()) << warp_detail::warp_base());
}

/// Tiles of a coalesced group by rank; the last may be smaller.
__device__ __forceinline__ groups::coalesced_group tiled_partition(
    const groups::coalesced_group& parent, unsigned tile_size) {
  const detail::Lanes<groups::coalesced_group> lanes(parent);
  const unsigned tile = lanes.rank() / tile_size;
  detail::Wave own = 0;
  unsigned rank = 0;
  for (detail::Wave left = lanes.members; left != 0; left &= left - 1u, ++rank) {
    if (rank / tile_size == tile) own |= left & (~left + 1u);
  }
  return detail::Coalesced(own, tile, (lanes.size() + tile_size - 1u) / tile_size);
}

namespace detail {
/// A tile that knows its position in a parent tile.
template <unsigned Size>
struct NestedTile : groups::thread_block_tile<Size, void> {
  __device__ __forceinline__ explicit NestedTile(unsigned parent_size)
      : groups::thread_block_tile<Size, void>(
            groups::tiled_partition<Size>(groups::this_thread_block())) {
    this->coalesced_info.tiled_info.meta_group_rank =
        (warp_detail::wave_lane() & (parent_size - 1u)) / Size;
    this->coalesced_info.tiled_info.meta_group_size = parent_size / Size;
  }
};
}  // namespace detail

template <unsigned Size, unsigned ParentSize, typename Grand>
__device__ __forceinline__ groups::thread_block_tile<Size, void> tiled_partition(
    const groups::thread_block_tile<ParentSize, Grand>&) {
  static_assert(Size <= ParentSize, "a tile cannot be larger than its parent");
  return detail::NestedTile<Size>(ParentSize);
}

/// The first member calls the function.
template <typename Group, typename Fn, typename... Args>
__device__ __forceinline__ void invoke_one(const Group& group, Fn&& fn, Args&&... args) {
  if (group.thread_rank() == 0) fn(static_cast<Args&&>(args)...);
}

/// The first member calls the function, all get its result.
template <typename Group, typename Fn, typename... Args>
__device__ __forceinline__ auto invoke_one_broadcast(const Group& group, Fn&& fn, Args&&... args)
    -> detail::Plain<decltype(fn(static_cast<Args&&>(args)...))> {
  const detail::Lanes<Group> lanes(group);
  detail::Plain<decltype(fn(static_cast<Args&&>(args)...))> result = {};
  if (lanes.rank() == 0) result = fn(static_cast<Args&&>(args)...);
  return warp_detail::from_wave_lane(result, lanes.lane(0));
}

/// Copies bytes with all members of the group, in the widest words both pointers allow. The copy is
/// complete for the calling thread when the call returns; wait() makes it visible to all.
template <typename Group, typename T, typename Size>
__device__ __forceinline__ void memcpy_async(const Group& group, T* to, const T* from,
                                             const Size& byte_count) {
  const size_t bytes = static_cast<size_t>(byte_count);
  const size_t rank = group.thread_rank();
  const size_t size = group.size();
  const size_t alignment = reinterpret_cast<size_t>(to) | reinterpret_cast<size_t>(from) | bytes;
  if (alignment % 16 == 0) {
    detail::copy_words<uint4>(to, from, bytes, rank, size);
  } else if (alignment % 4 == 0) {
    detail::copy_words<unsigned>(to, from, bytes, rank, size);
  } else {
    detail::copy_words<unsigned char>(to, from, bytes, rank, size);
  }
}

/// Copies as many elements as both layouts have.
template <typename Group, typename T, typename ToLayout, typename FromLayout>
__device__ __forceinline__ void memcpy_async(const Group& group, T* to, const ToLayout& to_layout,
                                             const T* from, const FromLayout& from_layout) {
  const size_t a = static_cast<size_t>(to_layout);
  const size_t b = static_cast<size_t>(from_layout);
  memcpy_async(group, to, from, (a < b ? a : b) * sizeof(T));
}

template <typename Group>
__device__ __forceinline__ void wait(const Group& group) {
  group.sync();
}

template <unsigned Stages, typename Group>
__device__ __forceinline__ void wait_prior(const Group& group) {
  group.sync();
}

__device__ __forceinline__ dim3 dim_threads(const groups::thread_block&) {
  return dim3(blockDim.x, blockDim.y, blockDim.z);
}
__device__ __forceinline__ dim3 dim_blocks(const groups::grid_group&) {
  return dim3(gridDim.x, gridDim.y, gridDim.z);
}
__device__ __forceinline__ dim3 block_index(const groups::grid_group&) {
  return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
}
__device__ __forceinline__ unsigned long long num_blocks(const groups::grid_group&) {
  return 1ull * gridDim.x * gridDim.y * gridDim.z;
}
__device__ __forceinline__ unsigned long long block_rank(const groups::grid_group&) {
  return (1ull * blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
}

}  // namespace cg
}  // namespace rocport

#ifndef ROCPORT_CG_KEEP_OUT
// Define ROCPORT_CG_KEEP_OUT if a later HIP provides one of these names itself.
namespace cooperative_groups {
#ifndef ROCPORT_CG_NATIVE_REDUCE
using rocport::cg::bit_and;
using rocport::cg::bit_or;
using rocport::cg::bit_xor;
using rocport::cg::greater;
using rocport::cg::less;
using rocport::cg::plus;
using rocport::cg::reduce;
using rocport::cg::reduce_store_async;
#endif
#ifndef ROCPORT_CG_NATIVE_SCAN
using rocport::cg::exclusive_scan;
using rocport::cg::inclusive_scan;
#endif
using rocport::cg::invoke_one;
using rocport::cg::invoke_one_broadcast;
using rocport::cg::labeled_partition;
using rocport::cg::memcpy_async;
using rocport::cg::wait;
using rocport::cg::wait_prior;

#if !defined(HIP_ENABLE_WARP_SYNC_BUILTINS) && HIP_VERSION_MAJOR < 7
// HIP declares these as friends without a definition, so they are defined here, not imported.
__device__ __forceinline__ coalesced_group binary_partition(const coalesced_group& group,
                                                            bool pred) {
  return rocport::cg::binary_partition(group, pred);
}
template <unsigned Size, typename Parent>
__device__ __forceinline__ coalesced_group binary_partition(
    const thread_block_tile<Size, Parent>& group, bool pred) {
  return rocport::cg::binary_partition(group, pred);
}
#endif

template <unsigned Size, unsigned ParentSize, typename Grand>
__device__ __forceinline__ thread_block_tile<Size, void> tiled_partition(
    const thread_block_tile<ParentSize, Grand>& parent) {
  return rocport::cg::tiled_partition<Size>(parent);
}
}  // namespace cooperative_groups
#endif

#elif defined(__CUDACC__)

// One source for both vendors: under nvcc the free functions are the members.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace rocport {
namespace cg {

using namespace ::cooperative_groups;

template <typename G>
__device__ __forceinline__ auto num_threads(const G& g) -> decltype(g.num_threads()) {
  return g.num_threads();
}
template <typename G, typename T>
__device__ __forceinline__ T shfl(const G& g, T value, int rank) {
  return g.shfl(value, rank);
}
template <typename G, typename T>
__device__ __forceinline__ T shfl_up(const G& g, T value, unsigned delta) {
  return g.shfl_up(value, delta);
}
template <typename G, typename T>
__device__ __forceinline__ T shfl_down(const G& g, T value, unsigned delta) {
  return g.shfl_down(value, delta);
}
template <typename G, typename T>
__device__ __forceinline__ T shfl_xor(const G& g, T value, unsigned mask) {
  return g.shfl_xor(value, mask);
}
template <typename G>
__device__ __forceinline__ unsigned ballot(const G& g, int predicate) {
  return g.ballot(predicate);
}
template <typename G>
__device__ __forceinline__ int any(const G& g, int predicate) {
  return g.any(predicate);
}
template <typename G>
__device__ __forceinline__ int all(const G& g, int predicate) {
  return g.all(predicate);
}
template <typename G, typename T>
__device__ __forceinline__ unsigned match_any(const G& g, T value) {
  return g.match_any(value);
}
template <typename G, typename T>
__device__ __forceinline__ unsigned match_all(const G& g, T value, int& pred) {
  return g.match_all(value, pred);
}
__device__ __forceinline__ dim3 dim_threads(const thread_block& b) { return b.dim_threads(); }
__device__ __forceinline__ dim3 dim_blocks(const grid_group& g) { return g.dim_blocks(); }
__device__ __forceinline__ dim3 block_index(const grid_group& g) { return g.block_index(); }
__device__ __forceinline__ unsigned long long num_blocks(const grid_group& g) {
  return g.num_blocks();
}
__device__ __forceinline__ unsigned long long block_rank(const grid_group& g) {
  return g.block_rank();
}

}  // namespace cg
}  // namespace rocport

#endif
#endif  // ROCPORT_CG_REDUCE_H
