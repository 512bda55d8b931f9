// ulp: float functions against double ones within the errors that ROCm's device libraries document
#include "check.h"

using Function = double (*)(double);

enum { kExp, kExp2, kExp10, kExpm1, kLog, kLog2, kLog10, kLog1p, kSin, kCos, kTan, kAsin, kAcos, kAtan, kSinh, kCosh,
       kTanh, kAsinh, kAcosh, kAtanh, kErf, kErfc, kCbrt, kTgamma, kLgamma, kSqrt, kRsqrt, kCount };

__device__ float evaluate(int f, float x) {
  switch (f) {
    case kExp: return expf(x);
    case kExp2: return exp2f(x);
    case kExp10: return exp10f(x);
    case kExpm1: return expm1f(x);
    case kLog: return logf(x);
    case kLog2: return log2f(x);
    case kLog10: return log10f(x);
    case kLog1p: return log1pf(x);
    case kSin: return sinf(x);
    case kCos: return cosf(x);
    case kTan: return tanf(x);
    case kAsin: return asinf(x);
    case kAcos: return acosf(x);
    case kAtan: return atanf(x);
    case kSinh: return sinhf(x);
    case kCosh: return coshf(x);
    case kTanh: return tanhf(x);
    case kAsinh: return asinhf(x);
    case kAcosh: return acoshf(x);
    case kAtanh: return atanhf(x);
    case kErf: return erff(x);
    case kErfc: return erfcf(x);
    case kCbrt: return cbrtf(x);
    case kTgamma: return tgammaf(x);
    case kLgamma: return lgammaf(x);
    case kSqrt: return sqrtf(x);
    default: return rsqrtf(x);
  }
}

__global__ void run(int f, const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = evaluate(f, in[i]);
}

__global__ void binary(const float* a, const float* b, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = powf(a[i], b[i] - 20);
  out[n + i] = atan2f(a[i] - 20, b[i] - 20);
  out[2 * n + i] = hypotf(a[i], b[i]);
  out[3 * n + i] = fmodf(a[i], b[i]);
  out[4 * n + i] = remainderf(a[i], b[i]);
}

struct Row {
  const char* name;
  Function reference;
  float low, high;
  double ulps;
};

int main() {
  Check check;
  Row rows[kCount] = {
      {"exp", exp, -85, 85, 2},        {"exp2", exp2, -120, 120, 2},   {"exp10", [](double x) { return pow(10, x); }, -36, 36, 2},
      {"expm1", expm1, -2, 20, 2},     {"log", log, 0.01f, 1000, 3},   {"log2", log2, 0.01f, 1000, 3},
      {"log10", log10, 0.01f, 1000, 3}, {"log1p", log1p, -0.9f, 50, 2}, {"sin", sin, -100, 1000, 4},
      {"cos", cos, -1000, 100, 4},     {"tan", tan, -30, 30, 5},       {"asin", asin, -1, 1, 4},
      {"acos", acos, -1, 1, 4},        {"atan", atan, -50, 50, 5},     {"sinh", sinh, -20, 20, 4},
      {"cosh", cosh, -20, 20, 4},      {"tanh", tanh, -4, 4, 5},       {"asinh", asinh, -50, 50, 4},
      {"acosh", acosh, 1, 50, 4},      {"atanh", atanh, -0.99f, 0.99f, 5}, {"erf", erf, -4, 4, 16},
      {"erfc", erfc, -3, 8, 16},       {"cbrt", cbrt, -1000, 1000, 2}, {"tgamma", tgamma, 0.5f, 20, 16},
      {"lgamma", lgamma, 3, 90, 16},   {"sqrt", sqrt, 0, 1e6f, 0},     {"rsqrt", [](double x) { return 1 / sqrt(x); }, 0.01f, 1e6f, 2}};
  constexpr int n = 512;
  for (int f = 0; f < kCount; f++) {
    std::vector<float> in(n);
    std::vector<double> want(n);
    for (int i = 0; i < n; i++) {
      in[i] = rows[f].low + (rows[f].high - rows[f].low) * unit(i);
      want[i] = rows[f].reference(in[i]);
    }
    Buffer<float> a(in), b(n);
    run<<<n / 128, 128>>>(f, a.get(), b.get(), n);
    check.near(rows[f].name, b.host(), want, rows[f].ulps);
  }
  // Far from zero sin and cos reduce their argument by the digits of 2 over pi.
  std::vector<float> far(n);
  std::vector<double> farSin(n), farCos(n);
  for (int i = 0; i < n; i++) {
    far[i] = ldexpf(1 + unit(i), 20 + i % 100);
    farSin[i] = sin(double(far[i]));
    farCos[i] = cos(double(far[i]));
  }
  Buffer<float> df(far), ds(n), dc(n);
  run<<<n / 128, 128>>>(kSin, df.get(), ds.get(), n);
  run<<<n / 128, 128>>>(kCos, df.get(), dc.get(), n);
  check.near("far sin", ds.host(), farSin, 4);
  check.near("far cos", dc.host(), farCos, 4);
  std::vector<float> x(n), y(n);
  std::vector<double> powers(n), angles(n), lengths(n);
  std::vector<float> modulo(n), remainder(n);
  for (int i = 0; i < n; i++) {
    x[i] = unit(i) * 40 + 0.01f;
    y[i] = unit(i + n) * 40 + 0.01f;
    powers[i] = pow(double(x[i]), double(y[i] - 20));
    angles[i] = atan2(double(x[i] - 20), double(y[i] - 20));
    lengths[i] = hypot(double(x[i]), double(y[i]));
    modulo[i] = fmodf(x[i], y[i]);
    remainder[i] = remainderf(x[i], y[i]);
  }
  Buffer<float> dx(x), dy(y), out(5 * n);
  binary<<<n / 64, 64>>>(dx.get(), dy.get(), out.get(), n);
  std::vector<float> got = out.host();
  auto part = [&](int k) { return std::vector<float>(got.begin() + k * n, got.begin() + (k + 1) * n); };
  check.near("pow", part(0), powers, 16);
  check.near("atan2", part(1), angles, 6);
  check.near("hypot", part(2), lengths, 4);
  check.same("fmod", part(3), modulo);
  check.same("remainder", part(4), remainder);
  return check.end();
}
