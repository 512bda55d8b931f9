// hipFFT against the sums that define the transforms: lengths, dimensions, layouts, streams, graphs
#include <hip/hip_fp16.h>
#include <hipfft/hipfft.h>
#include <hipfft/hipfftXt.h>

#include <complex>
#include <string>

#include "../kernels/check.h"

using Complex = std::complex<double>;

#define FFT(call)                                                                             \
  do {                                                                                        \
    hipfftResult fft_result = (call);                                                         \
    if (fft_result != HIPFFT_SUCCESS) {                                                       \
      printf("FAIL %s:%d hipFFT %d\n", __FILE_NAME__, __LINE__, static_cast<int>(fft_result)); \
      exit(1);                                                                                \
    }                                                                                         \
  } while (0)

Check check;

struct Shape {
  std::vector<int> n;

  size_t size() const {
    size_t all = 1;
    for (int one : n) all *= one;
    return all;
  }
  std::vector<int> half() const {
    std::vector<int> h = n;
    h.back() = h.back() / 2 + 1;
    return h;
  }
};

/** The sum over all elements, a dimension after the other. */
std::vector<Complex> naive(const Shape& shape, std::vector<Complex> data, int sign) {
  size_t inner = 1;
  for (size_t d = shape.n.size(); d-- > 0;) {
    int n = shape.n[d];
    std::vector<Complex> out(data.size());
    for (size_t i = 0; i < data.size(); i++) {
      size_t k = i / inner % n, base = i - k * inner;
      Complex sum = 0;
      for (int j = 0; j < n; j++)
        sum += data[base + j * inner] * std::polar(1.0, sign * 2 * M_PI * (double)(j * k % n) / n);
      out[i] = sum;
    }
    data = out;
    inner *= n;
  }
  return data;
}

std::vector<Complex> noise(size_t n, uint32_t seed, bool real) {
  std::vector<Complex> v(n);
  for (size_t i = 0; i < n; i++)
    v[i] = {unit(seed + 2 * i) - 0.5, real ? 0.0 : unit(seed + 2 * i + 1) - 0.5};
  return v;
}

template <class T>
void close(const std::string& what, const std::vector<T>& got, const std::vector<Complex>& want, double eps) {
  double worst = 0, size = 1e-30;
  for (size_t i = 0; i < want.size(); i++) {
    worst = std::max(worst, std::abs(Complex(got[i]) - want[i]));
    size = std::max(size, std::abs(want[i]));
  }
  if (!(worst <= eps * size)) printf("%s: off by %g of %g\n", what.c_str(), worst, size);
  check.that(what.c_str(), worst <= eps * size);
}

/** Where the elements of a row-major shape lie, with gaps. */
struct Layout {
  std::vector<int> embed;
  int stride, distance;

  size_t at(const std::vector<int>& shape, size_t i) const {
    size_t offset = 0, step = 1;
    for (size_t d = shape.size(); d-- > 0;) {
      offset += i % shape[d] * step;
      i /= shape[d];
      step *= embed[d];
    }
    return offset * stride;
  }
};

std::string name(const char* what, const Shape& shape) {
  std::string text = what;
  for (int n : shape.n) text += " " + std::to_string(n);
  return text;
}

template <class R, hipfftType C2C, hipfftType R2C, hipfftType C2R>
struct Of {
  using C = std::complex<R>;
  using HipC = std::conditional_t<sizeof(R) == 4, hipfftComplex, hipfftDoubleComplex>;
  static constexpr double EPS = sizeof(R) == 4 ? 2e-6 : 1e-13;

  static hipfftResult c2c(hipfftHandle p, void* i, void* o, int d) {
    if constexpr (sizeof(R) == 4)
      return hipfftExecC2C(p, (HipC*)i, (HipC*)o, d);
    else
      return hipfftExecZ2Z(p, (HipC*)i, (HipC*)o, d);
  }
  static hipfftResult r2c(hipfftHandle p, void* i, void* o) {
    if constexpr (sizeof(R) == 4)
      return hipfftExecR2C(p, (R*)i, (HipC*)o);
    else
      return hipfftExecD2Z(p, (R*)i, (HipC*)o);
  }
  static hipfftResult c2r(hipfftHandle p, void* i, void* o) {
    if constexpr (sizeof(R) == 4)
      return hipfftExecC2R(p, (HipC*)i, (R*)o);
    else
      return hipfftExecZ2D(p, (HipC*)i, (R*)o);
  }

  static hipfftHandle plan(const Shape& shape, hipfftType type, int batch) {
    hipfftHandle made = nullptr;
    if (batch > 1 && shape.n.size() > 1)
      FFT(hipfftPlanMany(&made, shape.n.size(), const_cast<int*>(shape.n.data()), nullptr, 1, 0, nullptr, 1, 0, type, batch));
    else if (shape.n.size() == 1)
      FFT(hipfftPlan1d(&made, shape.n[0], type, batch));
    else if (shape.n.size() == 2)
      FFT(hipfftPlan2d(&made, shape.n[0], shape.n[1], type));
    else
      FFT(hipfftPlan3d(&made, shape.n[0], shape.n[1], shape.n[2], type));
    return made;
  }

  static void plain(const Shape& shape, int batch) {
    size_t size = shape.size(), half = Shape{shape.half()}.size();
    std::vector<C> in, want1, want2;
    std::vector<Complex> forward, inverse, spectrum, real;
    std::vector<R> inReal;
    for (int b = 0; b < batch; b++) {
      auto one = noise(size, 77 * b, false);
      for (auto c : one) in.push_back(C(c));
      auto f = naive(shape, one, -1), i = naive(shape, one, 1);
      forward.insert(forward.end(), f.begin(), f.end());
      inverse.insert(inverse.end(), i.begin(), i.end());
      auto r = noise(size, 99 * b + 5, true);
      for (auto c : r) inReal.push_back(R(c.real())), real.push_back(c);
      auto s = naive(shape, r, -1);
      int row = shape.n.back(), h = row / 2 + 1;
      for (size_t k = 0; k < half; k++) spectrum.push_back(s[k / h * row + k % h]);
    }
    Buffer<C> a(in), b(in.size());
    hipfftHandle p = plan(shape, C2C, batch);
    FFT(c2c(p, a.get(), b.get(), HIPFFT_FORWARD));
    close(name("forward", shape), b.host(), forward, EPS);
    close(name("input kept", shape), a.host(), std::vector<Complex>(in.begin(), in.end()), 0);
    FFT(c2c(p, a.get(), a.get(), HIPFFT_BACKWARD));
    close(name("inverse in place", shape), a.host(), inverse, EPS);
    FFT(hipfftDestroy(p));

    Buffer<R> r(inReal), back(inReal.size());
    Buffer<C> s(half * batch);
    hipfftHandle to = plan(shape, R2C, batch), from = plan(shape, C2R, batch);
    FFT(r2c(to, r.get(), s.get()));
    close(name("real", shape), s.host(), spectrum, EPS);
    FFT(c2r(from, s.get(), back.get()));
    for (auto& c : real) c *= double(size);
    close(name("to real", shape), back.host(), real, EPS);

    // in place: rows of 2 (n / 2 + 1)
    int row = shape.n.back(), padded = 2 * (row / 2 + 1);
    std::vector<R> rows(2 * half * batch, R(1e30));
    for (size_t i = 0; i < inReal.size(); i++) rows[i / row * padded + i % row] = inReal[i];
    Buffer<R> both(rows);
    FFT(r2c(to, both.get(), both.get()));
    auto got = both.host();
    std::vector<C> complexes(half * batch);
    for (size_t i = 0; i < complexes.size(); i++) complexes[i] = {got[2 * i], got[2 * i + 1]};
    close(name("real in place", shape), complexes, spectrum, EPS);
    FFT(c2r(from, both.get(), both.get()));
    got = both.host();
    std::vector<R> dense(inReal.size());
    for (size_t i = 0; i < dense.size(); i++) dense[i] = got[i / row * padded + i % row];
    close(name("to real in place", shape), dense, real, EPS);
    FFT(hipfftDestroy(to));
    FFT(hipfftDestroy(from));
  }

  static void strided(Shape shape, Layout in, Layout out, int batch, bool wide) {
    std::vector<C> data(in.distance * batch + 4 * shape.size() * in.stride * 4, C(-7, 7));
    std::vector<C> expected(out.distance * batch + 4 * shape.size() * out.stride * 4, C(-9, 9));
    std::vector<std::vector<Complex>> inputs;
    for (int b = 0; b < batch; b++) {
      auto one = noise(shape.size(), 31 * b, false);
      for (size_t i = 0; i < one.size(); i++) data[b * in.distance + in.at(shape.n, i)] = C(one[i]);
      inputs.push_back(one);
    }
    Buffer<C> a(data), o(expected);
    for (int b = 0; b < batch; b++) {
      auto f = naive(shape, inputs[b], -1);
      for (size_t i = 0; i < f.size(); i++) expected[b * out.distance + out.at(shape.n, i)] = C(f[i]);
    }
    hipfftHandle p = nullptr;
    size_t bytes = 0;
    FFT(hipfftCreate(&p));
    if (wide) {
      std::vector<long long> n(shape.n.begin(), shape.n.end()), i(in.embed.begin(), in.embed.end()),
          e(out.embed.begin(), out.embed.end());
      FFT(hipfftMakePlanMany64(p, n.size(), n.data(), i.data(), in.stride, in.distance, e.data(), out.stride,
                               out.distance, C2C, batch, &bytes));
    } else {
      FFT(hipfftMakePlanMany(p, shape.n.size(), shape.n.data(), in.embed.data(), in.stride, in.distance,
                             out.embed.data(), out.stride, out.distance, C2C, batch, &bytes));
    }
    FFT(c2c(p, a.get(), o.get(), HIPFFT_FORWARD));
    close(name("strided", shape), o.host(), std::vector<Complex>(expected.begin(), expected.end()), EPS);
    FFT(hipfftDestroy(p));
  }

  // Real rows that are columns of a matrix, to spectra one after the other.
  static void columns(int n, int batch) {
    std::vector<R> matrix(n * batch);
    for (size_t i = 0; i < matrix.size(); i++) matrix[i] = R(unit(i) - 0.5);
    std::vector<Complex> want;
    int half = n / 2 + 1;
    for (int b = 0; b < batch; b++) {
      std::vector<Complex> column(n);
      for (int i = 0; i < n; i++) column[i] = matrix[i * batch + b];
      auto f = naive({{n}}, column, -1);
      want.insert(want.end(), f.begin(), f.begin() + half);
    }
    Buffer<R> a(matrix);
    Buffer<C> o(half * batch);
    hipfftHandle p = nullptr;
    FFT(hipfftPlanMany(&p, 1, &n, &n, batch, 1, &half, 1, half, R2C, batch));
    FFT(r2c(p, a.get(), o.get()));
    close("columns", o.host(), want, EPS);
    FFT(hipfftDestroy(p));
  }

  static void all() {
    for (int n : {1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 27, 31, 49, 53, 60, 97, 106, 128, 243, 251, 360, 512})
      plain({{n}}, n < 100 ? 3 : 1);
    plain({{4, 6}}, 1);
    plain({{5, 7}}, 3);
    plain({{16, 1}}, 1);
    plain({{1, 9}}, 2);
    plain({{3, 4, 5}}, 1);
    plain({{4, 3, 2}}, 2);
    plain({{2, 59, 3}}, 1);
    strided({{10}}, {{10}, 3, 1}, {{10}, 1, 10}, 3, false);
    strided({{7}}, {{9}, 2, 40}, {{8}, 3, 25}, 2, true);
    strided({{4, 5}}, {{4, 7}, 2, 60}, {{6, 5}, 1, 31}, 3, false);
    strided({{2, 3, 4}}, {{2, 4, 5}, 1, 41}, {{2, 3, 6}, 2, 80}, 2, true);
    columns(12, 5);
    columns(9, 4);
  }
};

__global__ void slowly(hipfftComplex* data, int n, int rounds) {
  float sum = 0;
  for (int r = 0; r < rounds; r++) sum += __sinf(float(r)) * 0.0f;
  int i = threadIdx.x;
  if (i < n) data[i] = make_float2(float(i) + sum, 1.0f);
}

__global__ void doubled(hipfftComplex* data, int n) {
  int i = threadIdx.x;
  if (i < n) data[i] = make_float2(2 * data[i].x, 2 * data[i].y);
}

/** A transform reads what a slow kernel writes, and a kernel what the transform writes. */
void streams(bool captured) {
  constexpr int n = 48;
  hipStream_t stream;
  HIP(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  Buffer<hipfftComplex> data(n), out(n);
  hipfftHandle plan = nullptr;
  FFT(hipfftPlan1d(&plan, n, HIPFFT_C2C, 1));
  FFT(hipfftSetStream(plan, stream));
  hipGraph_t graph = nullptr;
  hipGraphExec_t exec = nullptr;
  if (captured) HIP(hipStreamBeginCapture(stream, hipStreamCaptureModeThreadLocal));
  slowly<<<1, 64, 0, stream>>>(data.get(), n, 20000);
  FFT(hipfftExecC2C(plan, data.get(), out.get(), HIPFFT_FORWARD));
  doubled<<<1, 64, 0, stream>>>(out.get(), n);
  FFT(hipfftDestroy(plan));  // what is in streams and graphs goes on
  int times = 1;
  if (captured) {
    HIP(hipStreamEndCapture(stream, &graph));
    HIP(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
    HIP(hipGraphDestroy(graph));
    times = 3;
  }
  std::vector<Complex> in(n);
  for (int i = 0; i < n; i++) in[i] = Complex(i, 1);
  auto want = naive({{n}}, in, -1);
  for (auto& c : want) c *= 2;
  for (int t = 0; t < times; t++) {
    if (captured) {
      HIP(hipMemsetAsync(out.get(), 0, n * sizeof(hipfftComplex), stream));
      HIP(hipGraphLaunch(exec, stream));
    }
    HIP(hipStreamSynchronize(stream));
    std::vector<std::complex<float>> got(n);
    HIP(hipMemcpy(got.data(), out.get(), n * sizeof(hipfftComplex), hipMemcpyDeviceToHost));
    close(captured ? "graph" : "stream", got, want, 2e-6);
  }
  if (exec) HIP(hipGraphExecDestroy(exec));
  HIP(hipStreamDestroy(stream));
}

__global__ void widen(const __half2* from, float2* to, int n) {
  int i = threadIdx.x;
  if (i < n) to[i] = __half22float2(from[i]);
}

void halves() {
  constexpr int n = 16;
  std::vector<__half2> in(n);
  std::vector<Complex> numbers(n);
  for (int i = 0; i < n; i++) {
    numbers[i] = Complex(i % 5 - 2, i % 3 - 1);
    in[i] = __floats2half2_rn(i % 5 - 2, i % 3 - 1);
  }
  Buffer<__half2> a(in), b(n);
  Buffer<float2> wide(n);
  hipfftHandle plan = nullptr;
  long long size = n;
  size_t bytes = 0;
  FFT(hipfftCreate(&plan));
  FFT(hipfftXtMakePlanMany(plan, 1, &size, nullptr, 1, 0, HIP_C_16F, nullptr, 1, 0, HIP_C_16F, 1, &bytes, HIP_C_16F));
  FFT(hipfftXtExec(plan, a.get(), b.get(), HIPFFT_FORWARD));
  widen<<<1, 64>>>(b.get(), wide.get(), n);
  auto got = wide.host();
  std::vector<Complex> complexes(n);
  for (int i = 0; i < n; i++) complexes[i] = Complex(got[i].x, got[i].y);
  close("halves", complexes, naive({{n}}, numbers, -1), 1e-3);
  FFT(hipfftDestroy(plan));
}

void managedAndPinned() {
  constexpr int n = 20;
  hipfftDoubleComplex *managed, *pinned;
  HIP(hipMallocManaged(reinterpret_cast<void**>(&managed), n * sizeof(*managed)));
  HIP(hipHostMalloc(reinterpret_cast<void**>(&pinned), n * sizeof(*pinned)));
  auto in = noise(n, 4, false);
  for (int i = 0; i < n; i++) managed[i] = make_double2(in[i].real(), in[i].imag());
  hipfftHandle plan = nullptr;
  FFT(hipfftPlan1d(&plan, n, HIPFFT_Z2Z, 1));
  FFT(hipfftExecZ2Z(plan, managed, pinned, HIPFFT_BACKWARD));
  HIP(hipDeviceSynchronize());
  std::vector<Complex> got(n);
  for (int i = 0; i < n; i++) got[i] = Complex(pinned[i].x, pinned[i].y);
  close("managed to pinned", got, naive({{n}}, in, 1), 1e-13);
  FFT(hipfftDestroy(plan));
  HIP(hipFree(managed));
  HIP(hipHostFree(pinned));
}

void scaled() {
  hipfftHandle plan = nullptr;
  size_t bytes = 0;
  FFT(hipfftCreate(&plan));
  FFT(hipfftExtPlanScaleFactor(plan, 0.25));
  FFT(hipfftMakePlan1d(plan, 4, HIPFFT_C2C, 1, &bytes));
  Buffer<std::complex<float>> a(std::vector<std::complex<float>>{1, 2, 3, 4});
  FFT(hipfftExecC2C(plan, (hipfftComplex*)a.get(), (hipfftComplex*)a.get(), HIPFFT_BACKWARD));
  close("scaled", a.host(), {2.5, {-0.5, -0.5}, -0.5, {-0.5, 0.5}}, 1e-6);
  FFT(hipfftDestroy(plan));
}

void errors() {
  hipfftHandle plan = nullptr;
  size_t bytes = 0;
  check.that("no size", hipfftPlan1d(&plan, 0, HIPFFT_C2C, 1) == HIPFFT_INVALID_SIZE);
  check.that("negative", hipfftPlan2d(&plan, 4, -1, HIPFFT_C2C) == HIPFFT_INVALID_SIZE);
  check.that("no batch", hipfftPlan1d(&plan, 4, HIPFFT_C2C, 0) == HIPFFT_INVALID_SIZE);
  check.that("type", hipfftPlan1d(&plan, 4, static_cast<hipfftType>(3), 1) == HIPFFT_INVALID_TYPE);
  FFT(hipfftCreate(&plan));
  Buffer<hipfftComplex> a(8);
  check.that("not made", hipfftExecC2C(plan, a.get(), a.get(), HIPFFT_FORWARD) == HIPFFT_INVALID_PLAN);
  FFT(hipfftMakePlan1d(plan, 8, HIPFFT_C2C, 1, &bytes));
  check.that("direction", hipfftExecC2C(plan, a.get(), a.get(), 0) == HIPFFT_INVALID_VALUE);
  check.that("no data", hipfftExecC2C(plan, nullptr, a.get(), 1) == HIPFFT_INVALID_VALUE);
  check.that("other type", hipfftExecR2C(plan, (float*)a.get(), a.get()) != HIPFFT_SUCCESS);
  FFT(hipfftGetSize(plan, &bytes));
  FFT(hipfftEstimate3d(3, 4, 5, HIPFFT_Z2Z, &bytes));
  FFT(hipfftDestroy(plan));
  check.that("destroyed", hipfftExecC2C(plan, a.get(), a.get(), HIPFFT_FORWARD) == HIPFFT_INVALID_PLAN);
  check.that("twice", hipfftDestroy(plan) == HIPFFT_INVALID_PLAN);
}

int main() {
  Of<float, HIPFFT_C2C, HIPFFT_R2C, HIPFFT_C2R>::all();
  Of<double, HIPFFT_Z2Z, HIPFFT_D2Z, HIPFFT_Z2D>::all();
  streams(false);
  streams(true);
  halves();
  managedAndPinned();
  scaled();
  errors();
  return check.end();
}
