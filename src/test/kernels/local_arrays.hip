// quick exact: dynamic indexing of local arrays of every type, big frames, arrays passed by reference
#include "check.h"

template <class T, int N>
BOTH T shuffle(uint32_t seed) {
  T v[N];
  for (int i = 0; i < N; i++) v[i] = T(bits64(seed + i));
  for (int i = 0; i < N; i++) {
    int j = int(bits(seed * 31 + i) % N);
    T t = v[i];
    v[i] = v[j];
    v[j] = t;
  }
  T sum = 0;
  for (int i = 0; i < N; i++) sum = T(sum * 3 + v[i]);
  return sum;
}

struct Wide {
  int a;
  double b;
  char c[5];
  short d;
};

__attribute__((noinline)) BOTH void touch(Wide* w, int n, uint32_t seed) {
  for (int i = 0; i < n; i++) {
    w[i].a = int(bits(seed + i));
    w[i].b = w[i].a * 0.5;
    w[i].c[i % 5] = char(i);
    w[i].d = short(seed - i);
  }
}

__attribute__((noinline)) BOTH long long frame(uint32_t seed, int depth) {
  int big[300];
  for (int i = 0; i < 300; i++) big[i] = int(bits(seed + i) >> 8);
  Wide wide[10] = {};
  touch(wide, 10, seed);
  long long sum = 0;
  for (int i = 0; i < 300; i++) sum += (long long)big[(seed + i * 7) % 300] * (i + 1);
  for (int i = 0; i < 10; i++) sum += (long long)(wide[(i * 3 + seed) % 10].b * 2) + wide[i].c[i % 5] * wide[i].d;
  return depth > 0 ? sum ^ frame(seed * 5 + 1, depth - 1) : sum;
}

struct Out {
  uint64_t d, e;
  long long f;
  uint32_t c;
  uint16_t b;
  uint8_t a, zero;
};

BOTH Out compute(uint32_t i) {
  Out o = {};
  o.a = shuffle<uint8_t, 37>(i);
  o.b = shuffle<uint16_t, 20>(i);
  o.c = shuffle<uint32_t, 16>(i);
  o.d = shuffle<uint64_t, 9>(i);
  double v[6] = {1, 2, 3, 4, 5, double(i)};
  v[i % 6] += v[(i + 1) % 6];
  o.e = uint64_t(v[0] + v[1] * 2 + v[2] * 4 + v[3] * 8 + v[4] * 16 + v[5] * 32);
  o.f = frame(i, int(i % 3));
  return o;
}

__global__ void run(Out* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = compute(i);
}

int main() {
  Check check;
  constexpr int n = 150;
  Buffer<Out> out(n);
  run<<<3, 64>>>(out.get(), n);
  std::vector<Out> want(n);
  for (int i = 0; i < n; i++) want[i] = compute(i);
  check.same("arrays", out.host(), want);
  return check.end();
}
