// ulp: double functions against long double ones; division and square root exactly
#include "check.h"

enum { kExp, kLog, kSin, kCos, kTan, kAtan, kTanh, kCbrt, kErf, kExpm1, kLog1p, kLog2, kExp2, kAsin, kSinh, kRsqrt, kCount };

__device__ double evaluate(int f, double x) {
  switch (f) {
    case kExp: return exp(x);
    case kLog: return log(x);
    case kSin: return sin(x);
    case kCos: return cos(x);
    case kTan: return tan(x);
    case kAtan: return atan(x);
    case kTanh: return tanh(x);
    case kCbrt: return cbrt(x);
    case kErf: return erf(x);
    case kExpm1: return expm1(x);
    case kLog1p: return log1p(x);
    case kLog2: return log2(x);
    case kExp2: return exp2(x);
    case kAsin: return asin(x);
    case kSinh: return sinh(x);
    default: return rsqrt(x);
  }
}

__global__ void run(int f, const double* in, double* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = evaluate(f, in[i]);
}

__global__ void powers(const double* a, const double* b, double* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = pow(a[i], b[i]);
}

struct Exact {
  double quotient, root, fused, floor, ceil, trunc, rint, round, mod, scaled, mantissa;
  int exponent;
  float narrow;
};

BOTH double spread(uint32_t i) {
  uint64_t w = bits64(i);
  return __builtin_bit_cast(double, (w & 0x800fffffffffffff) | uint64_t(0x3ff - 40 + i % 81) << 52);
}

BOTH Exact exact(uint32_t i) {
  double a = spread(i), b = spread(i * 3 + 1), c = spread(i * 7 + 2);
  Exact e = {};
  e.quotient = a / b;
  e.root = sqrt(fabs(a));
  e.fused = fma(a, b, c);
  e.floor = floor(c);
  e.ceil = ceil(c);
  e.trunc = trunc(c);
  e.rint = rint(c);
  e.round = round(c);
  e.mod = fmod(a, fabs(b) + 1);
  e.scaled = ldexp(a, int(i % 200) - 100);
  e.mantissa = frexp(b, &e.exponent);
  e.narrow = float(a);
  return e;
}

__global__ void exactly(Exact* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = exact(i);
}

struct Row {
  const char* name;
  long double (*reference)(long double);
  double low, high, ulps;
};

int main() {
  Check check;
  Row rows[kCount] = {{"exp", expl, -700, 700, 2},    {"log", logl, 0.001, 1e5, 2},  {"sin", sinl, -1e4, 1e5, 2},
                      {"cos", cosl, -1e5, 1e4, 2},    {"tan", tanl, -100, 100, 3},   {"atan", atanl, -30, 30, 2},
                      {"tanh", tanhl, -5, 5, 2},      {"cbrt", cbrtl, -1e3, 1e3, 2}, {"erf", erfl, -4, 4, 8},
                      {"expm1", expm1l, -3, 30, 2},   {"log1p", log1pl, -0.9, 9, 2}, {"log2", log2l, 0.01, 99, 2},
                      {"exp2", exp2l, -1000, 1000, 2}, {"asin", asinl, -1, 1, 2},     {"sinh", sinhl, -20, 20, 2},
                      {"rsqrt", [](long double x) { return 1 / sqrtl(x); }, 0.01, 1e6, 2}};
  constexpr int n = 320;
  for (int f = 0; f < kCount; f++) {
    std::vector<double> in(n);
    std::vector<long double> want(n);
    for (int i = 0; i < n; i++) {
      in[i] = rows[f].low + (rows[f].high - rows[f].low) * double(bits64(i) >> 11) * 0x1p-53;
      want[i] = rows[f].reference(in[i]);
    }
    Buffer<double> a(in), b(n);
    run<<<n / 64, 64>>>(f, a.get(), b.get(), n);
    check.near(rows[f].name, b.host(), want, rows[f].ulps);
  }
  std::vector<double> x(n), y(n);
  std::vector<long double> p(n);
  for (int i = 0; i < n; i++) {
    x[i] = unit(i) * 30 + 0.01;
    y[i] = unit(i + n) * 60 - 30;
    p[i] = powl(x[i], y[i]);
  }
  Buffer<double> dx(x), dy(y), dp(n);
  powers<<<n / 64, 64>>>(dx.get(), dy.get(), dp.get(), n);
  check.near("pow", dp.host(), p, 2);
  Buffer<Exact> e(n);
  exactly<<<n / 64, 64>>>(e.get(), n);
  std::vector<Exact> we(n);
  for (int i = 0; i < n; i++) {
    we[i] = {};
    we[i] = exact(i);
  }
  check.same("exact", e.host(), we);
  return check.end();
}
