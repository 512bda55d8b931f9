// PTX's matrix instructions of a warp in terms of fused multiply-adds and exchanges between lanes:
// ldmatrix, stmatrix, movmatrix, and mma.sync of dense matrices.
//
// Fragments are distributed over lanes as in the PTX ISA, "Warp Level Matrix Instructions". All
// shapes except m8n8k4 of f16 have one scheme. With lane = 4 g + t (g below 8, t below 4) and
// registers of E elements:
//   A  register r: row g, or g + 8 for odd r (where M is 16); columns 4 E (r / 2) + E t + 0..E-1
//   B  register r: column g; rows 4 E r + E t + 0..E-1
//   C  element i: row g + 8 (i / 2), column 2 t + i mod 2
// A lane needs the A of its own four lanes and the B of two columns, eight lanes.
//
// Sums run over ascending k. Integers are exact; without satfinite they wrap. f64 is a chain of fused
// multiply-adds. Both have the bits of an H200. Products of f16, bf16, tf32 and 8-bit floats are exact
// in float, and sums are rounded once for each product: within (K + 1) 2^-24 of |c| + sum |a b|, where
// results do not leave float's range. PTX requires at least single precision (half precision where
// accumulators are f16, which are kept in float until the end here) and does not specify order,
// rounding and subnormals. On fixtures/ptx/matrix the greatest error is 3.5 2^-24 here, 2.2 2^-24
// on an H200.
//
// The cost: vector and LDS instructions of a wave of 64, which does the products of two warps,
// as clang 19 compiles them for gfx90a and gfx942. One MFMA instruction does as much as the first line
// (v_mfma_f32_16x16x16f16).
//   m16n8k16 f16      97    m16n8k32 s8, u8     73    m8n8k4 f64     33
//   m16n8k16 bf16    129    m16n8k32 u8 by s8  285    m16n8k16 f64  198
//   m16n8k8 tf32      97    m16n8k64 s4        549    m16n8k256 b1   91
//   m16n8k32 e4m3   1320 (decoded one by one)
// 16 of them (64 for the last f64) exchange lanes over the LDS crossbar. If matrix products
// dominate a program, use rocWMMA, hipBLASLt or MFMA builtins instead of mma.sync.
//
// All 32 lanes of a logical warp (warp_sync.h) must be active, as PTX requires with .aligned.
#ifndef ROCPORT_PTX_MATRIX_H
#define ROCPORT_PTX_MATRIX_H

#include "ptx_address.h"
#include "warp_sync.h"

#if defined(__HIP__) && defined(__clang__)

namespace rocport {
namespace ptx {

namespace matrix_detail {

/// The value of lane Member of the caller's four lanes.
template <int Member, typename T>
__device__ __forceinline__ T of_quad(const T& value) {
  auto words = rocport::warp_detail::Words<T>::of(value);
#pragma unroll
  for (unsigned i = 0; i < words.count; ++i) {
    // DPP's quad_perm with the same source for all four
    words.word[i] = __builtin_amdgcn_mov_dpp(words.word[i], Member * 0x55, 0xf, 0xf, true);
  }
  return words.value();
}

/// The value of a lane of the caller's warp.
template <typename T>
__device__ __forceinline__ T of_lane(const T& value, unsigned lane) {
  return rocport::warp_detail::from_wave_lane(value, rocport::warp_detail::warp_base() + lane);
}

__device__ __forceinline__ float float_of(unsigned bits) {
  float value;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}
__device__ __forceinline__ float float_of_half(unsigned bits) {
  const auto low = static_cast<unsigned short>(bits);
  _Float16 value;
  __builtin_memcpy(&value, &low, sizeof value);
  return static_cast<float>(value);
}
__device__ __forceinline__ unsigned half_of(float value) {
  const auto half = static_cast<_Float16>(value);
  unsigned short bits;
  __builtin_memcpy(&bits, &half, sizeof bits);
  return bits;
}

// Elements of a register: their number, and the value of one.
struct F16 {
  static constexpr int count = 2;
  __device__ __forceinline__ static float value(unsigned word, int i) {
    return float_of_half(word >> 16 * i);
  }
};
struct Bf16 {
  static constexpr int count = 2;
  __device__ __forceinline__ static float value(unsigned word, int i) {
    return float_of(i == 0 ? word << 16 : word & 0xffff0000u);
  }
};
struct Tf32 {
  static constexpr int count = 1;
  __device__ __forceinline__ static float value(unsigned word, int) {
    return float_of(word & 0xffffe000u);  // 19 bits count
  }
};
struct E5m2 {
  static constexpr int count = 4;
  __device__ __forceinline__ static float value(unsigned word, int i) {
    return float_of_half((word >> 8 * i & 0xffu) << 8);  // the upper byte of an f16
  }
};
struct E4m3 {
  static constexpr int count = 4;
  __device__ __forceinline__ static float value(unsigned word, int i) {
    const unsigned bits = word >> 8 * i & 0xffu;
    if ((bits & 0x7fu) == 0x7fu) return float_of(0x7fc00000u);  // the format has no infinities
    // an f16 has one more bit in its exponent, whose bias is 15, not 7
    return float_of_half((bits & 0x80u) << 8 | (bits & 0x7fu) << 7) * 256.0f;
  }
};
template <int Bits, bool Signed>
struct Integer {
  static constexpr int count = 32 / Bits;
  __device__ __forceinline__ static int value(unsigned word, int i) {
    const unsigned top = word << (32 - Bits - Bits * i);
    return Signed ? static_cast<int>(top) >> (32 - Bits)
                  : static_cast<int>(top >> (32 - Bits));
  }
};

/// sum and the products of the elements of two registers: below 2^23, whatever they are.
template <class A, class B>
__device__ __forceinline__ int dot(A, B, unsigned a, unsigned b, int sum) {
#pragma unroll
  for (int i = 0; i < A::count; ++i) sum += A::value(a, i) * B::value(b, i);
  return sum;
}
#if defined(__gfx906__) || defined(__gfx908__) || defined(__gfx90a__) || defined(__gfx942__)
// The compiler selects the instruction for unsigned bytes, but not for signed ones.
__device__ __forceinline__ int dot(Integer<8, true>, Integer<8, true>, unsigned a, unsigned b,
                                   int sum) {
  return __builtin_amdgcn_sdot4(static_cast<int>(a), static_cast<int>(b), sum, false);
}
#endif

}  // namespace matrix_detail

// Kinds of products: the type of a register (Word), the accumulator (Sum), the start of a sum, the
// step for two registers, and the end.

template <class A, class B>
struct FloatProducts {
  using Word = unsigned;
  using Sum = float;
  __device__ __forceinline__ static Sum start(Sum c) { return c; }
  __device__ __forceinline__ static Sum add(Sum sum, Word a, Word b) {
#pragma unroll
    for (int i = 0; i < A::count; ++i) {
      sum = __builtin_fmaf(A::value(a, i), B::value(b, i), sum);
    }
    return sum;
  }
  __device__ __forceinline__ static Sum finish(Sum sum, Sum) { return sum; }
};

struct DoubleProducts {
  using Word = double;
  using Sum = double;
  __device__ __forceinline__ static Sum start(Sum c) { return c; }
  __device__ __forceinline__ static Sum add(Sum sum, Word a, Word b) {
    return __builtin_fma(a, b, sum);
  }
  __device__ __forceinline__ static Sum finish(Sum sum, Sum) { return sum; }
};

template <class A, class B, bool Saturate>
struct IntegerProducts {
  using Word = unsigned;
  using Sum = int;
  __device__ __forceinline__ static Sum start(Sum) { return 0; }
  __device__ __forceinline__ static Sum add(Sum sum, Word a, Word b) {
    return matrix_detail::dot(A(), B(), a, b, sum);
  }
  __device__ __forceinline__ static Sum finish(Sum sum, Sum c) {
    const long long total = static_cast<long long>(sum) + c;
    if (Saturate && total > 0x7fffffffll) return 0x7fffffff;
    if (Saturate && total < -0x80000000ll) return -0x7fffffff - 1;
    return static_cast<int>(total);
  }
};

template <bool Xor>
struct BitProducts {
  using Word = unsigned;
  using Sum = int;
  __device__ __forceinline__ static Sum start(Sum) { return 0; }
  __device__ __forceinline__ static Sum add(Sum sum, Word a, Word b) {
    return sum + __builtin_popcount(Xor ? a ^ b : a & b);
  }
  __device__ __forceinline__ static Sum finish(Sum sum, Sum c) {
    return static_cast<int>(static_cast<unsigned>(sum) + static_cast<unsigned>(c));
  }
};

// Named after the types of A and B.
using f16_f16 = FloatProducts<matrix_detail::F16, matrix_detail::F16>;
using bf16_bf16 = FloatProducts<matrix_detail::Bf16, matrix_detail::Bf16>;
using tf32_tf32 = FloatProducts<matrix_detail::Tf32, matrix_detail::Tf32>;
using e4m3_e4m3 = FloatProducts<matrix_detail::E4m3, matrix_detail::E4m3>;
using e4m3_e5m2 = FloatProducts<matrix_detail::E4m3, matrix_detail::E5m2>;
using e5m2_e4m3 = FloatProducts<matrix_detail::E5m2, matrix_detail::E4m3>;
using e5m2_e5m2 = FloatProducts<matrix_detail::E5m2, matrix_detail::E5m2>;
using f64_f64 = DoubleProducts;

template <bool Saturate = false>
using s8_s8 = IntegerProducts<matrix_detail::Integer<8, true>, matrix_detail::Integer<8, true>, Saturate>;
template <bool Saturate = false>
using s8_u8 = IntegerProducts<matrix_detail::Integer<8, true>, matrix_detail::Integer<8, false>, Saturate>;
template <bool Saturate = false>
using u8_s8 = IntegerProducts<matrix_detail::Integer<8, false>, matrix_detail::Integer<8, true>, Saturate>;
template <bool Saturate = false>
using u8_u8 = IntegerProducts<matrix_detail::Integer<8, false>, matrix_detail::Integer<8, false>, Saturate>;
template <bool Saturate = false>
using s4_s4 = IntegerProducts<matrix_detail::Integer<4, true>, matrix_detail::Integer<4, true>, Saturate>;
template <bool Saturate = false>
using s4_u4 = IntegerProducts<matrix_detail::Integer<4, true>, matrix_detail::Integer<4, false>, Saturate>;
template <bool Saturate = false>
using u4_s4 = IntegerProducts<matrix_detail::Integer<4, false>, matrix_detail::Integer<4, true>, Saturate>;
template <bool Saturate = false>
using u4_u4 = IntegerProducts<matrix_detail::Integer<4, false>, matrix_detail::Integer<4, false>, Saturate>;

using xor_popc = BitProducts<true>;
using and_popc = BitProducts<false>;

namespace matrix_detail {

/// The product of the parts of A and B that lane Member of each four holds.
template <int Member, class Kind, int Rows>
__device__ __forceinline__ void add_member(typename Kind::Sum* sum, const typename Kind::Word* a,
                                           typename Kind::Word b) {
  const unsigned columns = 8u * (lane_id() & 3u) + Member;
  const auto left = of_lane(b, columns);
  const auto right = of_lane(b, columns + 4u);
#pragma unroll
  for (int row = 0; row < Rows; ++row) {
    const auto own = of_quad<Member>(a[row]);
    sum[2 * row] = Kind::add(sum[2 * row], own, left);
    sum[2 * row + 1] = Kind::add(sum[2 * row + 1], own, right);
  }
}

/// c + A B for 8 Rows rows, 8 columns and Steps registers along k; c and the result in sum.
template <class Kind, int Rows, int Steps>
__device__ __forceinline__ void multiply(typename Kind::Sum (&sum)[2 * Rows],
                                         const typename Kind::Word (&a)[Rows * Steps],
                                         const typename Kind::Word (&b)[Steps]) {
  typename Kind::Sum total[2 * Rows];
#pragma unroll
  for (int i = 0; i < 2 * Rows; ++i) total[i] = Kind::start(sum[i]);
#pragma unroll
  for (int step = 0; step < Steps; ++step) {
    add_member<0, Kind, Rows>(total, a + Rows * step, b[step]);
    add_member<1, Kind, Rows>(total, a + Rows * step, b[step]);
    add_member<2, Kind, Rows>(total, a + Rows * step, b[step]);
    add_member<3, Kind, Rows>(total, a + Rows * step, b[step]);
  }
#pragma unroll
  for (int i = 0; i < 2 * Rows; ++i) sum[i] = Kind::finish(total[i], sum[i]);
}

/// multiply with accumulators that are pairs of f16.
template <class Kind, int Rows, int Steps>
__device__ __forceinline__ void multiply_halves(unsigned& d0, unsigned& d1, unsigned c0,
                                                unsigned c1, const unsigned (&a)[Rows * Steps],
                                                const unsigned (&b)[Steps]) {
  static_assert(Rows == 2, "two registers of pairs");
  float sum[4] = {float_of_half(c0), float_of_half(c0 >> 16), float_of_half(c1),
                  float_of_half(c1 >> 16)};
  multiply<Kind, Rows, Steps>(sum, a, b);
  d0 = half_of(sum[0]) | half_of(sum[1]) << 16;
  d1 = half_of(sum[2]) | half_of(sum[3]) << 16;
}

}  // namespace matrix_detail

/// mma.sync with M = 8, one register of A.
template <class Kind>
__device__ __forceinline__ void mma(typename Kind::Sum& d0, typename Kind::Sum& d1,
                                    typename Kind::Word a0, typename Kind::Word b0,
                                    typename Kind::Sum c0, typename Kind::Sum c1) {
  typename Kind::Sum sum[2] = {c0, c1};
  matrix_detail::multiply<Kind, 1, 1>(sum, {a0}, {b0});
  d0 = sum[0];
  d1 = sum[1];
}

/// mma.sync with M = 16, two, four or eight registers of A.
template <class Kind>
__device__ __forceinline__ void mma(typename Kind::Sum& d0, typename Kind::Sum& d1,
                                    typename Kind::Sum& d2, typename Kind::Sum& d3,
                                    typename Kind::Word a0, typename Kind::Word a1,
                                    typename Kind::Word b0, typename Kind::Sum c0,
                                    typename Kind::Sum c1, typename Kind::Sum c2,
                                    typename Kind::Sum c3) {
  typename Kind::Sum sum[4] = {c0, c1, c2, c3};
  matrix_detail::multiply<Kind, 2, 1>(sum, {a0, a1}, {b0});
  d0 = sum[0];
  d1 = sum[1];
  d2 = sum[2];
  d3 = sum[3];
}
template <class Kind>
__device__ __forceinline__ void mma(typename Kind::Sum& d0, typename Kind::Sum& d1,
                                    typename Kind::Sum& d2, typename Kind::Sum& d3,
                                    typename Kind::Word a0, typename Kind::Word a1,
                                    typename Kind::Word a2, typename Kind::Word a3,
                                    typename Kind::Word b0, typename Kind::Word b1,
                                    typename Kind::Sum c0, typename Kind::Sum c1,
                                    typename Kind::Sum c2, typename Kind::Sum c3) {
  typename Kind::Sum sum[4] = {c0, c1, c2, c3};
  matrix_detail::multiply<Kind, 2, 2>(sum, {a0, a1, a2, a3}, {b0, b1});
  d0 = sum[0];
  d1 = sum[1];
  d2 = sum[2];
  d3 = sum[3];
}
template <class Kind>
__device__ __forceinline__ void mma(
    typename Kind::Sum& d0, typename Kind::Sum& d1, typename Kind::Sum& d2, typename Kind::Sum& d3,
    typename Kind::Word a0, typename Kind::Word a1, typename Kind::Word a2, typename Kind::Word a3,
    typename Kind::Word a4, typename Kind::Word a5, typename Kind::Word a6, typename Kind::Word a7,
    typename Kind::Word b0, typename Kind::Word b1, typename Kind::Word b2, typename Kind::Word b3,
    typename Kind::Sum c0, typename Kind::Sum c1, typename Kind::Sum c2, typename Kind::Sum c3) {
  typename Kind::Sum sum[4] = {c0, c1, c2, c3};
  matrix_detail::multiply<Kind, 2, 4>(sum, {a0, a1, a2, a3, a4, a5, a6, a7}, {b0, b1, b2, b3});
  d0 = sum[0];
  d1 = sum[1];
  d2 = sum[2];
  d3 = sum[3];
}

/// mma.sync with M = 16 whose accumulators are f16, two per register.
template <class Kind>
__device__ __forceinline__ void mma_halves(unsigned& d0, unsigned& d1, unsigned a0, unsigned a1,
                                           unsigned b0, unsigned c0, unsigned c1) {
  matrix_detail::multiply_halves<Kind, 2, 1>(d0, d1, c0, c1, {a0, a1}, {b0});
}
template <class Kind>
__device__ __forceinline__ void mma_halves(unsigned& d0, unsigned& d1, unsigned a0, unsigned a1,
                                           unsigned a2, unsigned a3, unsigned b0, unsigned b1,
                                           unsigned c0, unsigned c1) {
  matrix_detail::multiply_halves<Kind, 2, 2>(d0, d1, c0, c1, {a0, a1, a2, a3}, {b0, b1});
}

// ---------------------------------------------------------------- matrices of 8 x 8 and 16 bits

namespace matrix_detail {

// May alias any type that the program uses for the same memory.
typedef unsigned __attribute__((__may_alias__)) AnyWord;
typedef unsigned short __attribute__((__may_alias__)) AnyHalf;

__device__ __forceinline__ __attribute__((address_space(3))) AnyWord* word_at(unsigned offset) {
  return (__attribute__((address_space(3))) AnyWord*)SharedAddress(offset).as<char>();
}
__device__ __forceinline__ __attribute__((address_space(3))) AnyHalf* half_at(unsigned offset) {
  return (__attribute__((address_space(3))) AnyHalf*)SharedAddress(offset).as<char>();
}

/// Start of rows: lane 8 m + i holds the offset of row i of matrix m.
struct RowOffsets {
  unsigned own;

  __device__ __forceinline__ explicit RowOffsets(SharedAddress row)
      : own(static_cast<unsigned>((unsigned long long)row.as<char>())) {}

  __device__ __forceinline__ unsigned of(int matrix, unsigned row) const {
    return of_lane(own, 8u * static_cast<unsigned>(matrix) + row);
  }
};

__device__ __forceinline__ unsigned load(RowOffsets rows, int matrix) {
  return *word_at(rows.of(matrix, lane_id() >> 2) + 4u * (lane_id() & 3u));
}
__device__ __forceinline__ unsigned load_transposed(RowOffsets rows, int matrix) {
  const unsigned row = 2u * (lane_id() & 3u);
  const unsigned column = 2u * (lane_id() >> 2);  // in bytes
  const unsigned first = rows.of(matrix, row);
  const unsigned second = rows.of(matrix, row + 1u);
  const unsigned low = *half_at(first + column);
  const unsigned high = *half_at(second + column);
  return low | high << 16;
}
__device__ __forceinline__ void store(RowOffsets rows, int matrix, unsigned value) {
  *word_at(rows.of(matrix, lane_id() >> 2) + 4u * (lane_id() & 3u)) = value;
}
__device__ __forceinline__ void store_transposed(RowOffsets rows, int matrix, unsigned value) {
  const unsigned row = 2u * (lane_id() & 3u);
  const unsigned column = 2u * (lane_id() >> 2);
  const unsigned first = rows.of(matrix, row);
  const unsigned second = rows.of(matrix, row + 1u);
  *half_at(first + column) = static_cast<unsigned short>(value);
  *half_at(second + column) = static_cast<unsigned short>(value >> 16);
}

}  // namespace matrix_detail

/// The offset in LDS of a generic address of shared memory: its lower half.
__device__ __forceinline__ SharedAddress shared_part(Address generic) {
  return SharedAddress(static_cast<unsigned>((unsigned long long)generic.as<char>()));
}

/// ldmatrix.m8n8.b16: one, two or four matrices.
__device__ __forceinline__ void ldmatrix(unsigned& d0, SharedAddress row) {
  const matrix_detail::RowOffsets rows(row);
  d0 = matrix_detail::load(rows, 0);
}
__device__ __forceinline__ void ldmatrix(unsigned& d0, unsigned& d1, SharedAddress row) {
  const matrix_detail::RowOffsets rows(row);
  d0 = matrix_detail::load(rows, 0);
  d1 = matrix_detail::load(rows, 1);
}
__device__ __forceinline__ void ldmatrix(unsigned& d0, unsigned& d1, unsigned& d2, unsigned& d3,
                                         SharedAddress row) {
  const matrix_detail::RowOffsets rows(row);
  d0 = matrix_detail::load(rows, 0);
  d1 = matrix_detail::load(rows, 1);
  d2 = matrix_detail::load(rows, 2);
  d3 = matrix_detail::load(rows, 3);
}
__device__ __forceinline__ void ldmatrix_trans(unsigned& d0, SharedAddress row) {
  const matrix_detail::RowOffsets rows(row);
  d0 = matrix_detail::load_transposed(rows, 0);
}
__device__ __forceinline__ void ldmatrix_trans(unsigned& d0, unsigned& d1, SharedAddress row) {
  const matrix_detail::RowOffsets rows(row);
  d0 = matrix_detail::load_transposed(rows, 0);
  d1 = matrix_detail::load_transposed(rows, 1);
}
__device__ __forceinline__ void ldmatrix_trans(unsigned& d0, unsigned& d1, unsigned& d2,
                                               unsigned& d3, SharedAddress row) {
  const matrix_detail::RowOffsets rows(row);
  d0 = matrix_detail::load_transposed(rows, 0);
  d1 = matrix_detail::load_transposed(rows, 1);
  d2 = matrix_detail::load_transposed(rows, 2);
  d3 = matrix_detail::load_transposed(rows, 3);
}

/// stmatrix.m8n8.b16: one, two or four matrices.
__device__ __forceinline__ void stmatrix(SharedAddress row, unsigned b0) {
  const matrix_detail::RowOffsets rows(row);
  matrix_detail::store(rows, 0, b0);
}
__device__ __forceinline__ void stmatrix(SharedAddress row, unsigned b0, unsigned b1) {
  const matrix_detail::RowOffsets rows(row);
  matrix_detail::store(rows, 0, b0);
  matrix_detail::store(rows, 1, b1);
}
__device__ __forceinline__ void stmatrix(SharedAddress row, unsigned b0, unsigned b1, unsigned b2,
                                         unsigned b3) {
  const matrix_detail::RowOffsets rows(row);
  matrix_detail::store(rows, 0, b0);
  matrix_detail::store(rows, 1, b1);
  matrix_detail::store(rows, 2, b2);
  matrix_detail::store(rows, 3, b3);
}
__device__ __forceinline__ void stmatrix_trans(SharedAddress row, unsigned b0) {
  const matrix_detail::RowOffsets rows(row);
  matrix_detail::store_transposed(rows, 0, b0);
}
__device__ __forceinline__ void stmatrix_trans(SharedAddress row, unsigned b0, unsigned b1) {
  const matrix_detail::RowOffsets rows(row);
  matrix_detail::store_transposed(rows, 0, b0);
  matrix_detail::store_transposed(rows, 1, b1);
}
__device__ __forceinline__ void stmatrix_trans(SharedAddress row, unsigned b0, unsigned b1,
                                               unsigned b2, unsigned b3) {
  const matrix_detail::RowOffsets rows(row);
  matrix_detail::store_transposed(rows, 0, b0);
  matrix_detail::store_transposed(rows, 1, b1);
  matrix_detail::store_transposed(rows, 2, b2);
  matrix_detail::store_transposed(rows, 3, b3);
}

/// movmatrix.m8n8.trans.b16: the matrix in the lanes' registers, transposed.
__device__ __forceinline__ unsigned movmatrix_trans(unsigned a) {
  // element (row, column) is in lane 4 row + column / 2, in half column mod 2
  const unsigned column = lane_id() >> 2;
  const unsigned source = 8u * (lane_id() & 3u) + column / 2u;
  const unsigned low = matrix_detail::of_lane(a, source) >> 16u * (column & 1u);
  const unsigned high = matrix_detail::of_lane(a, source + 4u) >> 16u * (column & 1u);
  return (low & 0xffffu) | high << 16;
}

}  // namespace ptx
}  // namespace rocport

#endif
#endif  // ROCPORT_PTX_MATRIX_H
