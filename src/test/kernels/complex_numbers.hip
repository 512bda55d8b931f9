// exact: complex arithmetic on float2 and double2, vector types of every width, swizzles
#include "check.h"

template <class C>
BOTH C times(C a, C b) {
  C r;
  r.x = a.x * b.x - a.y * b.y;
  r.y = a.x * b.y + a.y * b.x;
  return r;
}

template <class C, class T>
BOTH C quotient(C a, C b) {
  T d = b.x * b.x + b.y * b.y;
  C r;
  r.x = (a.x * b.x + a.y * b.y) / d;
  r.y = (a.y * b.x - a.x * b.y) / d;
  return r;
}

template <class C, class T>
BOTH C orbit(uint32_t i) {
  C z, c, one;
  z.x = T(unit(i)) - T(0.5);
  z.y = T(unit(i + 1)) - T(0.5);
  c.x = T(unit(i + 2));
  c.y = T(0.25);
  one.x = 1;
  one.y = T(0.125);
  for (int k = 0; k < 6; k++) {
    z = times(z, z);
    z.x += c.x;
    z.y += c.y;
    z = quotient<C, T>(z, one);
  }
  return z;
}

struct Vectors {
  float4 a;
  int4 b;
  ushort4 c;
  uchar4 d;
  longlong2 e;
  double2 f;
};

BOTH Vectors mix(uint32_t i) {
  Vectors v;
  v.a = make_float4(unit(i), unit(i + 1), unit(i + 2), unit(i + 3)) * 2.0f;
  v.a.x += v.a.w;
  v.b = make_int4(int(i), int(bits(i)), -int(i), 7);
  v.b = v.b * 3 + make_int4(1, 2, 3, 4);
  v.c = make_ushort4(ushort(i), ushort(bits(i)), ushort(i * 3), 9);
  v.c.z = ushort(v.c.y + v.c.x);
  v.d = make_uchar4(uint8_t(i), uint8_t(i * 5), uint8_t(bits(i)), uint8_t(bits(i) >> 8));
  v.e = make_longlong2((long long)(bits64(i) >> 2), -(long long)i);
  v.e.x += v.e.y;
  v.f = make_double2(v.a.x * 0.5, double(v.b.y));
  return v;
}

__global__ void run(float2* a, double2* b, Vectors* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  a[i] = orbit<float2, float>(i);
  b[i] = orbit<double2, double>(i);
  c[i] = mix(i);
}

// Fields one after the other, without padding.
std::vector<uint64_t> flat(const std::vector<Vectors>& from) {
  std::vector<uint64_t> to;
  for (const Vectors& v : from) {
    uint64_t w[8] = {};
    memcpy(w, &v.a, 16);
    memcpy(w + 2, &v.b, 16);
    memcpy(w + 4, &v.c, 8);
    memcpy(w + 5, &v.d, 4);
    memcpy(w + 6, &v.e, 16);
    to.insert(to.end(), w, w + 8);
    memcpy(w, &v.f, 16);
    to.insert(to.end(), w, w + 2);
  }
  return to;
}

int main() {
  Check check;
  constexpr int n = 300;
  Buffer<float2> a(n);
  Buffer<double2> b(n);
  Buffer<Vectors> c(n);
  run<<<5, 64>>>(a.get(), b.get(), c.get(), n);
  std::vector<float2> wa(n);
  std::vector<double2> wb(n);
  std::vector<Vectors> wc(n);
  for (int i = 0; i < n; i++) {
    wa[i] = orbit<float2, float>(i);
    wb[i] = orbit<double2, double>(i);
    wc[i] = mix(i);
  }
  check.same("float", a.host(), wa);
  check.same("double", b.host(), wb);
  check.same("vectors", flat(c.host()), flat(wc));
  return check.end();
}
