// PTX's arithmetic on integers, where C++ has no operator of the same meaning: rocport::ptx::mul_hi
// for mul.hi and so on. T is the C++ type of the instruction's type, int for s32.
//
//   add, sub, mul_lo, mad_lo, negate, magnitude     add, sub, mul.lo, mad.lo, neg, abs: results wrap
//   mul_hi, mul_wide, mad_hi, mad_wide              the product's upper half, the whole product
//   add_sat, sub_sat, mad_hi_sat                    add.sat.s32, sub.sat.s32, mad.hi.sat.s32
//   add_carry, sub_borrow, mad_lo_carry, mad_hi_carry   add.cc, addc, sub.cc, subc, mad.cc, madc
//   mul24_lo, mul24_hi, mad24_lo, mad24_hi, mad24_hi_sat   of the lower 24 bits
//   div, rem                                        also if the result is undefined in C++
//   sad, minimum, maximum, minimum_relu, maximum_relu
//   add_16x2, minimum_16x2, ...                     two fields of 16 bits in a word
//   dp4a, dp2a_lo, dp2a_hi                          sums of products of fields
//   convert, saturate                               cvt and cvt.sat between integers
//   truth, setp, combine_{and,or,xor}   results of comparisons
//
// Definitions follow the PTX ISA's chapter on integer arithmetic; fixtures/ptx/integer compares them
// with an NVIDIA GPU.
#ifndef ROCPORT_PTX_INTEGER_H
#define ROCPORT_PTX_INTEGER_H

#if defined(__HIP__) && defined(__clang__)

#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif

namespace rocport {
namespace ptx {

/// The integers of a size in bytes.
template <int Bytes>
struct Integers;
template <>
struct Integers<1> {
  using Unsigned = unsigned char;
  using Signed = signed char;
};
template <>
struct Integers<2> {
  using Unsigned = unsigned short;
  using Signed = short;
};
template <>
struct Integers<4> {
  using Unsigned = unsigned;
  using Signed = int;
};
template <>
struct Integers<8> {
  using Unsigned = unsigned long long;
  using Signed = long long;
};
template <>
struct Integers<16> {
  using Unsigned = unsigned __int128;
  using Signed = __int128;
};

template <typename T>
constexpr bool is_signed() {
  return static_cast<T>(-1) < static_cast<T>(0);
}

/// Integers with the signedness of T and another width, and the unsigned ones that arithmetic wraps
/// in.
template <bool IsSigned, int Bytes>
struct Chosen {
  using Type = typename Integers<Bytes>::Unsigned;
};
template <int Bytes>
struct Chosen<true, Bytes> {
  using Type = typename Integers<Bytes>::Signed;
};
template <typename T>
using Wide = typename Chosen<is_signed<T>(), 2 * sizeof(T)>::Type;
template <typename T>
using Modular = typename Integers<(sizeof(T) < 4 ? 4 : sizeof(T))>::Unsigned;

template <typename T>
__device__ __forceinline__ T lowest() {
  return is_signed<T>() ? static_cast<T>(1ull << (8 * sizeof(T) - 1)) : static_cast<T>(0);
}
template <typename T>
__device__ __forceinline__ T greatest() {
  return static_cast<T>(~lowest<T>());
}

template <typename T>
__device__ __forceinline__ T add(T a, T b) {
  return static_cast<T>(static_cast<Modular<T>>(a) + static_cast<Modular<T>>(b));
}
template <typename T>
__device__ __forceinline__ T sub(T a, T b) {
  return static_cast<T>(static_cast<Modular<T>>(a) - static_cast<Modular<T>>(b));
}
template <typename T>
__device__ __forceinline__ T mul_lo(T a, T b) {
  return static_cast<T>(static_cast<Modular<T>>(a) * static_cast<Modular<T>>(b));
}
template <typename T>
__device__ __forceinline__ Wide<T> mul_wide(T a, T b) {
  return static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b);
}
template <typename T>
__device__ __forceinline__ T mul_hi(T a, T b) {
  return static_cast<T>(static_cast<Modular<Wide<T>>>(mul_wide<T>(a, b)) >> (8 * sizeof(T)));
}
template <typename T>
__device__ __forceinline__ T mad_lo(T a, T b, T c) {
  return add<T>(mul_lo<T>(a, b), c);
}
template <typename T>
__device__ __forceinline__ T mad_hi(T a, T b, T c) {
  return add<T>(mul_hi<T>(a, b), c);
}
template <typename T>
__device__ __forceinline__ Wide<T> mad_wide(T a, T b, Wide<T> c) {
  return add<Wide<T>>(mul_wide<T>(a, b), c);
}

/// The value as From, then as To: truncated, or extended by the sign of From.
template <typename To, typename From>
__device__ __forceinline__ To convert(From value) {
  return static_cast<To>(value);
}
/// The value, or the nearest one that To has.
template <typename To, typename From>
__device__ __forceinline__ To saturate(From value) {
  if (is_signed<From>() && value < static_cast<From>(0)) {
    if (!is_signed<To>()) return static_cast<To>(0);
    if (sizeof(To) >= sizeof(From)) return static_cast<To>(value);
    return value < static_cast<From>(lowest<To>()) ? lowest<To>() : static_cast<To>(value);
  }
  const unsigned long long size = static_cast<unsigned long long>(value);
  const unsigned long long most = static_cast<unsigned long long>(greatest<To>());
  return size > most ? greatest<To>() : static_cast<To>(value);
}

__device__ __forceinline__ int add_sat(int a, int b) { return __builtin_elementwise_add_sat(a, b); }
__device__ __forceinline__ int sub_sat(int a, int b) { return __builtin_elementwise_sub_sat(a, b); }
__device__ __forceinline__ int mad_hi_sat(int a, int b, int c) {
  return add_sat(mul_hi<int>(a, b), c);
}

/// a + b + carry, and whether that exceeds the bits of the type (add.cc, addc.cc).
template <typename T>
__device__ __forceinline__ T add_carry(T a, T b, bool carry, bool& out) {
  const Modular<T> sum = static_cast<Modular<T>>(a) + static_cast<Modular<T>>(b);
  const Modular<T> whole = sum + static_cast<Modular<T>>(carry);
  out = sum < static_cast<Modular<T>>(a) || whole < sum;
  return static_cast<T>(whole);
}
/// a - (b + borrow), and whether there is a borrow (sub.cc, subc.cc).
template <typename T>
__device__ __forceinline__ T sub_borrow(T a, T b, bool borrow, bool& out) {
  const Modular<T> difference = static_cast<Modular<T>>(a) - static_cast<Modular<T>>(b);
  out = static_cast<Modular<T>>(a) < static_cast<Modular<T>>(b) ||
        difference < static_cast<Modular<T>>(borrow);
  return static_cast<T>(difference - static_cast<Modular<T>>(borrow));
}
/// Half of a product, + c + carry; the carry out is that of the sums (mad.lo.cc, madc.hi.cc ...).
template <typename T>
__device__ __forceinline__ T mad_lo_carry(T a, T b, T c, bool carry, bool& out) {
  return add_carry<T>(mul_lo<T>(a, b), c, carry, out);
}
template <typename T>
__device__ __forceinline__ T mad_hi_carry(T a, T b, T c, bool carry, bool& out) {
  return add_carry<T>(mul_hi<T>(a, b), c, carry, out);
}

/// The lower 24 bits, with the sign in bit 23 if T is signed.
template <typename T>
__device__ __forceinline__ T bits24(T a) {
  return static_cast<T>(static_cast<T>(static_cast<unsigned>(a) << 8) >> 8);
}
template <typename T>
__device__ __forceinline__ T mul24_lo(T a, T b) {
  return mul_lo<T>(bits24<T>(a), bits24<T>(b));
}
/// Bits 16 to 47 of the product of 48 bits.
template <typename T>
__device__ __forceinline__ T mul24_hi(T a, T b) {
  return static_cast<T>(mul_wide<T>(bits24<T>(a), bits24<T>(b)) >> 16);
}
template <typename T>
__device__ __forceinline__ T mad24_lo(T a, T b, T c) {
  return add<T>(mul24_lo<T>(a, b), c);
}
template <typename T>
__device__ __forceinline__ T mad24_hi(T a, T b, T c) {
  return add<T>(mul24_hi<T>(a, b), c);
}
__device__ __forceinline__ int mad24_hi_sat(int a, int b, int c) {
  return add_sat(mul24_hi<int>(a, b), c);
}

/// The quotient. In PTX division by zero gives an unspecified number: here all ones.
template <typename T>
__device__ __forceinline__ T div(T a, T b) {
  if (b == static_cast<T>(0)) return static_cast<T>(~static_cast<T>(0));
  if (is_signed<T>() && b == static_cast<T>(-1)) return sub<T>(0, a);
  return static_cast<T>(a / b);
}
template <typename T>
__device__ __forceinline__ T rem(T a, T b) {
  if (b == static_cast<T>(0)) return a;
  if (is_signed<T>() && b == static_cast<T>(-1)) return static_cast<T>(0);
  return static_cast<T>(a % b);
}

template <typename T>
__device__ __forceinline__ T negate(T a) {
  return sub<T>(static_cast<T>(0), a);
}
template <typename T>
__device__ __forceinline__ T magnitude(T a) {
  return a < static_cast<T>(0) ? negate<T>(a) : a;
}
template <typename T>
__device__ __forceinline__ T minimum(T a, T b) {
  return b < a ? b : a;
}
template <typename T>
__device__ __forceinline__ T maximum(T a, T b) {
  return a < b ? b : a;
}
// not a < b ? b - a : a - b, which clang 19 compiles incorrectly if it knows that both are bytes
template <typename T>
__device__ __forceinline__ T sad(T a, T b, T c) {
  return add<T>(c, sub<T>(maximum<T>(a, b), minimum<T>(a, b)));
}
/// At least zero.
template <typename T>
__device__ __forceinline__ T minimum_relu(T a, T b) {
  return maximum<T>(minimum<T>(a, b), static_cast<T>(0));
}
template <typename T>
__device__ __forceinline__ T maximum_relu(T a, T b) {
  return maximum<T>(maximum<T>(a, b), static_cast<T>(0));
}

// Two fields of 16 bits. Field is short or unsigned short.
template <typename Field>
struct Pair16;
template <>
struct Pair16<short> {
  typedef short Type __attribute__((ext_vector_type(2)));
};
template <>
struct Pair16<unsigned short> {
  typedef unsigned short Type __attribute__((ext_vector_type(2)));
};
template <typename Field>
__device__ __forceinline__ typename Pair16<Field>::Type fields16(unsigned word) {
  return __builtin_bit_cast(typename Pair16<Field>::Type, word);
}
__device__ __forceinline__ unsigned add_16x2(unsigned a, unsigned b) {
  using U = unsigned short;
  return __builtin_bit_cast(unsigned, fields16<U>(a) + fields16<U>(b));
}
template <typename Field>
__device__ __forceinline__ unsigned minimum_16x2(unsigned a, unsigned b) {
  return __builtin_bit_cast(
      unsigned, __builtin_elementwise_min(fields16<Field>(a), fields16<Field>(b)));
}
template <typename Field>
__device__ __forceinline__ unsigned maximum_16x2(unsigned a, unsigned b) {
  return __builtin_bit_cast(
      unsigned, __builtin_elementwise_max(fields16<Field>(a), fields16<Field>(b)));
}
__device__ __forceinline__ unsigned minimum_relu_16x2(unsigned a, unsigned b) {
  return maximum_16x2<short>(minimum_16x2<short>(a, b), 0u);
}
__device__ __forceinline__ unsigned maximum_relu_16x2(unsigned a, unsigned b) {
  return maximum_16x2<short>(maximum_16x2<short>(a, b), 0u);
}

/// Byte i, with its sign if T is signed.
template <typename T>
__device__ __forceinline__ int byte_of(unsigned word, int i) {
  const unsigned bits = word >> (8 * i) & 0xffu;
  return is_signed<T>() ? static_cast<int>(static_cast<signed char>(bits)) : static_cast<int>(bits);
}
template <typename T>
__device__ __forceinline__ int half_of(unsigned word, int i) {
  const unsigned bits = word >> (16 * i) & 0xffffu;
  return is_signed<T>() ? static_cast<int>(static_cast<short>(bits)) : static_cast<int>(bits);
}
/// c and the products of the four bytes. A and B are int or unsigned.
template <typename A, typename B>
__device__ __forceinline__ unsigned dp4a(unsigned a, unsigned b, unsigned c) {
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    c += static_cast<unsigned>(byte_of<A>(a, i) * byte_of<B>(b, i));
  }
  return c;
}
#if defined(__gfx906__) || defined(__gfx908__) || defined(__gfx90a__) || defined(__gfx942__)
template <>
__device__ __forceinline__ unsigned dp4a<int, int>(unsigned a, unsigned b, unsigned c) {
  return static_cast<unsigned>(__builtin_amdgcn_sdot4(static_cast<int>(a), static_cast<int>(b),
                                                      static_cast<int>(c), false));
}
#endif
template <typename A, typename B>
__device__ __forceinline__ unsigned dp2a_at(unsigned a, unsigned b, unsigned c, int first) {
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    c += static_cast<unsigned>(half_of<A>(a, i)) * static_cast<unsigned>(byte_of<B>(b, first + i));
  }
  return c;
}
template <typename A, typename B>
__device__ __forceinline__ unsigned dp2a_lo(unsigned a, unsigned b, unsigned c) {
  return dp2a_at<A, B>(a, b, c, 0);
}
template <typename A, typename B>
__device__ __forceinline__ unsigned dp2a_hi(unsigned a, unsigned b, unsigned c) {
  return dp2a_at<A, B>(a, b, c, 2);
}

/// The result of set for a condition: all ones, or 1.0f.
template <typename T>
__device__ __forceinline__ T truth(bool condition) {
  return condition ? static_cast<T>(~static_cast<T>(0)) : static_cast<T>(0);
}
template <>
__device__ __forceinline__ float truth<float>(bool condition) {
  return condition ? 1.0f : 0.0f;
}
__device__ __forceinline__ bool combine_and(bool a, bool b) { return a && b; }
__device__ __forceinline__ bool combine_or(bool a, bool b) { return a || b; }
__device__ __forceinline__ bool combine_xor(bool a, bool b) { return a != b; }

/// setp with two destinations: the condition, and its opposite.
template <typename P, typename Q>
__device__ __forceinline__ void setp(P& d, Q& opposite, bool condition) {
  d = condition;
  opposite = !condition;
}
template <typename P, typename Q>
__device__ __forceinline__ void setp_and(P& d, Q& opposite, bool condition, bool with) {
  d = condition && with;
  opposite = !condition && with;
}
template <typename P, typename Q>
__device__ __forceinline__ void setp_or(P& d, Q& opposite, bool condition, bool with) {
  d = condition || with;
  opposite = !condition || with;
}
template <typename P, typename Q>
__device__ __forceinline__ void setp_xor(P& d, Q& opposite, bool condition, bool with) {
  d = condition != with;
  opposite = condition == with;
}

}  // namespace ptx
}  // namespace rocport

#endif
#endif  // ROCPORT_PTX_INTEGER_H
