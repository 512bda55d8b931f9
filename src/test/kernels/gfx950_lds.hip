// exact: LDS of gfx950: transposed reads of 16, 8, 6 and 4 bits, loads of 12 and 16 bytes; packed shifts
// targets: gfx950
#include "check.h"

#include <string>

typedef short s4 __attribute__((ext_vector_type(4)));
typedef int i2 __attribute__((ext_vector_type(2)));
typedef int i3 __attribute__((ext_vector_type(3)));
#define LOCAL(T, p) ((__attribute__((address_space(3))) T*)(p))
#define GLOBAL(p) ((__attribute__((address_space(1))) void*)(p))

// Each lane reads its own 8 or 12 bytes, the lanes in an order of their own within 16.
template <int BITS, int DWORDS>
__global__ void transposed(unsigned* out) {
#if defined(__gfx950__)
  __shared__ unsigned all[64 * DWORDS];
  unsigned lane = threadIdx.x;
  for (int d = 0; d < DWORDS; d++) all[lane * DWORDS + d] = bits(lane * DWORDS + d + BITS);
  __syncthreads();
  unsigned* own = all + (lane ^ 5) * DWORDS;
  unsigned w[3] = {};
  if constexpr (BITS == 16) {
    s4 r = __builtin_amdgcn_ds_read_tr16_b64_v4i16(LOCAL(s4, own));
    __builtin_memcpy(w, &r, 8);
  } else if constexpr (BITS == 8) {
    i2 r = __builtin_amdgcn_ds_read_tr8_b64_v2i32(LOCAL(i2, own));
    __builtin_memcpy(w, &r, 8);
  } else if constexpr (BITS == 4) {
    i2 r = __builtin_amdgcn_ds_read_tr4_b64_v2i32(LOCAL(i2, own));
    __builtin_memcpy(w, &r, 8);
  } else {
    i3 r = __builtin_amdgcn_ds_read_tr6_b96_v3i32(LOCAL(i3, own));
    __builtin_memcpy(w, &r, 12);
  }
  for (int d = 0; d < DWORDS; d++) out[lane * DWORDS + d] = w[d];
#endif
}

std::vector<unsigned> wanted(int n, int dwords) {
  auto bit = [&](int lane, int b) { return bits((lane ^ 5) * dwords + b / 32 + n) >> b % 32 & 1; };
  int elements = 32 * dwords / n;
  std::vector<unsigned> want(64 * dwords);
  for (int lane = 0; lane < 64; lane++)
    for (int row = 0; row < elements; row++)
      for (int b = 0; b < n; b++) {
        int place = row * 16 + lane % 16;  // in a matrix with rows of 16 elements
        unsigned one = bit(lane / 16 * 16 + place / elements, place % elements * n + b);
        int to = row * n + b;
        want[lane * dwords + to / 32] |= one << to % 32;
      }
  return want;
}

template <int DWORDS>
__global__ void through(unsigned* out, const unsigned* in) {
#if defined(__gfx950__)
  __shared__ unsigned all[64 * DWORDS + 4];
  unsigned lane = threadIdx.x;
  all[64 * DWORDS + lane % 4] = 7;
  __syncthreads();
  auto from = GLOBAL(in + (63 - lane) * DWORDS);
  auto to = LOCAL(void, all);
  if constexpr (DWORDS == 1) __builtin_amdgcn_global_load_lds(from, to, 4, 0, 0);
  if constexpr (DWORDS == 3) __builtin_amdgcn_global_load_lds(from, to, 12, 0, 0);
  if constexpr (DWORDS == 4) __builtin_amdgcn_global_load_lds(from, to, 16, 0, 0);
  __builtin_amdgcn_s_waitcnt(0);
  __syncthreads();
  for (int d = 0; d < DWORDS; d++) out[d * 64 + lane] = all[d * 64 + lane] + all[64 * DWORDS + lane % 4];
#endif
}

__global__ void shifts(unsigned short* out) {
#if defined(__gfx950__)
  unsigned i = threadIdx.x;
  int a = bits(i), b = bits(i + 99);
  out[2 * i] = __builtin_amdgcn_ashr_pk_i8_i32(a, b, 20 + i % 12);
  out[2 * i + 1] = __builtin_amdgcn_ashr_pk_u8_i32(a, b, 20 + i % 12);
#endif
}

template <int BITS, int DWORDS>
void transposes(Check& check) {
  Buffer<unsigned> out(64 * DWORDS);
  transposed<BITS, DWORDS><<<1, 64>>>(out.get());
  check.same(("transposed " + std::to_string(BITS)).c_str(), out.host(), wanted(BITS, DWORDS));
}

template <int DWORDS>
void loads(Check& check) {
  std::vector<unsigned> data(64 * DWORDS), want(64 * DWORDS);
  for (int i = 0; i < 64 * DWORDS; i++) data[i] = bits(i);
  for (int i = 0; i < 64 * DWORDS; i++) want[i] = data[(63 - i / DWORDS) * DWORDS + i % DWORDS] + 7;
  Buffer<unsigned> in(data), out(64 * DWORDS);
  through<DWORDS><<<1, 64>>>(out.get(), in.get());
  check.same(("load " + std::to_string(DWORDS)).c_str(), out.host(), want);
}

int main() {
  Check check;
  transposes<16, 2>(check);
  transposes<8, 2>(check);
  transposes<6, 3>(check);
  transposes<4, 2>(check);
  loads<1>(check);
  loads<3>(check);
  loads<4>(check);

  Buffer<unsigned short> s(128);
  shifts<<<1, 64>>>(s.get());
  std::vector<unsigned short> want(128);
  auto clamp = [](int v, int low, int high) { return unsigned(v < low ? low : v > high ? high : v) & 255; };
  for (unsigned i = 0; i < 64; i++) {
    int n = 20 + i % 12, a = int(bits(i)) >> n, b = int(bits(i + 99)) >> n;
    want[2 * i] = clamp(a, -128, 127) | clamp(b, -128, 127) << 8;
    want[2 * i + 1] = clamp(a, 0, 255) | clamp(b, 0, 255) << 8;
  }
  check.same("shifts", s.host(), want);
  return check.end();
}
