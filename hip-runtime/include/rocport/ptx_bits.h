// PTX's instructions on bits: rocport::ptx::bfe for bfe and so on. T is the C++ type of the
// instruction's type, int for s32.
//
//   shl, shr                        counts beyond the width give 0, or the sign (C++: undefined)
//   shf_l_wrap, shf_l_clamp, shf_r_wrap, shf_r_clamp   32 bits of a number of 64, shifted
//   lop3, lop3_and, lop3_or         any function of three bits
//   bfe, bfi, bmsk_clamp, bmsk_wrap, szext_clamp, szext_wrap   fields; positions and lengths may
//                                   exceed the word
//   bfind, bfind_shiftamt, clz, popc, brev, fns, cnot   searches and counts
//   pack                            mov of a vector of registers to one
//   prmt, prmt_f4e, prmt_b4e, prmt_rc8, prmt_ecl, prmt_ecr, prmt_rc16   bytes of two words
//
// Definitions follow the PTX ISA's chapters on integer arithmetic, and logic and
// shifts; fixtures/ptx/integer compares them with an NVIDIA GPU.
#ifndef ROCPORT_PTX_BITS_H
#define ROCPORT_PTX_BITS_H

#include "ptx_integer.h"

#if defined(__HIP__) && defined(__clang__)

namespace rocport {
namespace ptx {

template <typename T>
__device__ __forceinline__ T shl(T a, unsigned count) {
  return count < 8 * sizeof(T) ? static_cast<T>(static_cast<Modular<T>>(a) << count)
                               : static_cast<T>(0);
}
template <typename T>
__device__ __forceinline__ T shr(T a, unsigned count) {
  constexpr unsigned last = 8 * sizeof(T) - 1;
  if (is_signed<T>()) return static_cast<T>(a >> (count < last ? count : last));
  return count <= last ? static_cast<T>(a >> count) : static_cast<T>(0);
}

/// The upper word of high:low shifted to the left by 0 to 31 (wrap) or 0 to 32 (clamp).
__device__ __forceinline__ unsigned shf_l_wrap(unsigned low, unsigned high, unsigned count) {
  return high << (count & 31u) | low >> 1 >> (~count & 31u);
}
__device__ __forceinline__ unsigned shf_l_clamp(unsigned low, unsigned high, unsigned count) {
  return count < 32u ? shf_l_wrap(low, high, count) : low;
}
/// The lower word of high:low shifted to the right.
__device__ __forceinline__ unsigned shf_r_wrap(unsigned low, unsigned high, unsigned count) {
  return __builtin_amdgcn_alignbit(high, low, count & 31u);
}
__device__ __forceinline__ unsigned shf_r_clamp(unsigned low, unsigned high, unsigned count) {
  return count < 32u ? shf_r_wrap(low, high, count) : high;
}

/// Four bits of a table, one for each pair of bits of b and c.
__device__ __forceinline__ unsigned lop2(unsigned b, unsigned c, unsigned table) {
  switch (table & 15u) {
    case 0: return 0u;
    case 1: return ~(b | c);
    case 2: return ~b & c;
    case 3: return ~b;
    case 4: return b & ~c;
    case 5: return ~c;
    case 6: return b ^ c;
    case 7: return ~(b & c);
    case 8: return b & c;
    case 9: return ~(b ^ c);
    case 10: return c;
    case 11: return ~b | c;
    case 12: return b;
    case 13: return b | ~c;
    case 14: return b | c;
    default: return 0xffffffffu;
  }
}
/// Bit i of the result is bit 4 a + 2 b + c of the table, of the bits i of a, b and c.
__device__ __forceinline__ unsigned lop3(unsigned a, unsigned b, unsigned c, unsigned table) {
  return (a & lop2(b, c, table >> 4)) | (~a & lop2(b, c, table));
}
/// Returns whether the result has a bit set, combined with a predicate.
template <typename D>
__device__ __forceinline__ bool lop3_or(D& d, unsigned a, unsigned b, unsigned c, unsigned table,
                                        bool with) {
  const unsigned result = lop3(a, b, c, table);
  d = static_cast<D>(result);
  return result != 0u || with;
}
template <typename D>
__device__ __forceinline__ bool lop3_and(D& d, unsigned a, unsigned b, unsigned c, unsigned table,
                                         bool with) {
  const unsigned result = lop3(a, b, c, table);
  d = static_cast<D>(result);
  return result != 0u && with;
}

/// length bits from position on, zero-extended, or extended by the highest bit of the field (of the
/// word, if the field exceeds it).
template <typename T>
__device__ __forceinline__ T bfe(T a, unsigned position, unsigned length) {
  constexpr unsigned width = 8 * sizeof(T);
  position &= 0xffu;
  length &= 0xffu;
  if (length == 0u) return static_cast<T>(0);
  const T above = shr<T>(a, position);
  if (length >= width || position + length >= width) return above;
  const unsigned rest = width - length;
  return shr<T>(shl<T>(above, rest), rest);
}
/// b with length bits of a from position on; T is unsigned or unsigned long long.
template <typename T>
__device__ __forceinline__ T bfi(T a, T b, unsigned position, unsigned length) {
  constexpr unsigned width = 8 * sizeof(T);
  position &= 0xffu;
  length &= 0xffu;
  const T field = length < width ? static_cast<T>(shl<T>(1, length) - 1u) : static_cast<T>(~T(0));
  const T mask = shl<T>(field, position);
  return (b & ~mask) | (shl<T>(a, position) & mask);
}

/// length bits set from position on.
__device__ __forceinline__ unsigned bmsk_wrap(unsigned position, unsigned length) {
  position &= 31u;
  length &= 31u;
  return ((1u << length) - 1u) << position;
}
__device__ __forceinline__ unsigned bmsk_clamp(unsigned position, unsigned length) {
  if (position > 31u) return 0u;
  return (length > 31u ? 0xffffffffu : (1u << length) - 1u) << position;
}

/// The lower bits of a, extended.
template <typename T>
__device__ __forceinline__ T szext_wrap(T a, unsigned bits) {
  bits &= 31u;
  if (bits == 0u) return static_cast<T>(0);
  return static_cast<T>(static_cast<T>(static_cast<unsigned>(a) << (32u - bits)) >> (32u - bits));
}
template <typename T>
__device__ __forceinline__ T szext_clamp(T a, unsigned bits) {
  return bits > 31u ? a : szext_wrap<T>(a, bits);
}

// Of 32 or 64 bits: T is unsigned or unsigned long long.
template <typename T>
__device__ __forceinline__ unsigned clz(T a) {
  if (a == static_cast<T>(0)) return 8u * sizeof(T);
  return static_cast<unsigned>(sizeof(T) == 8 ? __builtin_clzll(a)
                                              : __builtin_clz(static_cast<unsigned>(a)));
}
template <typename T>
__device__ __forceinline__ unsigned popc(T a) {
  return static_cast<unsigned>(__builtin_popcountll(a));
}
template <typename T>
__device__ __forceinline__ T brev(T a) {
  return static_cast<T>(__builtin_bitreverse64(a) >> (64u - 8u * sizeof(T)));
}
template <typename T>
__device__ __forceinline__ T cnot(T a) {
  return a == static_cast<T>(0) ? static_cast<T>(1) : static_cast<T>(0);
}

/// Position of the highest bit set, or of the highest that differs from the sign; all ones if there
/// is none.
template <typename T>
__device__ __forceinline__ unsigned bfind(T a) {
  const Modular<T> bits = static_cast<Modular<T>>(is_signed<T>() && a < static_cast<T>(0) ? ~a : a);
  return 8u * sizeof(T) - 1u - clz<Modular<T>>(bits);
}
/// The left shift that makes that bit the highest; all ones if there is none.
template <typename T>
__device__ __forceinline__ unsigned bfind_shiftamt(T a) {
  const unsigned position = bfind<T>(a);
  return position == 0xffffffffu ? position : 8u * sizeof(T) - 1u - position;
}

/// Position of the offset-th bit set from base on, downwards if it is negative; for offset 0 base
/// itself, if that bit is set. All ones if there is none.
__device__ __forceinline__ unsigned fns(unsigned bits, unsigned base, int offset) {
  constexpr unsigned none = 0xffffffffu;
  if (base > 31u) return none;
  if (offset == 0) return (bits >> base & 1u) != 0u ? base : none;
  if (offset > 0) {
    unsigned left = bits >> base << base;
    for (; offset > 1 && left != 0u; --offset) left &= left - 1u;
    return left != 0u ? static_cast<unsigned>(__builtin_ctz(left)) : none;
  }
  unsigned left = bits & 0xffffffffu >> (31u - base);
  for (; offset < -1 && left != 0u; ++offset) left ^= 1u << (31 - __builtin_clz(left));
  return left != 0u ? static_cast<unsigned>(31 - __builtin_clz(left)) : none;
}

/// Each byte of the result by four bits of the selector: byte 0-3 of a, 4-7 of b; with 8, its sign
/// in all bits.
__device__ __forceinline__ unsigned prmt(unsigned a, unsigned b, unsigned selector) {
  // v_perm_b32 takes eight bits a byte and b as the lower word
  unsigned bytes = selector & 0x7u;
  bytes |= (selector & 0x70u) << 4;
  bytes |= (selector & 0x700u) << 8;
  bytes |= (selector & 0x7000u) << 12;
  const unsigned picked = __builtin_amdgcn_perm(b, a, bytes);
  unsigned signs = selector >> 3 & 1u;
  signs |= (selector >> 7 & 1u) << 8;
  signs |= (selector >> 11 & 1u) << 16;
  signs |= (selector >> 15 & 1u) << 24;
  const unsigned replaced = (signs << 8) - signs;
  const unsigned set = picked >> 7 & 0x01010101u;
  return (picked & ~replaced) | (((set << 8) - set) & replaced);
}
// The modes, which take two bits of the selector.
__device__ __forceinline__ unsigned prmt_f4e(unsigned a, unsigned b, unsigned selector) {
  return shf_r_wrap(a, b, 8u * (selector & 3u));
}
__device__ __forceinline__ unsigned prmt_b4e(unsigned a, unsigned b, unsigned selector) {
  constexpr unsigned long long table = 0x0123701267015670ull;
  return prmt(a, b, static_cast<unsigned>(table >> (16u * (selector & 3u))) & 0xffffu);
}
__device__ __forceinline__ unsigned prmt_rc8(unsigned a, unsigned b, unsigned selector) {
  (void)b;
  return (a >> (8u * (selector & 3u)) & 0xffu) * 0x01010101u;
}
__device__ __forceinline__ unsigned prmt_ecl(unsigned a, unsigned b, unsigned selector) {
  constexpr unsigned long long table = 0x3333322232113210ull;
  return prmt(a, b, static_cast<unsigned>(table >> (16u * (selector & 3u))) & 0xffffu);
}
__device__ __forceinline__ unsigned prmt_ecr(unsigned a, unsigned b, unsigned selector) {
  constexpr unsigned long long table = 0x3210221011100000ull;
  return prmt(a, b, static_cast<unsigned>(table >> (16u * (selector & 3u))) & 0xffffu);
}
__device__ __forceinline__ unsigned prmt_rc16(unsigned a, unsigned b, unsigned selector) {
  (void)b;
  return (a >> (16u * (selector & 1u)) & 0xffffu) * 0x00010001u;
}

/// Two or four numbers packed together, the first lowest.
template <typename To, typename Part>
__device__ __forceinline__ To pack(Part p0, Part p1) {
  return static_cast<To>(p0 | static_cast<To>(p1) << (8 * sizeof(Part)));
}
template <typename To, typename Part>
__device__ __forceinline__ To pack(Part p0, Part p1, Part p2, Part p3) {
  constexpr int bits = 8 * sizeof(Part);
  return static_cast<To>(p0 | static_cast<To>(p1) << bits | static_cast<To>(p2) << 2 * bits |
                         static_cast<To>(p3) << 3 * bits);
}

}  // namespace ptx
}  // namespace rocport

#endif
#endif  // ROCPORT_PTX_BITS_H
