// PTX's video instructions: on a word, half or byte of each operand (vadd, vsub, vabsdiff, vmin,
// vmax, vshl, vshr, vmad, vset), and on two or four fields at once (vadd2, vadd4 and so on).
//
// The first kind consists of steps, as in the PTX ISA:
//   part<A>(a, "h1")                    operand with its selector ("" is the whole word)
//   vadd(...), vset_lt(...)             the operation, on numbers that no operation overflows
//   video_sat<D>(..., "b0")             .sat: to the range of D or of the destination's part
//   video_add<D>                        the second operation, with c
//   merge(..., c, "b0")                 the destination's part in c
// The second uses simd<N, D, A, B>, simd_sat and simd_sum, with the operation as a type:
//   simd<2, unsigned, int, int>(VAdd(), a, b, c, "h10")   the mask of the fields that are written;
//                                       the others come from c. "" writes all
//   fields_a<2>(a, b, "h03"), fields_b  operands with their selectors
// There is no translation where the PTX ISA and an NVIDIA GPU differ: minimum and maximum as second
// operations, saturation of some words, the destination h1. Types A, B, D are int for s32 and
// unsigned for u32. fixtures/ptx/integer compares with an NVIDIA GPU.
#ifndef ROCPORT_PTX_VIDEO_H
#define ROCPORT_PTX_VIDEO_H

#include "ptx_integer.h"

#if defined(__HIP__) && defined(__clang__)

namespace rocport {
namespace ptx {

/// b0 to b3, h0, h1 of a word, or all of it, as a number.
template <typename A>
__device__ __forceinline__ long long part(unsigned word, const char* which) {
  if (which[0] == 'b') return byte_of<A>(word, which[1] - '0');
  if (which[0] == 'h') return half_of<A>(word, which[1] - '0');
  return static_cast<A>(word);
}

__device__ __forceinline__ long long within(long long value, long long least, long long most) {
  return value < least ? least : value > most ? most : value;
}
template <typename D>
__device__ __forceinline__ long long within_bits(long long value, int bits) {
  return is_signed<D>() ? within(value, -(1ll << (bits - 1)), (1ll << (bits - 1)) - 1)
                        : within(value, 0, (1ll << bits) - 1);
}

// The operations.
struct VAdd {
  __device__ __forceinline__ long long operator()(long long a, long long b) const { return a + b; }
};
struct VSub {
  __device__ __forceinline__ long long operator()(long long a, long long b) const { return a - b; }
};
/// Rounded away from zero.
struct VAvrg {
  __device__ __forceinline__ long long operator()(long long a, long long b) const {
    return (a + b + (a + b >= 0 ? 1 : 0)) >> 1;
  }
};
struct VAbsdiff {
  __device__ __forceinline__ long long operator()(long long a, long long b) const {
    // not a < b ? b - a : a - b, which clang 19 compiles incorrectly for bytes
    return (a < b ? b : a) - (a < b ? a : b);
  }
};
struct VMin {
  __device__ __forceinline__ long long operator()(long long a, long long b) const {
    return b < a ? b : a;
  }
};
struct VMax {
  __device__ __forceinline__ long long operator()(long long a, long long b) const {
    return a < b ? b : a;
  }
};
#define ROCPORT_VSET(name, op)                                                          \
  struct VSet_##name {                                                                  \
    __device__ __forceinline__ long long operator()(long long a, long long b) const {   \
      return a op b ? 1 : 0;                                                            \
    }                                                                                   \
  };                                                                                    \
  __device__ __forceinline__ long long vset_##name(long long a, long long b) {          \
    return VSet_##name()(a, b);                                                         \
  }
ROCPORT_VSET(eq, ==)
ROCPORT_VSET(ne, !=)
ROCPORT_VSET(lt, <)
ROCPORT_VSET(le, <=)
ROCPORT_VSET(gt, >)
ROCPORT_VSET(ge, >=)
#undef ROCPORT_VSET
__device__ __forceinline__ long long vadd(long long a, long long b) { return VAdd()(a, b); }
__device__ __forceinline__ long long vsub(long long a, long long b) { return VSub()(a, b); }
__device__ __forceinline__ long long vabsdiff(long long a, long long b) { return VAbsdiff()(a, b); }
__device__ __forceinline__ long long vmin(long long a, long long b) { return VMin()(a, b); }
__device__ __forceinline__ long long vmax(long long a, long long b) { return VMax()(a, b); }

/// Counts of 32 or more shift everything out (clamp), or are taken modulo 32 (wrap).
__device__ __forceinline__ long long vshl_wrap(long long a, long long count) {
  return static_cast<long long>(static_cast<unsigned long long>(a) << (count & 31));
}
__device__ __forceinline__ long long vshl_clamp(long long a, long long count) {
  if (count < 32) return vshl_wrap(a, count);
  return a < 0 ? -(1ll << 62) : a > 0 ? 1ll << 62 : 0;
}
__device__ __forceinline__ long long vshr_wrap(long long a, long long count) {
  return a >> (count & 31);
}
__device__ __forceinline__ long long vshr_clamp(long long a, long long count) {
  return a >> (count < 32 ? count : 32);
}

template <typename D>
__device__ __forceinline__ long long video_sat(long long value, const char* which) {
  return within_bits<D>(value, which[0] == 'b' ? 8 : which[0] == 'h' ? 16 : 32);
}
template <typename D>
__device__ __forceinline__ D video_add(long long value, D c) {
  return add<D>(static_cast<D>(value), c);
}
__device__ __forceinline__ unsigned merge(long long value, unsigned c, const char* which) {
  const unsigned bits = which[0] == 'b' ? 0xffu : 0xffffu;
  const int shift = (which[1] - '0') * (which[0] == 'b' ? 8 : 16);
  return (static_cast<unsigned>(value) & bits) << shift | (c & ~(bits << shift));
}

/// a b + c + one, shifted to the right. The sum is signed if an operand is.
template <typename A, typename B>
__device__ __forceinline__ __int128 vmad_exact(long long a, long long b, unsigned c, int shift,
                                               int one) {
  constexpr bool has_sign = is_signed<A>() || is_signed<B>();
  const long long addend = has_sign ? static_cast<long long>(static_cast<int>(c))
                                    : static_cast<long long>(c);
  return (static_cast<__int128>(a) * b + addend + one) >> shift;
}
template <typename A, typename B>
__device__ __forceinline__ unsigned vmad(long long a, long long b, unsigned c, int shift,
                                         int one = 0) {
  return static_cast<unsigned>(vmad_exact<A, B>(a, b, c, shift, one));
}
/// The same for signed operands, within the range of int.
template <typename A, typename B>
__device__ __forceinline__ unsigned vmad_sat(long long a, long long b, unsigned c, int shift,
                                             int one = 0) {
  const __int128 result = vmad_exact<A, B>(a, b, c, shift, one);
  return static_cast<unsigned>(result < lowest<int>()     ? lowest<int>()
                               : result > greatest<int>() ? greatest<int>()
                                                          : static_cast<int>(result));
}

/// Field i of N fields, with its sign if A is signed.
template <int N, typename A>
__device__ __forceinline__ long long field(unsigned word, int i) {
  return N == 2 ? half_of<A>(word, i) : byte_of<A>(word, i);
}
/// Operand a with its selector: digits for its fields, the last for the lowest, of the fields of a
/// and, above them, of b ("h03"). "" is a itself; for operand b it is b itself.
template <int N>
__device__ __forceinline__ unsigned chosen_fields(unsigned a, unsigned b, const char* selector) {
  constexpr int bits = 32 / N;
  unsigned result = 0;
#pragma unroll
  for (int i = 0; i < N; ++i) {
    const int which = selector[N - i] - '0';
    const unsigned from = which < N ? a : b;
    result |= (from >> (which % N * bits) & ((1u << bits) - 1u)) << (i * bits);
  }
  return result;
}
template <int N>
__device__ __forceinline__ unsigned fields_a(unsigned a, unsigned b, const char* selector) {
  return selector[0] == '\0' ? a : chosen_fields<N>(a, b, selector);
}
template <int N>
__device__ __forceinline__ unsigned fields_b(unsigned a, unsigned b, const char* selector) {
  return selector[0] == '\0' ? b : chosen_fields<N>(a, b, selector);
}
/// Whether the digits of a mask such as "h10" or "b3" name field i; "" names all.
__device__ __forceinline__ bool is_in(int i, const char* mask) {
  if (mask[0] == '\0') return true;
  for (const char* c = mask + 1; *c != '\0'; ++c) {
    if (*c - '0' == i) return true;
  }
  return false;
}
template <int N, typename A, typename B, typename Op, typename Each>
__device__ __forceinline__ unsigned simd_fields(Op op, unsigned a, unsigned b, unsigned c,
                                                const char* mask, Each each) {
  constexpr unsigned bits = N == 2 ? 0xffffu : 0xffu;
  unsigned result = 0;
#pragma unroll
  for (int i = 0; i < N; ++i) {
    const int shift = i * (32 / N);
    const long long value = is_in(i, mask) ? each(op(field<N, A>(a, i), field<N, B>(b, i)))
                                           : static_cast<long long>(c >> shift);
    result |= (static_cast<unsigned>(value) & bits) << shift;
  }
  return result;
}
template <int N, typename D, typename A, typename B, typename Op>
__device__ __forceinline__ unsigned simd(Op op, unsigned a, unsigned b, unsigned c,
                                         const char* mask) {
  return simd_fields<N, A, B>(op, a, b, c, mask, [](long long value) { return value; });
}
template <int N, typename D, typename A, typename B, typename Op>
__device__ __forceinline__ unsigned simd_sat(Op op, unsigned a, unsigned b, unsigned c,
                                             const char* mask) {
  return simd_fields<N, A, B>(op, a, b, c, mask,
                              [](long long value) { return within_bits<D>(value, 32 / N); });
}
/// c and the sum of the fields' results.
template <int N, typename D, typename A, typename B, typename Op>
__device__ __forceinline__ unsigned simd_sum(Op op, unsigned a, unsigned b, unsigned c,
                                             const char* mask) {
#pragma unroll
  for (int i = 0; i < N; ++i) {
    if (is_in(i, mask)) c += static_cast<unsigned>(op(field<N, A>(a, i), field<N, B>(b, i)));
  }
  return c;
}

}  // namespace ptx
}  // namespace rocport

#endif
#endif  // ROCPORT_PTX_VIDEO_H
