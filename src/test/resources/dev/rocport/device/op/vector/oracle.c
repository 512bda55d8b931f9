// What vector instructions compute, written anew from AMD's CDNA3 ISA manual, for OracleTest.
//   cc -O1 -ffp-contract=off -frounding-math oracle.c -lm -o oracle && ./oracle > oracle.tsv
//   ./oracle NAME            prints every case of one opcode
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef uint64_t u64; typedef int64_t i64; typedef uint32_t u32; typedef int32_t i32;
typedef uint16_t u16; typedef int16_t i16; typedef unsigned __int128 u128; typedef __int128 i128;
typedef _Float16 f16;

enum { CASES = 4096 };
static u64 state;
static u64 next(void) { // splitmix64
  u64 z = state += 0x9e3779b97f4a7c15ull;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ z >> 27) * 0x94d049bb133111ebull;
  return z ^ z >> 31;
}
static const u32 corners[] = {0, 1, 0xffffffff, 2, 31, 32, 63, 64, 0x7fffffff, 0x80000000, 0x7f800000, 0xff800000,
  0x7fc00000, 0x7f800001, 0xffc12345, 0x00000fff, 0x807fffff, 0x00800000, 0x3f800000, 0xbf800000, 0x7f7fffff,
  0xffff, 0x8000, 0x7c00, 0xfc00, 0x7e00, 0x3c00, 0x7ff00000, 0xfff00000, 0x3ff00000, 0x4f000000, 0xcf000000};
static const u16 halves[] = {0, 0x8000, 1, 0x8001, 0x3ff, 0x400, 0x3c00, 0xbc00, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00,
  0xfe01, 0xffff, 0x7fff};
static u64 operand(void) {
  u64 r = next();
  u64 x = next();
  switch (r & 3) {
    case 0: return x;
    case 1: return (u64)corners[x & 31] << 32 | corners[x >> 8 & 31];
    case 2: return (x & 0x800fffff807fffffull) | (u64)(1016 + (r >> 8) % 15) << 52 | (u64)(120 + (r >> 16) % 15) << 23;
    default: return (u64)halves[x & 15] << 48 | (u64)halves[x >> 4 & 15] << 32 | (u64)halves[x >> 8 & 15] << 16 | halves[x >> 12 & 15];
  }
}

static u64 a, b, c; static int m;
static u64 r; static int t;
static u32 ua, ub, uc; static i32 ia, ib, ic; static float fa, fb, fc; static double da, db, dc; static f16 ha, hb, hc;
static i16 sa, sb, sc; static u16 wa, wb, wc;
static f16 asf16(u64 x) { u16 y = x; f16 f; memcpy(&f, &y, 2); return f; }
static void kin(void) { // often the second source is the first, or its negation, or near it
  u64 k = next();
  switch (k & 15) { case 0: b = a; break; case 1: b = a ^ 0x8000800080008000ull; break; case 2: b = a + (k >> 4 & 3) - 1; break; case 3: c = a; break; default: break; }
}
static float asf(u64 x) { u32 y = x; float f; memcpy(&f, &y, 4); return f; }
static double asd(u64 x) { double f; memcpy(&f, &x, 8); return f; }
static u64 bitsf(float f) { u32 y; memcpy(&y, &f, 4); return y; }
static u64 bitsd(double f) { u64 y; memcpy(&y, &f, 8); return y; }
static u64 bitsh(f16 f) { u16 y; memcpy(&y, &f, 2); return y; }
static float ftz(float x) { return fabsf(x) < 0x1p-126f ? copysignf(0, x) : x; }
static u64 canonf(u64 x) { return (x & 0x7fffffff) > 0x7f800000 ? 0x7fc00000 : x; }
static u64 canonh(u64 x) { return (x & 0x7fff) > 0x7c00 ? 0x7e00 : x; }
static u64 canond(u64 x) { return (x & 0x7fffffffffffffffull) > 0x7ff0000000000000ull ? 0x7ff8000000000000ull : x; }
static i64 limit(i64 x, i64 lo, i64 hi) { return x < lo ? lo : x > hi ? hi : x; }
static int snan32(u32 x) { return (x & 0x7fffffff) > 0x7f800000 && !(x & 0x400000); }
static int snan64(u64 x) { return (x & 0x7fffffffffffffffull) > 0x7ff0000000000000ull && !(x >> 51 & 1); }
static int snan16(u64 x) { return (x & 0x7fff) > 0x7c00 && !(x & 0x200); }
// Total order of numbers as integers: -0 below +0.
static i64 key(double x) { i64 k; memcpy(&k, &x, 8); return k < 0 ? -1 - (i64)((u64)k << 1 >> 1) : k; }
static double least(double x, double y, int s) {
  if (s) return NAN;
  if (isnan(x)) return y;
  if (isnan(y)) return x;
  return key(x) < key(y) ? x : y;
}
static double most(double x, double y, int s) {
  if (s) return NAN;
  if (isnan(x)) return y;
  if (isnan(y)) return x;
  return key(x) > key(y) ? x : y;
}
static double med(double x, double y, double z, int sxy, int sz) {
  if (isnan(x) || isnan(y) || isnan(z)) return least(least(x, y, sxy), z, sz);
  double v[3] = {x, y, z};
  for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) if (key(v[j]) > key(v[j + 1])) { double k = v[j]; v[j] = v[j + 1]; v[j + 1] = k; }
  return v[1];
}
static i64 mid(i64 x, i64 y, i64 z) { i64 lo = x < y ? x : y, hi = x < y ? y : x; return z < lo ? lo : z > hi ? hi : z; }
static u64 field(u64 x, int at, int n) { return x >> at & ((1ull << n) - 1); }
static i64 sfield(u64 x, int at, int n) { i64 v = field(x, at, n); return v >> (n - 1) ? v - (1ll << n) : v; }
static i64 dot(int n, int sign) {
  i64 s = 0;
  for (int i = 0; i < 32; i += n) s += sign ? sfield(a, i, n) * sfield(b, i, n) : (i64)(field(a, i, n) * field(b, i, n));
  return s;
}
static u64 sad(u64 x, u64 y, int masked) {
  u64 s = 0;
  for (int i = 0; i < 4; i++) {
    int p = x >> 8 * i & 255, q = y >> 8 * i & 255;
    if (!masked || q) s += p > q ? p - q : q - p;
  }
  return s;
}
static u64 qsad(int masked) {
  u64 d = 0;
  for (int i = 0; i < 4; i++) d |= (u64)(u16)(sad(field(a, 8 * i, 32), ub, masked) + (u16)(c >> 16 * i)) << 16 * i;
  return d;
}
static u64 perm(void) {
  u64 d = 0, in = (u64)ua << 32 | ub;
  for (int i = 0; i < 4; i++) {
    int s = uc >> 8 * i & 255;
    static const int signs[] = {15, 31, 47, 63};
    u64 v = s >= 13 ? 255 : s == 12 ? 0 : s >= 8 ? (in >> signs[s - 8] & 1 ? 255 : 0) : in >> 8 * s & 255;
    d |= v << 8 * i;
  }
  return d;
}
static double turns(double x, int cosine) {
  if (isinf(x) || isnan(x)) return NAN;
  if (fabs(x) > 256) return cosine;
  long double y = fmodl(x, 1), q = roundl(y * 4), z = (y - q / 4) * 2 * 3.14159265358979323846264338327950288L;
  int k = ((int)q + cosine) & 3;
  if (k == 0) return x == 0 ? x : sinl(z) == 0 ? 0.0 : (double)sinl(z);
  return k == 1 ? cosl(z) : k == 2 ? 0.0 - (double)sinl(z) : -cosl(z);
}
static int cls(int neg, int nan, int quiet, int inf, int zero, int den) {
  if (nan) return quiet ? 1 : 0;
  if (inf) return neg ? 2 : 9;
  if (zero) return neg ? 5 : 6;
  if (den) return neg ? 4 : 7;
  return neg ? 3 : 8;
}
static u32 tou32(double x) { return isnan(x) || x <= 0 ? 0 : x >= 0xffffffffp0 ? 0xffffffff : (u32)x; }
static i32 toi32(double x) { return isnan(x) ? 0 : x <= -0x1p31 ? INT32_MIN : x >= 0x7fffffffp0 ? INT32_MAX : (i32)x; }
static u64 rtz(float x) {
  if (isnan(x)) return 0x7e00;
  u64 h = bitsh((f16)x);
  if (fabs((double)asf16(h)) > fabs((double)x) && !isinf(x)) h--;
  return h;
}
static f16 hfma(f16 x, f16 y, f16 z) { // exact in 113 bits of a long double pair is not needed: 2^-48..2^32 fits 128 bits
  if (!isfinite((float)x) || !isfinite((float)y) || !isfinite((float)z)) return (f16)((double)x * (double)y + (double)z);
  i128 p = (i128)ldexp((double)x, 24) * (i128)ldexp((double)y, 24), q = (i128)ldexp((double)z, 24) << 24, s = p + q;
  if (s == 0) return (f16)((double)x * (double)y + (double)z);
  int neg = s < 0;
  u128 v = neg ? -(u128)s : (u128)s;
  int top = 127; while (!(v >> top & 1)) top--;
  int drop = top - 10; if (drop < 24) drop = 24; // units of 2^-48; least half is 2^-24
  u128 q0 = v >> drop, rest = v & (((u128)1 << drop) - 1), mid = (u128)1 << (drop - 1);
  if (rest > mid || (rest == mid && (q0 & 1))) q0++;
  double d = ldexp((double)q0, drop - 48);
  return (f16)(neg ? -d : d);
}
static double fp8(int x, int mant, int bias) {
  if ((x & 255) == 128) return NAN;
  int e = (x & 127) >> mant, f = x & ((1 << mant) - 1);
  double v = e ? ldexp(1 + f / (double)(1 << mant), e - bias) : ldexp(f / (double)(1 << mant), 1 - bias);
  return x & 128 ? -v : v;
}
static int tofp8(float x, int mant, int bias) { // nearest of all, ties to the even code
  if (!isfinite(x)) return 128;
  double v = fabs((double)x); int best = 0; double gap = v;
  for (int i = 1; i < 128; i++) {
    double g = fabs(fp8(i, mant, bias) - v);
    if (g < gap || (g == gap && !(i & 1))) { gap = g; best = i; }
  }
  double top = fp8(127, mant, bias), step = top - fp8(126, mant, bias);
  if (v > top + step / 2 || (v == top + step / 2)) return 128;
  return best == 0 ? 0 : best | (x < 0 ? 128 : 0);
}
#define PK(e) do { u64 r2 = 0; u64 A = a, B = b, C = c; for (int i = 0; i < 2; i++) { a = A >> 16 * i; b = B >> 16 * i; c = C >> 16 * i; split(); e; r2 |= (r & 0xffff) << 16 * i; } r = r2; a = A; b = B; c = C; } while (0)
static void split(void) {
  ua = a; ub = b; uc = c; ia = a; ib = b; ic = c; fa = asf(a); fb = asf(b); fc = asf(c); da = asd(a); db = asd(b); dc = asd(c);
  ha = asf16(a); hb = asf16(b); hc = asf16(c); sa = a; sb = b; sc = c; wa = a; wb = b; wc = c;
}

enum kind { I32, I64, F32, F64, F16, PKF, PKI, H16, BIT };
static const char *wanted;
static u64 hash;
static void put(u64 x) { for (int i = 0; i < 8; i++) { hash ^= x >> 8 * i & 255; hash *= 0x100000001b3ull; } }
#define S32 (snan32(ua) || snan32(ub))
#define S64 (snan64(a) || snan64(b))
#define S16 (snan16(a) || snan16(b))

#define OP(NAME, KIND, CODE) do { \
  if (wanted && strcmp(wanted, #NAME)) break; \
  state = 0; for (const char *p = #NAME; *p; p++) state = state * 31 + (unsigned char)*p; \
  hash = 0xcbf29ce484222325ull; \
  for (int i = 0; i < CASES; i++) { \
    a = operand(); b = operand(); c = operand(); m = next() & 1; kin(); split(); r = 0; t = 0; CODE; \
    switch (KIND) { case I32: r = (u32)r; break; case F32: r = canonf((u32)r); break; case F64: r = canond(r); break; \
      case F16: r = canonh((u16)r); break; case H16: r = (u16)r; break; case PKI: r = (u32)r; break; \
      case PKF: r = canonh((u16)r) | canonh((u16)(r >> 16)) << 16; break; case BIT: r = 0; break; default: break; } \
    if (wanted) printf("%d\t%016llx\t%016llx\t%016llx\t%d\t%016llx\t%d\n", i, (unsigned long long)a, (unsigned long long)b, (unsigned long long)c, m, (unsigned long long)r, t); \
    put(r); put(t); } \
  if (!wanted) printf("%s\t%s\t%016llx\n", #NAME, #KIND, (unsigned long long)hash); } while (0)
#define F(NAME, E) OP(NAME, F32, r = bitsf(E))
#define D(NAME, E) OP(NAME, F64, r = bitsd(E))
#define H(NAME, E) OP(NAME, F16, r = bitsh((f16)(E)))
#define I(NAME, E) OP(NAME, I32, r = (E))
#define L(NAME, E) OP(NAME, I64, r = (E))
#define W(NAME, E) OP(NAME, H16, r = (E))
#define CMPI(T, x, y) \
  OP(v_cmp_f_##T, BIT, t = 0); OP(v_cmp_lt_##T, BIT, t = x < y); OP(v_cmp_eq_##T, BIT, t = x == y); OP(v_cmp_le_##T, BIT, t = !(y < x)); \
  OP(v_cmp_gt_##T, BIT, t = y < x); OP(v_cmp_ne_##T, BIT, t = x != y); OP(v_cmp_ge_##T, BIT, t = !(x < y)); OP(v_cmp_t_##T, BIT, t = 1)
#define CMPF(T, x, y) \
  OP(v_cmp_f_##T, BIT, t = 0); OP(v_cmp_lt_##T, BIT, t = isless(x, y)); OP(v_cmp_eq_##T, BIT, t = x == y); OP(v_cmp_le_##T, BIT, t = islessequal(x, y)); \
  OP(v_cmp_gt_##T, BIT, t = isgreater(x, y)); OP(v_cmp_lg_##T, BIT, t = islessgreater(x, y)); OP(v_cmp_ge_##T, BIT, t = isgreaterequal(x, y)); \
  OP(v_cmp_o_##T, BIT, t = !isunordered(x, y)); OP(v_cmp_u_##T, BIT, t = isunordered(x, y)); OP(v_cmp_nge_##T, BIT, t = isunordered(x, y) || isless(x, y)); \
  OP(v_cmp_nlg_##T, BIT, t = isunordered(x, y) || x == y); OP(v_cmp_ngt_##T, BIT, t = isunordered(x, y) || islessequal(x, y)); \
  OP(v_cmp_nle_##T, BIT, t = isunordered(x, y) || isgreater(x, y)); OP(v_cmp_neq_##T, BIT, t = isunordered(x, y) || islessgreater(x, y)); \
  OP(v_cmp_nlt_##T, BIT, t = isunordered(x, y) || isgreaterequal(x, y)); OP(v_cmp_tru_##T, BIT, t = 1)

int main(int n, char **v) {
  wanted = n > 1 ? v[1] : 0;
  I(v_mov_b32, ua); L(v_mov_b64, a); I(v_cndmask_b32, m ? ub : ua); I(v_not_b32, ~ua);
  OP(v_bfrev_b32, I32, for (int i = 0; i < 32; i++) r |= (u64)(ua >> i & 1) << (31 - i));
  I(v_ffbh_u32, ua ? __builtin_clz(ua) : -1); I(v_ffbl_b32, ua ? __builtin_ctz(ua) : -1);
  I(v_ffbh_i32, ia == 0 || ia == -1 ? -1 : __builtin_clrsb(ia) + 1);
  I(v_and_b32, ua & ub); I(v_or_b32, ua | ub); I(v_xor_b32, ua ^ ub); I(v_xnor_b32, ~(ua ^ ub));
  I(v_lshlrev_b32, ub << (ua & 31)); I(v_lshrrev_b32, ub >> (ua & 31)); I(v_ashrrev_i32, ib >> (ua & 31));
  I(v_add_u32, ua + ub); I(v_sub_u32, ua - ub); I(v_subrev_u32, ub - ua); I(v_add_i32, ua + ub); I(v_sub_i32, ua - ub);
  OP(v_add_co_u32, I32, u32 s; t = __builtin_add_overflow(ua, ub, &s); r = s);
  OP(v_sub_co_u32, I32, u32 s; t = __builtin_sub_overflow(ua, ub, &s); r = s);
  OP(v_subrev_co_u32, I32, u32 s; t = __builtin_sub_overflow(ub, ua, &s); r = s);
  OP(v_addc_co_u32, I32, u32 s; t = __builtin_add_overflow(ua, ub, &s); t |= __builtin_add_overflow(s, (u32)m, &s); r = s);
  OP(v_subb_co_u32, I32, u32 s; t = __builtin_sub_overflow(ua, ub, &s); t |= __builtin_sub_overflow(s, (u32)m, &s); r = s);
  OP(v_subbrev_co_u32, I32, u32 s; t = __builtin_sub_overflow(ub, ua, &s); t |= __builtin_sub_overflow(s, (u32)m, &s); r = s);
  I(v_min_i32, ia < ib ? ia : ib); I(v_max_i32, ia > ib ? ia : ib); I(v_min_u32, ua < ub ? ua : ub); I(v_max_u32, ua > ub ? ua : ub);
  I(v_mul_lo_u32, ua * ub); I(v_mul_hi_u32, (u64)ua * ub >> 32); I(v_mul_hi_i32, (i64)ia * ib >> 32);
  I(v_mul_u32_u24, field(a, 0, 24) * field(b, 0, 24)); I(v_mul_hi_u32_u24, field(a, 0, 24) * field(b, 0, 24) >> 32);
  I(v_mul_i32_i24, sfield(a, 0, 24) * sfield(b, 0, 24)); I(v_mul_hi_i32_i24, sfield(a, 0, 24) * sfield(b, 0, 24) >> 32);
  I(v_mad_u32_u24, field(a, 0, 24) * field(b, 0, 24) + uc); I(v_mad_i32_i24, sfield(a, 0, 24) * sfield(b, 0, 24) + ic);
  OP(v_mad_u64_u32, I64, u128 s = (u128)((u64)ua * ub) + c; r = s; t = s >> 64);
  OP(v_mad_i64_i32, I64, i128 s = (i128)ia * ib + (i64)c; r = s; t = s >> 64 & 1);
  L(v_lshl_add_u64, (a << (ub & 7)) + c); L(v_lshlrev_b64, b << (ua & 63)); L(v_lshrrev_b64, b >> (ua & 63)); L(v_ashrrev_i64, (i64)b >> (ua & 63));
  I(v_lshl_add_u32, (ua << (ub & 31)) + uc); I(v_add_lshl_u32, (ua + ub) << (uc & 31)); I(v_add3_u32, ua + ub + uc);
  I(v_lshl_or_b32, ua << (ub & 31) | uc); I(v_and_or_b32, (ua & ub) | uc); I(v_or3_b32, ua | ub | uc); I(v_xad_u32, (ua ^ ub) + uc);
  I(v_bfe_u32, ua >> (ub & 31) & ((1u << (uc & 31)) - 1));
  OP(v_bfe_i32, I32, int w = uc & 31; u32 x = (u32)(ia >> (ub & 31)) & ((1u << w) - 1); r = w && x >> (w - 1) & 1 ? x | ~((1u << w) - 1) : x);
  I(v_bfi_b32, (ua & ub) | (~ua & uc)); I(v_bfm_b32, ((1u << (ua & 31)) - 1) << (ub & 31));
  I(v_alignbit_b32, (u32)(((u64)ua << 32 | ub) >> (uc & 31))); I(v_alignbyte_b32, (u32)(((u64)ua << 32 | ub) >> 8 * (uc & 3))); I(v_perm_b32, perm());
  I(v_min3_i32, ia < ib ? ia < ic ? ia : ic : ib < ic ? ib : ic); I(v_max3_i32, ia > ib ? ia > ic ? ia : ic : ib > ic ? ib : ic);
  I(v_med3_i32, mid(ia, ib, ic));
  I(v_min3_u32, ua < ub ? ua < uc ? ua : uc : ub < uc ? ub : uc); I(v_max3_u32, ua > ub ? ua > uc ? ua : uc : ub > uc ? ub : uc);
  I(v_med3_u32, mid(ua, ub, uc));
  I(v_bcnt_u32_b32, __builtin_popcount(ua) + ub);
  F(v_add_f32, fa + fb); F(v_sub_f32, fa - fb); F(v_subrev_f32, fb - fa); F(v_mul_f32, fa * fb); F(v_fma_f32, fmaf(fa, fb, fc)); F(v_fmac_f32, fmaf(fa, fb, fc));
  F(v_mul_legacy_f32, fa == 0 || fb == 0 ? 0 : fa * fb);
  F(v_mad_f32, ftz(ftz(ftz(fa) * ftz(fb)) + ftz(fc))); F(v_mac_f32, ftz(ftz(ftz(fa) * ftz(fb)) + ftz(fc)));
  F(v_min_f32, least(fa, fb, S32)); F(v_max_f32, most(fa, fb, S32)); F(v_med3_f32, med(fa, fb, fc, S32, snan32(uc)));
  F(v_trunc_f32, truncf(fa)); F(v_ceil_f32, ceilf(fa)); F(v_floor_f32, floorf(fa)); F(v_rndne_f32, nearbyintf(fa));
  F(v_fract_f32, isfinite(fa) ? fminf(fa - floorf(fa), 0x1.fffffep-1f) : NAN);
  F(v_ldexp_f32, ldexpf(fa, ib)); F(v_frexp_mant_f32, ({ int e; frexpf(fa, &e); })); I(v_frexp_exp_i32_f32, ({ int e = 0; if (isfinite(fa)) frexpf(fa, &e); e; }));
  F(v_rcp_f32, ftz((float)(1.0L / ftz(fa)))); F(v_rsq_f32, ftz((float)(1.0L / sqrtl(ftz(fa))))); F(v_sqrt_f32, ftz(sqrtf(ftz(fa))));
  F(v_exp_f32, ftz((float)exp2l(ftz(fa)))); F(v_log_f32, ftz((float)log2l(ftz(fa)))); F(v_sin_f32, ftz((float)turns(ftz(fa), 0))); F(v_cos_f32, ftz((float)turns(ftz(fa), 1)));
  D(v_add_f64, da + db); D(v_mul_f64, da * db); D(v_fma_f64, fma(da, db, dc)); D(v_fmac_f64, fma(da, db, dc));
  D(v_min_f64, least(da, db, S64)); D(v_max_f64, most(da, db, S64)); D(v_trunc_f64, trunc(da)); D(v_ceil_f64, ceil(da)); D(v_floor_f64, floor(da)); D(v_rndne_f64, nearbyint(da));
  D(v_fract_f64, isfinite(da) ? fmin(da - floor(da), 0x1.fffffffffffffp-1) : NAN);
  D(v_ldexp_f64, ldexp(da, ib)); D(v_frexp_mant_f64, ({ int e; frexp(da, &e); })); I(v_frexp_exp_i32_f64, ({ int e = 0; if (isfinite(da)) frexp(da, &e); e; }));
  D(v_rcp_f64, 1 / da); D(v_sqrt_f64, sqrt(da));
  F(v_cvt_f32_i32, (float)ia); F(v_cvt_f32_u32, (float)ua); I(v_cvt_i32_f32, toi32(fa)); I(v_cvt_u32_f32, tou32(fa)); I(v_cvt_rpi_i32_f32, toi32(floor((double)fa + 0.5))); I(v_cvt_flr_i32_f32, toi32(floor(fa)));
  F(v_cvt_off_f32_i4, (float)((int)((ua & 15) ^ 8) - 8) / 16); D(v_cvt_f64_i32, ia); D(v_cvt_f64_u32, ua); I(v_cvt_i32_f64, toi32(da)); I(v_cvt_u32_f64, tou32(da));
  F(v_cvt_f32_f64, (float)da); D(v_cvt_f64_f32, fa); F(v_cvt_f32_ubyte0, ua & 255); F(v_cvt_f32_ubyte1, ua >> 8 & 255); F(v_cvt_f32_ubyte2, ua >> 16 & 255); F(v_cvt_f32_ubyte3, ua >> 24);
  H(v_cvt_f16_f32, fa); F(v_cvt_f32_f16, ha); H(v_cvt_f16_u16, (float)wa); H(v_cvt_f16_i16, (float)sa); W(v_cvt_u16_f16, isnan((float)ha) ? 0 : limit(toi32(ha), 0, 65535)); W(v_cvt_i16_f16, limit(toi32(ha), -32768, 32767));
  OP(v_cvt_pkrtz_f16_f32, PKF, r = rtz(fa) | rtz(fb) << 16); I(v_cvt_pk_u16_u32, (ua > 65535 ? 65535 : ua) | (ub > 65535 ? 65535u : ub) << 16);
  I(v_cvt_pk_i16_i32, (u16)limit(ia, -32768, 32767) | (u32)(u16)limit(ib, -32768, 32767) << 16); I(v_sat_pk_u8_i16, limit(sa, 0, 255) | limit((i16)(ua >> 16), 0, 255) << 8);
  I(v_pack_b32_f16, wa | (u32)wb << 16);
  F(v_cvt_f32_fp8, fp8(ua & 255, 3, 8)); F(v_cvt_f32_bf8, fp8(ua & 255, 2, 16)); W(v_cvt_pk_fp8_f32, tofp8(fa, 3, 8) | tofp8(fb, 3, 8) << 8); W(v_cvt_pk_bf8_f32, tofp8(fa, 2, 16) | tofp8(fb, 2, 16) << 8);
  H(v_add_f16, (double)ha + (double)hb); H(v_sub_f16, (double)ha - (double)hb); H(v_subrev_f16, (double)hb - (double)ha); H(v_mul_f16, (double)ha * (double)hb); H(v_fma_f16, hfma(ha, hb, hc));
  H(v_min_f16, least(ha, hb, S16)); H(v_max_f16, most(ha, hb, S16)); H(v_med3_f16, med(ha, hb, hc, S16, snan16(c)));
  H(v_trunc_f16, truncf(ha)); H(v_ceil_f16, ceilf(ha)); H(v_floor_f16, floorf(ha)); H(v_rndne_f16, nearbyintf(ha)); H(v_fract_f16, isfinite((float)ha) ? fminf((float)ha - floorf(ha), 0x1.ffcp-1f) : NAN);
  H(v_ldexp_f16, ldexp((double)ha, sb)); H(v_frexp_mant_f16, ({ int e; frexpf(ha, &e); })); W(v_frexp_exp_i16_f16, ({ int e = 0; if (isfinite((float)ha)) frexpf(ha, &e); e; }));
  H(v_rcp_f16, 1 / (double)ha); H(v_rsq_f16, 1 / sqrt((double)ha)); H(v_sqrt_f16, sqrt((double)ha)); H(v_exp_f16, exp2((double)ha)); H(v_log_f16, log2((double)ha)); H(v_sin_f16, turns(ha, 0)); H(v_cos_f16, turns(ha, 1));
  W(v_add_u16, wa + wb); W(v_sub_u16, wa - wb); W(v_subrev_u16, wb - wa); W(v_mul_lo_u16, (u32)wa * wb); W(v_lshlrev_b16, wb << (wa & 15)); W(v_lshrrev_b16, wb >> (wa & 15)); W(v_ashrrev_i16, sb >> (wa & 15));
  W(v_max_u16, wa > wb ? wa : wb); W(v_min_u16, wa < wb ? wa : wb); W(v_max_i16, sa > sb ? sa : sb); W(v_min_i16, sa < sb ? sa : sb); W(v_add_i16, sa + sb); W(v_sub_i16, sa - sb);
  W(v_mad_u16, (u32)wa * wb + wc); W(v_mad_i16, sa * sb + sc); I(v_mad_u32_u16, (u32)wa * wb + uc); I(v_mad_i32_i16, (u32)(sa * sb) + uc);
  W(v_min3_i16, sa < sb ? sa < sc ? sa : sc : sb < sc ? sb : sc); W(v_max3_u16, wa > wb ? wa > wc ? wa : wc : wb > wc ? wb : wc); W(v_med3_i16, mid(sa, sb, sc));
  OP(v_pk_add_f16, PKF, PK(r = bitsh((f16)((double)ha + (double)hb)))); OP(v_pk_mul_f16, PKF, PK(r = bitsh((f16)((double)ha * (double)hb)))); OP(v_pk_fma_f16, PKF, PK(r = bitsh(hfma(ha, hb, hc))));
  OP(v_pk_min_f16, PKF, PK(r = bitsh((f16)least(ha, hb, S16)))); OP(v_pk_max_f16, PKF, PK(r = bitsh((f16)most(ha, hb, S16))));
  OP(v_pk_add_u16, PKI, PK(r = wa + wb)); OP(v_pk_sub_u16, PKI, PK(r = wa - wb)); OP(v_pk_add_i16, PKI, PK(r = sa + sb)); OP(v_pk_sub_i16, PKI, PK(r = sa - sb)); OP(v_pk_mul_lo_u16, PKI, PK(r = (u32)wa * wb));
  OP(v_pk_min_u16, PKI, PK(r = wa < wb ? wa : wb)); OP(v_pk_max_u16, PKI, PK(r = wa > wb ? wa : wb)); OP(v_pk_min_i16, PKI, PK(r = sa < sb ? sa : sb)); OP(v_pk_max_i16, PKI, PK(r = sa > sb ? sa : sb));
  OP(v_pk_lshlrev_b16, PKI, PK(r = wb << (wa & 15))); OP(v_pk_lshrrev_b16, PKI, PK(r = wb >> (wa & 15))); OP(v_pk_ashrrev_i16, PKI, PK(r = sb >> (wa & 15))); OP(v_pk_mad_u16, PKI, PK(r = (u32)wa * wb + wc)); OP(v_pk_mad_i16, PKI, PK(r = sa * sb + sc));
  F(v_dot2_f32_f16, fmaf((float)asf16(a >> 16), (float)asf16(b >> 16), fmaf((float)ha, (float)hb, fc)));
  I(v_dot2_i32_i16, dot(16, 1) + ic); I(v_dot2_u32_u16, dot(16, 0) + uc); I(v_dot4_i32_i8, dot(8, 1) + ic); I(v_dot4_u32_u8, dot(8, 0) + uc); I(v_dot8_i32_i4, dot(4, 1) + ic); I(v_dot8_u32_u4, dot(4, 0) + uc);
  I(v_sad_u8, sad(ua, ub, 0) + uc); I(v_sad_hi_u8, (sad(ua, ub, 0) << 16) + uc); I(v_msad_u8, sad(ua, ub, 1) + uc); L(v_qsad_pk_u16_u8, qsad(0)); L(v_mqsad_pk_u16_u8, qsad(1));
  I(v_sad_u16, abs((int)wa - wb) + abs((int)(ua >> 16) - (int)(ub >> 16)) + uc); I(v_sad_u32, (ua > ub ? ua - ub : ub - ua) + uc);
  OP(v_lerp_u8, I32, for (int i = 0; i < 32; i += 8) r |= (field(a, i, 8) + field(b, i, 8) + field(c, i, 1)) / 2 << i);
  CMPI(i16, sa, sb); CMPI(u16, wa, wb); CMPI(i32, ia, ib); CMPI(u32, ua, ub); CMPI(i64, (i64)a, (i64)b); CMPI(u64, a, b);
  CMPF(f16, (float)ha, (float)hb); CMPF(f32, fa, fb); CMPF(f64, da, db);
  OP(v_cmp_class_f32, BIT, t = ub >> cls(signbit(fa) != 0, isnan(fa), !snan32(ua), isinf(fa), fa == 0, fabsf(fa) < 0x1p-126f) & 1);
  OP(v_cmp_class_f64, BIT, t = ub >> cls(signbit(da) != 0, isnan(da), !snan64(a), isinf(da), da == 0, fabs(da) < 0x1p-1022) & 1);
  OP(v_cmp_class_f16, BIT, t = ub >> cls(signbit((float)ha) != 0, isnan((float)ha), !snan16(a), isinf((float)ha), ha == 0, fabsf(ha) < 0x1p-14f) & 1);
  return 0;
}
