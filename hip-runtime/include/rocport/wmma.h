// nvcuda::wmma of mma.h: matrix products by warps of 32 lanes.
//
//   A, B                     C, D           m x n x k
//   __half                   float, __half  16x16x16, 32x8x16, 8x32x16
//   __nv_bfloat16            float          16x16x16, 32x8x16, 8x32x16
//   signed, unsigned char    int            16x16x16, 32x8x16, 8x32x16
//   precision::tf32          float          16x16x8
//   double                   double         8x8x4
//
// Of 4-bit and 1-bit integers (wmma::experimental), only the names of the types are here.
//
// Fragments. CUDA does not specify which element a lane holds. Here it is this (doubles as in PTX):
//   C, D  8 elements e of lane l: row 8 (l / 16) + e, column l mod 16 of 16x16;
//         row e, column l of 8x32; row l, column e of 32x8
//   A, B  K elements of one line (a row of A or a column of B). Of 16x16: line 8 (l / 16) + l mod 8
//         of A and line l mod 16 of B. Else line l of the matrix with 32 lines, line l mod 8 of the
//         other. Elements of A and B are in several lanes, as in CUDA in part.
// num_elements of A and B therefore differs from CUDA, except for __half; that of C and D does not.
// Code that visits all elements from 0 to num_elements is portable; code with other numbers is not.
//
// Products. MFMA instructions of 4x4 blocks compute them: each half of a wave has 8 of the 16
// blocks, and no data crosses between the halves. MFMA also writes the registers of inactive lanes.
// Such registers may hold values of these lanes, even if they are free in the control flow of the
// active lanes. Therefore, MFMA runs only where all lanes of the wave are active (or the others do
// not exist). Where warps of a wave diverge, and on targets without these instructions (RDNA, gfx908
// and older), a function that is not inlined broadcasts one matrix among 16 lanes, by DPP or over
// the LDS crossbar, and each lane multiplies by itself.
// For a 16x16x16 product of __half, a wave of two warps issues 8 MFMA, or 340 vector instructions.
//
// Sums. Integers are exact; they wrap, or saturate with satf. double is a chain of fused
// multiply-adds. Other products are exact and are summed in float, in an order that neither CUDA
// nor AMD specifies. On gfx90a, MFMA treats subnormal elements of __half and __nv_bfloat16 as 0.
// Of tf32 elements, 19 bits count.
#ifndef ROCPORT_WMMA_H
#define ROCPORT_WMMA_H

#include "ptx_convert.h"
#include "ptx_matrix.h"

#if defined(__HIP__) && defined(__clang__)

#if !defined(__HIPCC_RTC__)
#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>
#endif

#if defined(__gfx90a__) || defined(__gfx942__) || defined(__gfx950__)
#define ROCPORT_HAS_MFMA
#endif

namespace nvcuda {
namespace wmma {

enum layout_t { mem_row_major, mem_col_major };

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;

namespace precision {
struct tf32;
}

// Names alone, for aliases in code that is not used: no fragment has these types.
namespace experimental {
namespace precision {
struct s4;
struct u4;
struct b1;
}  // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
}  // namespace experimental

template <typename C, typename A, typename B>
__device__ void bmma_sync(C&, const A&, const B&, const C&,
                          experimental::bmmaBitOp = experimental::bmmaBitOpXOR,
                          experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC) {
  static_assert(sizeof(C) == 0, "AMD GPUs have no matrix instructions for 1-bit integers");
}

template <typename Use, int M, int N, int K, typename T, typename Layout = void>
class fragment;

}  // namespace wmma
}  // namespace nvcuda

namespace rocport {
namespace wmma_detail {

template <typename T>
struct Exactly {
  using Type = T;  // keeps a parameter from being deduced
};

template <typename A, typename B>
struct Same {
  static constexpr bool value = false;
};
template <typename A>
struct Same<A, A> {
  static constexpr bool value = true;
};

typedef float Floats __attribute__((ext_vector_type(4)));
typedef int Ints __attribute__((ext_vector_type(4)));

/// What an element of A and B is stored as, and how 4 lines of one matrix times lines of the other
/// are added to a sum: multiply<Block>, where Block selects lanes 4 Block to 4 Block + 3 of the
/// caller's 16 lanes, for whole waves; Products, for a lane.
template <typename T>
struct Factor;

template <>
struct Factor<__half> {
  using Storage = __half;
  using Sum = float;
  template <bool>
  using Products = ptx::f16_f16;
  static constexpr int depth = 16;

#ifdef ROCPORT_HAS_MFMA
  template <int Block>
  __device__ __forceinline__ static Floats multiply(const unsigned (&shared)[8],
                                                    const unsigned (&own)[8], Floats sum) {
    typedef _Float16 Halves __attribute__((ext_vector_type(4)));
    Halves a, b;
#pragma unroll
    for (int w = 0; w < 8; w += 2) {
      __builtin_memcpy(&a, shared + w, sizeof a);
      __builtin_memcpy(&b, own + w, sizeof b);
      sum = __builtin_amdgcn_mfma_f32_4x4x4f16(a, b, sum, 2, Block, 0);
    }
    return sum;
  }
#endif
};

template <>
struct Factor<__hip_bfloat16> {
  using Storage = __hip_bfloat16;
  using Sum = float;
  template <bool>
  using Products = ptx::bf16_bf16;
  static constexpr int depth = 16;

#ifdef ROCPORT_HAS_MFMA
  template <int Block>
  __device__ __forceinline__ static Floats multiply(const unsigned (&shared)[8],
                                                    const unsigned (&own)[8], Floats sum) {
    typedef short Shorts __attribute__((ext_vector_type(4)));
    Shorts a, b;
#pragma unroll
    for (int w = 0; w < 8; w += 2) {
      __builtin_memcpy(&a, shared + w, sizeof a);
      __builtin_memcpy(&b, own + w, sizeof b);
      sum = __builtin_amdgcn_mfma_f32_4x4x4bf16_1k(a, b, sum, 2, Block, 0);
    }
    return sum;
  }
#endif
};

template <>
struct Factor<nvcuda::wmma::precision::tf32> {
  using Storage = float;
  using Sum = float;
  template <bool>
  using Products = ptx::tf32_tf32;
  static constexpr int depth = 8;

#ifdef ROCPORT_HAS_MFMA
  template <int Block>
  __device__ __forceinline__ static Floats multiply(const unsigned (&shared)[8],
                                                    const unsigned (&own)[8], Floats sum) {
#pragma unroll
    for (int w = 0; w < 8; ++w) {
      sum = __builtin_amdgcn_mfma_f32_4x4x1f32(ptx::matrix_detail::Tf32::value(shared[w], 0),
                                               ptx::matrix_detail::Tf32::value(own[w], 0), sum, 2,
                                               Block, 0);
    }
    return sum;
  }
#endif
};

template <>
struct Factor<signed char> {
  using Storage = signed char;
  using Sum = int;
  template <bool Saturate>
  using Products = ptx::s8_s8<Saturate>;
  static constexpr int depth = 16;

#ifdef ROCPORT_HAS_MFMA
  template <int Block>
  __device__ __forceinline__ static Ints multiply(const unsigned (&shared)[4],
                                                  const unsigned (&own)[4], Ints sum) {
#pragma unroll
    for (int w = 0; w < 4; ++w) {
      sum = __builtin_amdgcn_mfma_i32_4x4x4i8(static_cast<int>(shared[w]), static_cast<int>(own[w]),
                                              sum, 2, Block, 0);
    }
    return sum;
  }
#endif
};

template <>
struct Factor<unsigned char> {
  using Storage = unsigned char;
  using Sum = int;
  template <bool Saturate>
  using Products = ptx::u8_u8<Saturate>;
  static constexpr int depth = 16;

#ifdef ROCPORT_HAS_MFMA
  /// MFMA takes signed bytes. With a = a' + 128 and b = b' + 128, the sum over k of a b is that of
  /// a' b' + 128 a' + 128 b' + 128 128.
  template <int Block>
  __device__ __forceinline__ static Ints multiply(const unsigned (&shared)[4],
                                                  const unsigned (&own)[4], Ints sum) {
    constexpr unsigned sign = 0x80808080u;
    constexpr int ones = 0x01010101;
    Ints of_a = {0, 0, 0, 0};
    int of_b = 0;
#pragma unroll
    for (int w = 0; w < 4; ++w) {
      const int a = static_cast<int>(shared[w] ^ sign);
      const int b = static_cast<int>(own[w] ^ sign);
      sum = __builtin_amdgcn_mfma_i32_4x4x4i8(a, b, sum, 2, Block, 0);
      of_a = __builtin_amdgcn_mfma_i32_4x4x4i8(a, ones, of_a, 2, Block, 0);
      of_b = __builtin_amdgcn_sdot4(b, ones, of_b, false);
    }
    return sum + 128 * of_a + 128 * (of_b + 128 * depth);
  }
#endif
};

/// The elements of a fragment, or of one line of it, as 32-bit words.
template <typename T, int Count>
struct Packed {
  static constexpr int count = Count * static_cast<int>(sizeof(T)) / 4;
  unsigned word[count];

  __device__ __forceinline__ explicit Packed(const T (&x)[Count]) {
    __builtin_memcpy(word, static_cast<const void*>(x), sizeof word);
  }
};

/// The word of lane Line of the caller's 16 lanes.
template <int Line>
__device__ __forceinline__ unsigned of_line(unsigned word) {
#ifdef ROCPORT_HAS_MFMA
  // DPP's row_newbcast
  return static_cast<unsigned>(
      __builtin_amdgcn_mov_dpp(static_cast<int>(word), 0x150 + Line, 0xf, 0xf, true));
#else
  return warp_detail::from_wave_lane(word, (warp_detail::wave_lane() & ~15u) + Line);
#endif
}

/// Vectors, which are passed in registers.
template <typename T, int Count>
struct Registers {
  typedef T Type __attribute__((ext_vector_type(Count)));
};

template <class Kind, int Line, int Count>
__device__ __forceinline__ typename Kind::Sum line(
    const typename Registers<unsigned, Count>::Type& shared,
    const typename Registers<unsigned, Count>::Type& own, typename Kind::Sum sum) {
#pragma unroll
  for (int w = 0; w < Count; ++w) sum = Kind::add(sum, of_line<Line>(shared[w]), own[w]);
  return sum;
}

/// Adds the products of 8 lines, which 16 lanes share, and the lane's own line, under EXEC. Not
/// inlined, so that loops around products stay small enough to be unrolled.
template <class Kind, int Count>
__device__ __attribute__((noinline)) typename Registers<typename Kind::Sum, 8>::Type multiply_lines(
    typename Registers<typename Kind::Sum, 8>::Type sum,
    typename Registers<unsigned, Count>::Type shared,
    typename Registers<unsigned, Count>::Type own) {
  sum[0] = line<Kind, 0, Count>(shared, own, sum[0]);
  sum[1] = line<Kind, 1, Count>(shared, own, sum[1]);
  sum[2] = line<Kind, 2, Count>(shared, own, sum[2]);
  sum[3] = line<Kind, 3, Count>(shared, own, sum[3]);
  sum[4] = line<Kind, 4, Count>(shared, own, sum[4]);
  sum[5] = line<Kind, 5, Count>(shared, own, sum[5]);
  sum[6] = line<Kind, 6, Count>(shared, own, sum[6]);
  sum[7] = line<Kind, 7, Count>(shared, own, sum[7]);
  return sum;
}

#ifdef ROCPORT_HAS_MFMA
/// Whether MFMA writes no register of a lane that is inactive here and goes on later.
__device__ __forceinline__ bool is_whole_wave() {
  const unsigned long long active = __builtin_amdgcn_ballot_w64(true);
  if (__builtin_expect(active == ~0ull, true)) return true;
  // The last wave of a block may have one warp only.
  const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
  const unsigned own = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const unsigned first = static_cast<unsigned>(__builtin_amdgcn_readfirstlane(
      static_cast<int>(own - warp_detail::wave_lane())));
  return active == 0xffffffffull && threads - first <= 32u;
}

template <class F, int Block, int Count>
__device__ __forceinline__ void block(typename F::Sum* sum, const unsigned (&shared)[Count],
                                      const unsigned (&own)[Count]) {
  typedef typename F::Sum Four __attribute__((ext_vector_type(4)));
  Four total = {sum[0], sum[1], sum[2], sum[3]};
  total = F::template multiply<Block>(shared, own, total);
#pragma unroll
  for (int i = 0; i < 4; ++i) sum[i] = total[i];
}
#endif

/// Adds the products of 8 lines and the lane's own line.
template <class F, int Count>
__device__ __forceinline__ void multiply(typename F::Sum (&sum)[8],
                                         const unsigned (&shared)[Count],
                                         const unsigned (&own)[Count], bool saturate) {
  using Kind = typename F::template Products<false>;
  using Saturated = typename F::template Products<true>;
  typename F::Sum total[8];
#pragma unroll
  for (int e = 0; e < 8; ++e) total[e] = Kind::start(sum[e]);
#ifdef ROCPORT_HAS_MFMA
  if (is_whole_wave()) {
    block<F, 0>(total, shared, own);
    block<F, 1>(total + 4, shared, own);
  } else
#endif
  {
    typename Registers<typename F::Sum, 8>::Type lines;
    typename Registers<unsigned, Count>::Type a, b;
    __builtin_memcpy(&lines, total, sizeof total);
    __builtin_memcpy(&a, shared, sizeof shared);
    __builtin_memcpy(&b, own, sizeof own);
    lines = multiply_lines<Kind, Count>(lines, a, b);
    __builtin_memcpy(total, &lines, sizeof total);
  }
#pragma unroll
  for (int e = 0; e < 8; ++e) {
    sum[e] = saturate ? Saturated::finish(total[e], sum[e]) : Kind::finish(total[e], sum[e]);
  }
}

__device__ __forceinline__ float sum_of(float value) { return value; }
__device__ __forceinline__ int sum_of(int value) { return value; }
__device__ __forceinline__ float sum_of(const __half& value) {
  return static_cast<float>(__builtin_bit_cast(_Float16, value));
}

__device__ __forceinline__ void set(int& to, int value, bool) { to = value; }
__device__ __forceinline__ void set(float& to, float value, bool finite) {
  const float most = 0x1.fffffep127f;
  if (finite) value = value != value ? 0.0f : __builtin_fminf(__builtin_fmaxf(value, -most), most);
  to = value;
}
__device__ __forceinline__ void set(__half& to, float value, bool finite) {
  const float most = 65504.0f;
  if (finite) value = value != value ? 0.0f : __builtin_fminf(__builtin_fmaxf(value, -most), most);
  to = __builtin_bit_cast(__half, static_cast<_Float16>(value));
}

// Places of elements.

/// The line of the matrix that has Lines lines and is not shared.
template <int Lines>
__device__ __forceinline__ unsigned own_line() {
  return Lines == 32 ? lane_id() : lane_id() & 15u;
}

/// The first line of the shared matrix that the caller's 16 lanes multiply.
template <int Lines>
__device__ __forceinline__ unsigned first_line() {
  return Lines == 16 ? lane_id() >> 4 << 3 : 0u;
}

/// The line of A or B that the lane holds.
template <int M, int N, bool IsA>
__device__ __forceinline__ unsigned held_line() {
  constexpr int lines = IsA ? M : N;
  constexpr bool is_own = IsA == (M == 32);
  return is_own ? own_line<lines>() : first_line<lines>() + (lane_id() & 7u);
}

/// CUDA requires 32 bytes, and lines that begin at multiples of 16 bytes.
constexpr int kAlignment = 16;

/// Elements that follow each other in memory.
template <typename T, int Count>
__device__ __forceinline__ void load(T (&x)[Count], const T* from) {
  __builtin_memcpy(static_cast<void*>(x), __builtin_assume_aligned(from, kAlignment), sizeof x);
}
template <typename T, int Count>
__device__ __forceinline__ void load(T (&x)[Count], const T* from, unsigned stride) {
#pragma unroll
  for (unsigned i = 0; i < Count; ++i) x[i] = from[i * stride];
}
template <typename T, int Count>
__device__ __forceinline__ void store(T* to, const T (&x)[Count]) {
  __builtin_memcpy(__builtin_assume_aligned(to, kAlignment), static_cast<const void*>(x), sizeof x);
}
template <typename T, int Count>
__device__ __forceinline__ void store(T* to, const T (&x)[Count], unsigned stride) {
#pragma unroll
  for (unsigned i = 0; i < Count; ++i) to[i * stride] = x[i];
}

template <typename T, int Count, typename Named = T>
struct Elements {
  enum { num_elements = Count, num_storage_elements = Count };
  using element_type = Named;
  using storage_element_type = T;

  T x[Count];
};

template <int M, int N>
struct Shape {
  static constexpr bool exists =
      (M == 16 && N == 16) || (M == 32 && N == 8) || (M == 8 && N == 32);
};

template <typename T, int M, int N, int K>
struct Line : Elements<typename Factor<T>::Storage, Factor<T>::depth, T> {
  static_assert(Shape<M, N>::exists && K == Factor<T>::depth && (K == 16 || M == N),
                "wmma has no fragment of this shape and type");
};
template <int M, int N, int K>
struct Line<double, M, N, K> : Elements<double, 1> {
  static_assert(M == 8 && N == 8 && K == 4, "wmma multiplies double as 8x8x4");
};

template <typename T, int M, int N, int K>
struct Sums : Elements<T, 8> {
  static_assert(Shape<M, N>::exists && (K == 16 || (K == 8 && M == N && Same<T, float>::value)),
                "wmma has no accumulator of this shape and type");
  static_assert(Same<T, float>::value || Same<T, __half>::value || Same<T, int>::value,
                "wmma has accumulators of float, __half, int and double");
};
template <int M, int N, int K>
struct Sums<double, M, N, K> : Elements<double, 2> {
  static_assert(M == 8 && N == 8 && K == 4, "wmma multiplies double as 8x8x4");
};

}  // namespace wmma_detail
}  // namespace rocport

namespace nvcuda {
namespace wmma {

template <int M, int N, int K, typename T, typename Layout>
class fragment<matrix_a, M, N, K, T, Layout> : public rocport::wmma_detail::Line<T, M, N, K> {};
template <int M, int N, int K, typename T, typename Layout>
class fragment<matrix_b, M, N, K, T, Layout> : public rocport::wmma_detail::Line<T, M, N, K> {};
template <int M, int N, int K, typename T>
class fragment<accumulator, M, N, K, T, void> : public rocport::wmma_detail::Sums<T, M, N, K> {};

/// The value rounded to 10 bits of mantissa, to the nearest, ties away from zero.
__device__ __forceinline__ float __float_to_tf32(float value) {
  return __builtin_bit_cast(float, rocport::ptx::cvt_rna_tf32_f32(value));
}

template <typename Use, int M, int N, int K, typename T, typename Layout>
__device__ __forceinline__ void fill_fragment(
    fragment<Use, M, N, K, T, Layout>& f,
    const typename fragment<Use, M, N, K, T, Layout>::storage_element_type& value) {
#pragma unroll
  for (int i = 0; i < f.num_elements; ++i) f.x[i] = value;
}

template <int M, int N, int K, typename T>
__device__ __forceinline__ void load_matrix_sync(
    fragment<matrix_a, M, N, K, T, row_major>& a,
    const typename fragment<matrix_a, M, N, K, T, row_major>::storage_element_type* from,
    unsigned ldm) {
  rocport::syncwarp();
  rocport::wmma_detail::load(a.x, from + rocport::wmma_detail::held_line<M, N, true>() * ldm);
}
template <int M, int N, int K, typename T>
__device__ __forceinline__ void load_matrix_sync(
    fragment<matrix_a, M, N, K, T, col_major>& a,
    const typename fragment<matrix_a, M, N, K, T, col_major>::storage_element_type* from,
    unsigned ldm) {
  rocport::syncwarp();
  rocport::wmma_detail::load(a.x, from + rocport::wmma_detail::held_line<M, N, true>(), ldm);
}
template <int M, int N, int K, typename T>
__device__ __forceinline__ void load_matrix_sync(
    fragment<matrix_b, M, N, K, T, col_major>& b,
    const typename fragment<matrix_b, M, N, K, T, col_major>::storage_element_type* from,
    unsigned ldm) {
  rocport::syncwarp();
  rocport::wmma_detail::load(b.x, from + rocport::wmma_detail::held_line<M, N, false>() * ldm);
}
template <int M, int N, int K, typename T>
__device__ __forceinline__ void load_matrix_sync(
    fragment<matrix_b, M, N, K, T, row_major>& b,
    const typename fragment<matrix_b, M, N, K, T, row_major>::storage_element_type* from,
    unsigned ldm) {
  rocport::syncwarp();
  rocport::wmma_detail::load(b.x, from + rocport::wmma_detail::held_line<M, N, false>(), ldm);
}
template <int M, int N, int K, typename T>
__device__ __forceinline__ void load_matrix_sync(
    fragment<accumulator, M, N, K, T>& c,
    const typename rocport::wmma_detail::Exactly<T>::Type* from, unsigned ldm, layout_t layout) {
  constexpr bool rows = M == 32;  // a lane holds one row, else one column
  constexpr int lines = rows ? N : M;
  const unsigned own = rocport::wmma_detail::own_line<rows ? M : N>();
  const unsigned first = rocport::wmma_detail::first_line<lines>();
  rocport::syncwarp();
  if (rows == (layout == mem_row_major)) {
    rocport::wmma_detail::load(c.x, from + own * ldm + first);
  } else {
    rocport::wmma_detail::load(c.x, from + own + first * ldm, ldm);
  }
}

template <int M, int N, int K, typename T>
__device__ __forceinline__ void store_matrix_sync(
    typename rocport::wmma_detail::Exactly<T>::Type* to, const fragment<accumulator, M, N, K, T>& d,
    unsigned ldm, layout_t layout) {
  constexpr bool rows = M == 32;
  constexpr int lines = rows ? N : M;
  const unsigned own = rocport::wmma_detail::own_line<rows ? M : N>();
  const unsigned first = rocport::wmma_detail::first_line<lines>();
  rocport::syncwarp();
  if (rows == (layout == mem_row_major)) {
    rocport::wmma_detail::store(to + own * ldm + first, d.x);
  } else {
    rocport::wmma_detail::store(to + own + first * ldm, d.x, ldm);
  }
}

/// d = a b + c. With satf, integers saturate, infinities become the greatest finite numbers and
/// NaNs become 0.
template <int M, int N, int K, typename T, typename LayoutA, typename LayoutB, typename TD,
          typename TC>
__device__ __forceinline__ void mma_sync(fragment<accumulator, M, N, K, TD>& d,
                                         const fragment<matrix_a, M, N, K, T, LayoutA>& a,
                                         const fragment<matrix_b, M, N, K, T, LayoutB>& b,
                                         const fragment<accumulator, M, N, K, TC>& c,
                                         bool satf = false) {
  using Factor = rocport::wmma_detail::Factor<T>;
  using Sum = typename Factor::Sum;
  constexpr bool halves = rocport::wmma_detail::Same<T, __half>::value;
  static_assert((rocport::wmma_detail::Same<TC, Sum>::value ||
                 (halves && rocport::wmma_detail::Same<TC, __half>::value)) &&
                    (rocport::wmma_detail::Same<TD, Sum>::value ||
                     (halves && rocport::wmma_detail::Same<TD, __half>::value)),
                "wmma does not add products of this type to accumulators of that one");
  Sum sum[8];
#pragma unroll
  for (int e = 0; e < 8; ++e) sum[e] = rocport::wmma_detail::sum_of(c.x[e]);
  const rocport::wmma_detail::Packed<typename Factor::Storage, Factor::depth> rows(a.x);
  const rocport::wmma_detail::Packed<typename Factor::Storage, Factor::depth> columns(b.x);
  rocport::wmma_detail::multiply<Factor>(sum, M == 32 ? columns.word : rows.word,
                                M == 32 ? rows.word : columns.word, satf);
#pragma unroll
  for (int e = 0; e < 8; ++e) rocport::wmma_detail::set(d.x[e], sum[e], satf);
}

// 8x8x4 of double. Lane 4 g + t holds row g, column t of A, row t, column g of B, and row g, columns
// 2 t and 2 t + 1 of C and D.

__device__ __forceinline__ void load_matrix_sync(fragment<matrix_a, 8, 8, 4, double, row_major>& a,
                                                 const double* from, unsigned ldm) {
  rocport::syncwarp();
  a.x[0] = from[(rocport::lane_id() >> 2) * ldm + (rocport::lane_id() & 3u)];
}
__device__ __forceinline__ void load_matrix_sync(fragment<matrix_a, 8, 8, 4, double, col_major>& a,
                                                 const double* from, unsigned ldm) {
  rocport::syncwarp();
  a.x[0] = from[(rocport::lane_id() >> 2) + (rocport::lane_id() & 3u) * ldm];
}
__device__ __forceinline__ void load_matrix_sync(fragment<matrix_b, 8, 8, 4, double, row_major>& b,
                                                 const double* from, unsigned ldm) {
  rocport::syncwarp();
  b.x[0] = from[(rocport::lane_id() & 3u) * ldm + (rocport::lane_id() >> 2)];
}
__device__ __forceinline__ void load_matrix_sync(fragment<matrix_b, 8, 8, 4, double, col_major>& b,
                                                 const double* from, unsigned ldm) {
  rocport::syncwarp();
  b.x[0] = from[(rocport::lane_id() & 3u) + (rocport::lane_id() >> 2) * ldm];
}
__device__ __forceinline__ void load_matrix_sync(fragment<accumulator, 8, 8, 4, double>& c,
                                                 const double* from, unsigned ldm,
                                                 layout_t layout) {
  const unsigned row = rocport::lane_id() >> 2;
  const unsigned column = 2u * (rocport::lane_id() & 3u);
  rocport::syncwarp();
  if (layout == mem_row_major) {
    rocport::wmma_detail::load(c.x, from + row * ldm + column);
  } else {
    rocport::wmma_detail::load(c.x, from + row + column * ldm, ldm);
  }
}
__device__ __forceinline__ void store_matrix_sync(double* to,
                                                  const fragment<accumulator, 8, 8, 4, double>& d,
                                                  unsigned ldm, layout_t layout) {
  const unsigned row = rocport::lane_id() >> 2;
  const unsigned column = 2u * (rocport::lane_id() & 3u);
  rocport::syncwarp();
  if (layout == mem_row_major) {
    rocport::wmma_detail::store(to + row * ldm + column, d.x);
  } else {
    rocport::wmma_detail::store(to + row + column * ldm, d.x, ldm);
  }
}
template <typename LayoutA, typename LayoutB>
__device__ __forceinline__ void mma_sync(fragment<accumulator, 8, 8, 4, double>& d,
                                         const fragment<matrix_a, 8, 8, 4, double, LayoutA>& a,
                                         const fragment<matrix_b, 8, 8, 4, double, LayoutB>& b,
                                         const fragment<accumulator, 8, 8, 4, double>& c,
                                         bool = false) {
  rocport::ptx::mma<rocport::ptx::f64_f64>(d.x[0], d.x[1], a.x[0], b.x[0], c.x[0], c.x[1]);
}

}  // namespace wmma
}  // namespace nvcuda

#endif
#endif  // ROCPORT_WMMA_H
