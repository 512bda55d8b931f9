// CUDA's SIMD-in-a-word and three-operand integer functions, which HIP lacks: rocport::vadd4 for
// __vadd4 and so on, without the leading underscores.
//
// v{add,sub}{,ss,us}{2,4} vabs, vabsss, vneg, vnegss, vabsdiff{s,u}, vavg{s,u}, vhaddu, vmax{s,u},
// vmin{s,u}, vsad{s,u}, vcmpOP, vset OP (eq ne ges geu gts gtu les leu lts ltu), each with 2 and 4;
// viaddmax, viaddmin, vimax3, vimin3, vimax, vimin, vibmax, vibmin with _s32, _u32, _s16x2, _u16x2
// and _relu; dp4a, dp2a_lo, dp2a_hi.
// Definitions follow the SIMD intrinsics and integer intrinsics chapters of the CUDA Math API: fields
// are independent, results wrap unless the name says ss or us (saturating), comparisons give all
// ones (vcmp) or one (vset). hip-runtime/checks/device-functions compares them with an NVIDIA GPU.
#ifndef ROCPORT_SIMD_FUNCTIONS_H
#define ROCPORT_SIMD_FUNCTIONS_H

#if defined(__HIP__) || defined(__CUDACC__)
#ifndef ROCPORT_HD
#define ROCPORT_HD __host__ __device__ inline
#endif
#elif !defined(ROCPORT_HD)
#define ROCPORT_HD inline
#endif

namespace rocport {
namespace simd {

/// Field i of Fields equal fields of a word, as an unsigned or a signed number.
template <int Fields>
ROCPORT_HD int unsigned_field(unsigned word, int i) {
  return static_cast<int>(word >> i * (32 / Fields) & (Fields == 2 ? 0xffffu : 0xffu));
}
template <int Fields>
ROCPORT_HD int signed_field(unsigned word, int i) {
  const int value = unsigned_field<Fields>(word, i);
  const int sign = Fields == 2 ? 0x8000 : 0x80;
  return (value ^ sign) - sign;
}

template <int Fields>
ROCPORT_HD unsigned placed(int value, int i) {
  return (static_cast<unsigned>(value) & (Fields == 2 ? 0xffffu : 0xffu)) << i * (32 / Fields);
}

ROCPORT_HD int clamp(int value, int least, int most) {
  return value < least ? least : value > most ? most : value;
}
template <int Fields>
ROCPORT_HD int saturated_signed(int value) {
  return Fields == 2 ? clamp(value, -32768, 32767) : clamp(value, -128, 127);
}
template <int Fields>
ROCPORT_HD int saturated_unsigned(int value) {
  return clamp(value, 0, Fields == 2 ? 65535 : 255);
}
ROCPORT_HD int magnitude(int value) { return value < 0 ? -value : value; }
ROCPORT_HD int larger(int a, int b) { return a > b ? a : b; }
ROCPORT_HD int smaller(int a, int b) { return a < b ? a : b; }
ROCPORT_HD int wrapping_add(int a, int b) {
  return static_cast<int>(static_cast<unsigned>(a) + static_cast<unsigned>(b));
}

}  // namespace simd

// One function for two and one for four fields; sa, sb, ua, ub are the fields of the operands and
// N is their number.
#define ROCPORT_FIELDS_1(name, expression)                              \
  template <int N>                                                      \
  ROCPORT_HD unsigned name##_n(unsigned a) {                            \
    unsigned result = 0;                                                \
    for (int i = 0; i < N; ++i) {                                       \
      const int sa = simd::signed_field<N>(a, i);                       \
      result |= simd::placed<N>(expression, i);                         \
    }                                                                   \
    return result;                                                      \
  }                                                                     \
  ROCPORT_HD unsigned name##2(unsigned a) { return name##_n<2>(a); }    \
  ROCPORT_HD unsigned name##4(unsigned a) { return name##_n<4>(a); }
#define ROCPORT_FIELDS_2(name, expression, combine)                                     \
  template <int N>                                                                      \
  ROCPORT_HD unsigned name##_n(unsigned a, unsigned b) {                                \
    unsigned result = 0;                                                                \
    for (int i = 0; i < N; ++i) {                                                       \
      const int sa = simd::signed_field<N>(a, i), sb = simd::signed_field<N>(b, i);     \
      const int ua = simd::unsigned_field<N>(a, i), ub = simd::unsigned_field<N>(b, i); \
      (void)sa, (void)sb, (void)ua, (void)ub;                                           \
      result combine;                                                                   \
    }                                                                                   \
    return result;                                                                      \
  }                                                                                     \
  ROCPORT_HD unsigned name##2(unsigned a, unsigned b) { return name##_n<2>(a, b); }     \
  ROCPORT_HD unsigned name##4(unsigned a, unsigned b) { return name##_n<4>(a, b); }
#define ROCPORT_EACH(name, expression) \
  ROCPORT_FIELDS_2(name, expression, |= simd::placed<N>(expression, i))
#define ROCPORT_SUM(name, expression) \
  ROCPORT_FIELDS_2(name, expression, += static_cast<unsigned>(expression))
#define ROCPORT_COMPARE(name, condition)            \
  ROCPORT_EACH(vcmp##name, (condition) ? -1 : 0)    \
  ROCPORT_EACH(vset##name, (condition) ? 1 : 0)

ROCPORT_FIELDS_1(vabs, simd::magnitude(sa))
ROCPORT_FIELDS_1(vabsss, simd::saturated_signed<N>(simd::magnitude(sa)))
ROCPORT_FIELDS_1(vneg, -sa)
ROCPORT_FIELDS_1(vnegss, simd::saturated_signed<N>(-sa))
ROCPORT_EACH(vadd, ua + ub)
ROCPORT_EACH(vaddss, simd::saturated_signed<N>(sa + sb))
ROCPORT_EACH(vaddus, simd::saturated_unsigned<N>(ua + ub))
ROCPORT_EACH(vsub, ua - ub)
ROCPORT_EACH(vsubss, simd::saturated_signed<N>(sa - sb))
ROCPORT_EACH(vsubus, simd::saturated_unsigned<N>(ua - ub))
ROCPORT_EACH(vavgs, (sa + sb + (sa + sb >= 0 ? 1 : 0)) >> 1)
ROCPORT_EACH(vavgu, (ua + ub + 1) >> 1)
ROCPORT_EACH(vhaddu, (ua + ub) >> 1)
ROCPORT_EACH(vabsdiffs, simd::magnitude(sa - sb))
ROCPORT_EACH(vabsdiffu, simd::magnitude(ua - ub))
ROCPORT_EACH(vmaxs, simd::larger(sa, sb))
ROCPORT_EACH(vmaxu, simd::larger(ua, ub))
ROCPORT_EACH(vmins, simd::smaller(sa, sb))
ROCPORT_EACH(vminu, simd::smaller(ua, ub))
ROCPORT_SUM(vsads, simd::magnitude(sa - sb))
ROCPORT_SUM(vsadu, simd::magnitude(ua - ub))
ROCPORT_COMPARE(eq, ua == ub)
ROCPORT_COMPARE(ne, ua != ub)
ROCPORT_COMPARE(ges, sa >= sb)
ROCPORT_COMPARE(geu, ua >= ub)
ROCPORT_COMPARE(gts, sa > sb)
ROCPORT_COMPARE(gtu, ua > ub)
ROCPORT_COMPARE(les, sa <= sb)
ROCPORT_COMPARE(leu, ua <= ub)
ROCPORT_COMPARE(lts, sa < sb)
ROCPORT_COMPARE(ltu, ua < ub)

#undef ROCPORT_COMPARE
#undef ROCPORT_SUM
#undef ROCPORT_EACH
#undef ROCPORT_FIELDS_2
#undef ROCPORT_FIELDS_1

// Maximum and minimum of two, three, or of a sum and one; relu means at least zero.
ROCPORT_HD int vimax_s32_relu(int a, int b) { return simd::larger(simd::larger(a, b), 0); }
ROCPORT_HD int vimin_s32_relu(int a, int b) { return simd::larger(simd::smaller(a, b), 0); }
ROCPORT_HD int vimax3_s32(int a, int b, int c) { return simd::larger(simd::larger(a, b), c); }
ROCPORT_HD int vimin3_s32(int a, int b, int c) { return simd::smaller(simd::smaller(a, b), c); }
ROCPORT_HD int vimax3_s32_relu(int a, int b, int c) { return simd::larger(vimax3_s32(a, b, c), 0); }
ROCPORT_HD int vimin3_s32_relu(int a, int b, int c) { return simd::larger(vimin3_s32(a, b, c), 0); }
ROCPORT_HD int viaddmax_s32(int a, int b, int c) {
  return simd::larger(simd::wrapping_add(a, b), c);
}
ROCPORT_HD int viaddmin_s32(int a, int b, int c) {
  return simd::smaller(simd::wrapping_add(a, b), c);
}
ROCPORT_HD int viaddmax_s32_relu(int a, int b, int c) {
  return simd::larger(viaddmax_s32(a, b, c), 0);
}
ROCPORT_HD int viaddmin_s32_relu(int a, int b, int c) {
  return simd::larger(viaddmin_s32(a, b, c), 0);
}
ROCPORT_HD unsigned vimax3_u32(unsigned a, unsigned b, unsigned c) {
  const unsigned d = a > b ? a : b;
  return d > c ? d : c;
}
ROCPORT_HD unsigned vimin3_u32(unsigned a, unsigned b, unsigned c) {
  const unsigned d = a < b ? a : b;
  return d < c ? d : c;
}
ROCPORT_HD unsigned viaddmax_u32(unsigned a, unsigned b, unsigned c) {
  return a + b > c ? a + b : c;
}
ROCPORT_HD unsigned viaddmin_u32(unsigned a, unsigned b, unsigned c) {
  return a + b < c ? a + b : c;
}
ROCPORT_HD unsigned vimax_s16x2_relu(unsigned a, unsigned b) { return vmaxs2(vmaxs2(a, b), 0); }
ROCPORT_HD unsigned vimin_s16x2_relu(unsigned a, unsigned b) { return vmaxs2(vmins2(a, b), 0); }
ROCPORT_HD unsigned vimax3_s16x2(unsigned a, unsigned b, unsigned c) {
  return vmaxs2(vmaxs2(a, b), c);
}
ROCPORT_HD unsigned vimin3_s16x2(unsigned a, unsigned b, unsigned c) {
  return vmins2(vmins2(a, b), c);
}
ROCPORT_HD unsigned vimax3_s16x2_relu(unsigned a, unsigned b, unsigned c) {
  return vmaxs2(vimax3_s16x2(a, b, c), 0);
}
ROCPORT_HD unsigned vimin3_s16x2_relu(unsigned a, unsigned b, unsigned c) {
  return vmaxs2(vimin3_s16x2(a, b, c), 0);
}
ROCPORT_HD unsigned vimax3_u16x2(unsigned a, unsigned b, unsigned c) {
  return vmaxu2(vmaxu2(a, b), c);
}
ROCPORT_HD unsigned vimin3_u16x2(unsigned a, unsigned b, unsigned c) {
  return vminu2(vminu2(a, b), c);
}
ROCPORT_HD unsigned viaddmax_s16x2(unsigned a, unsigned b, unsigned c) {
  return vmaxs2(vadd2(a, b), c);
}
ROCPORT_HD unsigned viaddmin_s16x2(unsigned a, unsigned b, unsigned c) {
  return vmins2(vadd2(a, b), c);
}
ROCPORT_HD unsigned viaddmax_s16x2_relu(unsigned a, unsigned b, unsigned c) {
  return vmaxs2(viaddmax_s16x2(a, b, c), 0);
}
ROCPORT_HD unsigned viaddmin_s16x2_relu(unsigned a, unsigned b, unsigned c) {
  return vmaxs2(viaddmin_s16x2(a, b, c), 0);
}
ROCPORT_HD unsigned viaddmax_u16x2(unsigned a, unsigned b, unsigned c) {
  return vmaxu2(vadd2(a, b), c);
}
ROCPORT_HD unsigned viaddmin_u16x2(unsigned a, unsigned b, unsigned c) {
  return vminu2(vadd2(a, b), c);
}

// With a flag that says whether the first operand was selected.
ROCPORT_HD int vibmax_s32(int a, int b, bool* first) { return (*first = a >= b) ? a : b; }
ROCPORT_HD int vibmin_s32(int a, int b, bool* first) { return (*first = a <= b) ? a : b; }
ROCPORT_HD unsigned vibmax_u32(unsigned a, unsigned b, bool* first) {
  return (*first = a >= b) ? a : b;
}
ROCPORT_HD unsigned vibmin_u32(unsigned a, unsigned b, bool* first) {
  return (*first = a <= b) ? a : b;
}
ROCPORT_HD unsigned vibmax_s16x2(unsigned a, unsigned b, bool* high, bool* low) {
  const unsigned first = vsetges2(a, b);
  *high = first >> 16 != 0;
  *low = (first & 1u) != 0;
  return vmaxs2(a, b);
}
ROCPORT_HD unsigned vibmin_s16x2(unsigned a, unsigned b, bool* high, bool* low) {
  const unsigned first = vsetles2(a, b);
  *high = first >> 16 != 0;
  *low = (first & 1u) != 0;
  return vmins2(a, b);
}
ROCPORT_HD unsigned vibmax_u16x2(unsigned a, unsigned b, bool* high, bool* low) {
  const unsigned first = vsetgeu2(a, b);
  *high = first >> 16 != 0;
  *low = (first & 1u) != 0;
  return vmaxu2(a, b);
}
ROCPORT_HD unsigned vibmin_u16x2(unsigned a, unsigned b, bool* high, bool* low) {
  const unsigned first = vsetleu2(a, b);
  *high = first >> 16 != 0;
  *low = (first & 1u) != 0;
  return vminu2(a, b);
}

// Dot products of four bytes, or of two half words with the low or high two bytes, plus c.
ROCPORT_HD int dp4a(int a, int b, int c) {
  unsigned sum = static_cast<unsigned>(c);
  for (int i = 0; i < 4; ++i) {
    sum += static_cast<unsigned>(simd::signed_field<4>(static_cast<unsigned>(a), i) *
                                 simd::signed_field<4>(static_cast<unsigned>(b), i));
  }
  return static_cast<int>(sum);
}
ROCPORT_HD unsigned dp4a(unsigned a, unsigned b, unsigned c) {
  for (int i = 0; i < 4; ++i) {
    c += static_cast<unsigned>(simd::unsigned_field<4>(a, i) * simd::unsigned_field<4>(b, i));
  }
  return c;
}
namespace simd {
ROCPORT_HD int dp2a(int a, int b, int c, int from) {
  unsigned sum = static_cast<unsigned>(c);
  for (int i = 0; i < 2; ++i) {
    sum += static_cast<unsigned>(signed_field<2>(static_cast<unsigned>(a), i) *
                                 signed_field<4>(static_cast<unsigned>(b), from + i));
  }
  return static_cast<int>(sum);
}
ROCPORT_HD unsigned dp2a(unsigned a, unsigned b, unsigned c, int from) {
  for (int i = 0; i < 2; ++i) {
    c += static_cast<unsigned>(unsigned_field<2>(a, i) * unsigned_field<4>(b, from + i));
  }
  return c;
}
}  // namespace simd
ROCPORT_HD int dp2a_lo(int a, int b, int c) { return simd::dp2a(a, b, c, 0); }
ROCPORT_HD int dp2a_hi(int a, int b, int c) { return simd::dp2a(a, b, c, 2); }
ROCPORT_HD unsigned dp2a_lo(unsigned a, unsigned b, unsigned c) { return simd::dp2a(a, b, c, 0); }
ROCPORT_HD unsigned dp2a_hi(unsigned a, unsigned b, unsigned c) { return simd::dp2a(a, b, c, 2); }

}  // namespace rocport

#endif  // ROCPORT_SIMD_FUNCTIONS_H
