// exact: radix-2 FFT in LDS with a twiddle table, forward and back; the same operations on the host
#include "check.h"

constexpr int kSize = 256, kLog = 8;

BOTH float2 times(float2 a, float2 w) {
  return make_float2(fmaf(a.x, w.x, -(a.y * w.y)), fmaf(a.x, w.y, a.y * w.x));
}

BOTH int reversed(int i) {
  int r = 0;
  for (int k = 0; k < kLog; k++) r |= (i >> k & 1) << (kLog - 1 - k);
  return r;
}

// Butterfly t of a stage.
BOTH void butterfly(float2* v, const float2* twiddle, int half, int t, bool inverse) {
  int k = t % half, i = t / half * 2 * half + k, j = i + half;
  float2 w = twiddle[k * (kSize / 2 / half)];
  if (inverse) w.y = -w.y;
  float2 b = times(v[j], w), a = v[i];
  v[i] = make_float2(a.x + b.x, a.y + b.y);
  v[j] = make_float2(a.x - b.x, a.y - b.y);
}

__global__ void fft(const float2* in, float2* out, const float2* twiddle, bool inverse) {
  __shared__ float2 v[kSize];
  const float2* from = in + blockIdx.x * kSize;
  for (int i = threadIdx.x; i < kSize; i += blockDim.x) v[reversed(i)] = from[i];
  for (int half = 1; half < kSize; half *= 2) {
    __syncthreads();
    for (int t = threadIdx.x; t < kSize / 2; t += blockDim.x) butterfly(v, twiddle, half, t, inverse);
  }
  __syncthreads();
  float scale = inverse ? 1.0f / kSize : 1;
  for (int i = threadIdx.x; i < kSize; i += blockDim.x)
    out[blockIdx.x * kSize + i] = make_float2(v[i].x * scale, v[i].y * scale);
}

std::vector<float2> reference(const std::vector<float2>& in, const std::vector<float2>& twiddle, bool inverse) {
  std::vector<float2> out(in.size());
  for (size_t b = 0; b < in.size(); b += kSize) {
    float2 v[kSize];
    for (int i = 0; i < kSize; i++) v[reversed(i)] = in[b + i];
    for (int half = 1; half < kSize; half *= 2)
      for (int t = 0; t < kSize / 2; t++) butterfly(v, twiddle.data(), half, t, inverse);
    float scale = inverse ? 1.0f / kSize : 1;
    for (int i = 0; i < kSize; i++) out[b + i] = make_float2(v[i].x * scale, v[i].y * scale);
  }
  return out;
}

int main() {
  Check check;
  constexpr int batch = 3;
  std::vector<float2> in(batch * kSize), twiddle(kSize / 2);
  for (size_t i = 0; i < in.size(); i++) in[i] = make_float2(unit(2 * i) - 0.5f, unit(2 * i + 1) - 0.5f);
  for (int i = 0; i < kSize / 2; i++)
    twiddle[i] = make_float2(float(cos(2 * M_PI * i / kSize)), float(-sin(2 * M_PI * i / kSize)));
  Buffer<float2> a(in), b(in.size()), c(in.size()), w(twiddle);
  fft<<<batch, 64>>>(a.get(), b.get(), w.get(), false);
  fft<<<batch, 128>>>(b.get(), c.get(), w.get(), true);
  std::vector<float2> forward = reference(in, twiddle, false), back = reference(forward, twiddle, true);
  check.same("forward", b.host(), forward);
  check.same("back", c.host(), back);
  for (size_t i = 0; i < in.size(); i++) check.that("round trip", fabsf(back[i].x - in[i].x) < 1e-5f);
  return check.end();
}
