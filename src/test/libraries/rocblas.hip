// rocBLAS under its own names: a function of each kind, types as arguments, batches, results, errors. libhipblas
// computes; hipblas.hip tests that.
#include <rocblas/rocblas.h>

#include <complex>
#include <cstring>
#include <functional>

#include "../kernels/check.h"

using C = std::complex<float>;
using std::vector;

Check check;
rocblas_handle handle;

#define BLAS(call)                                                                   \
  do {                                                                               \
    rocblas_status status = (call);                                                  \
    if (status != rocblas_status_success) {                                          \
      printf("FAIL line %d: %s\n", __LINE__, rocblas_status_to_string(status));      \
      exit(1);                                                                       \
    }                                                                                \
  } while (0)

int element(int seed, int i) { return static_cast<int>(bits(seed * 1000 + i) % 7) - 3; }

template <class T>
vector<T> numbers(int seed, int count) {
  vector<T> all(count);
  for (int i = 0; i < count; i++) all[i] = static_cast<T>(element(seed, i));
  return all;
}

/** All numbers are small integers, so that each result is exact. */
template <class T>
void expect(const char* what, const vector<T>& got, const std::function<double(int)>& want) {
  for (size_t i = 0; i < got.size(); i++) {
    double value = static_cast<double>(got[i]), wanted = want(static_cast<int>(i));
    if (value != wanted) {
      printf("%s[%zu]: %g, not %g\n", what, i, value, wanted);
      check.that(what, false);
      return;
    }
  }
}

void level1() {
  Buffer<double> x(numbers<double>(1, 9)), y(numbers<double>(2, 9));
  double alpha = 3, dot = 0, sum = 0;
  rocblas_int largest = 0;
  BLAS(rocblas_daxpy(handle, 9, &alpha, x.get(), 1, y.get(), 1));
  expect("axpy", y.host(), [](int i) { return 3 * element(1, i) + element(2, i); });
  BLAS(rocblas_ddot(handle, 9, x.get(), 1, x.get(), 1, &dot));
  BLAS(rocblas_dasum(handle, 9, x.get(), 1, &sum));
  BLAS(rocblas_idamax(handle, 9, x.get(), 1, &largest));
  double squares = 0, sizes = 0;
  int best = 0;
  for (int i = 0; i < 9; i++) {
    squares += element(1, i) * element(1, i);
    sizes += std::abs(element(1, i));
    if (std::abs(element(1, i)) > std::abs(element(1, best))) best = i;
  }
  check.that("dot", dot == squares);
  check.that("asum", sum == sizes);
  check.that("amax", largest == best + 1);
  Buffer<C> z(vector<C>{{3, 4}, {0, 0}});
  float norm = 0;
  int64_t index = 0;
  BLAS(rocblas_scnrm2(handle, 2, reinterpret_cast<rocblas_float_complex*>(z.get()), 1, &norm));
  BLAS(rocblas_icamax_64(handle, 2, reinterpret_cast<rocblas_float_complex*>(z.get()), 1, &index));
  check.that("complex", norm == 5 && index == 1);
  float half = 0.5f;
  BLAS(rocblas_csscal(handle, 2, &half, reinterpret_cast<rocblas_float_complex*>(z.get()), 1));
  check.that("scal", z.host()[0] == C(1.5f, 2));
}

void level2() {
  Buffer<float> a(numbers<float>(1, 12)), x(numbers<float>(2, 4)), y(3);
  Buffer<float> one(vector<float>{1}), zero(1);
  BLAS(rocblas_set_pointer_mode(handle, rocblas_pointer_mode_device));
  BLAS(rocblas_sgemv(handle, rocblas_operation_none, 3, 4, one.get(), a.get(), 3, x.get(), 1, zero.get(), y.get(), 1));
  BLAS(rocblas_set_pointer_mode(handle, rocblas_pointer_mode_host));
  expect("gemv", y.host(), [](int i) {
    double sum = 0;
    for (int j = 0; j < 4; j++) sum += element(1, i + 3 * j) * element(2, j);
    return sum;
  });
}

/** op(A) is 3 by 5, B 5 by 4. */
double sum(int i, int j, int batch = 0) {
  double total = 0;
  for (int p = 0; p < 5; p++) total += element(1, batch * 15 + p + i * 5) * element(2, batch * 20 + p + j * 5);
  return total;
}

void level3() {
  Buffer<float> a(numbers<float>(1, 30)), b(numbers<float>(2, 40)), c(24);
  float one = 1, zero = 0;
  BLAS(rocblas_sgemm_strided_batched(handle, rocblas_operation_transpose, rocblas_operation_none, 3, 4, 5, &one, a.get(), 5,
                                     15, b.get(), 5, 20, &zero, c.get(), 3, 12, 2));
  expect("gemm", c.host(), [](int i) { return sum(i % 3, i / 3 % 4, i / 12); });

  vector<double> triangle = {2, 0, 0, 1, 1, 0, -1, 3, 4};
  Buffer<double> t(triangle), right(vector<double>{3, 4, 8}), product(3);
  double two = 1;
  BLAS(rocblas_dtrsm(handle, rocblas_side_left, rocblas_fill_upper, rocblas_operation_none, rocblas_diagonal_non_unit, 3, 1,
                     &two, t.get(), 3, right.get(), 3));
  // x2 = 2, x1 = 4 - 6, x0 = (3 - x1 + x2) / 2
  const double solution[] = {3.5, -2, 2};
  expect("trsm", right.host(), [&](int i) { return solution[i]; });
  BLAS(rocblas_dtrmm(handle, rocblas_side_left, rocblas_fill_upper, rocblas_operation_none, rocblas_diagonal_non_unit, 3, 1,
                     &two, t.get(), 3, right.get(), 3, product.get(), 3));
  const double before[] = {3, 4, 8};
  expect("trmm", product.host(), [&](int i) { return before[i]; });
}

void typed() {
  Buffer<_Float16> a(numbers<_Float16>(1, 15)), b(numbers<_Float16>(2, 20));
  Buffer<float> c(numbers<float>(3, 12)), d(16);
  float alpha = 2, beta = -1;
  BLAS(rocblas_gemm_ex(handle, rocblas_operation_transpose, rocblas_operation_none, 3, 4, 5, &alpha, a.get(),
                       rocblas_datatype_f16_r, 5, b.get(), rocblas_datatype_f16_r, 5, &beta, c.get(),
                       rocblas_datatype_f32_r, 3, d.get(), rocblas_datatype_f32_r, 4, rocblas_datatype_f32_r,
                       rocblas_gemm_algo_standard, 0, 0));
  expect("gemm_ex", d.host(), [](int i) {
    return i % 4 == 3 ? 0 : 2 * sum(i % 4, i / 4) - element(3, i % 4 + i / 4 * 3);
  });
  expect("C", c.host(), [](int i) { return element(3, i); });

  Buffer<int8_t> e(numbers<int8_t>(1, 15)), f(numbers<int8_t>(2, 20));
  Buffer<int32_t> g(12);
  int32_t one = 1, none = 0;
  vector<const void*> es = {e.get()}, fs = {f.get()};
  vector<void*> gs = {g.get()};
  Buffer<const void*> eAt(es), fAt(fs);
  Buffer<void*> gAt(gs);
  BLAS(rocblas_gemm_batched_ex(handle, rocblas_operation_transpose, rocblas_operation_none, 3, 4, 5, &one, eAt.get(),
                               rocblas_datatype_i8_r, 5, fAt.get(), rocblas_datatype_i8_r, 5, &none, gAt.get(),
                               rocblas_datatype_i32_r, 3, gAt.get(), rocblas_datatype_i32_r, 3, 1, rocblas_datatype_i32_r,
                               rocblas_gemm_algo_standard, 0, 0));
  expect("gemm_batched_ex", g.host(), [](int i) { return sum(i % 3, i / 3); });

  Buffer<_Float16> x(numbers<_Float16>(1, 9));
  float dot = 0;
  BLAS(rocblas_dot_ex(handle, 9, x.get(), rocblas_datatype_f16_r, 1, x.get(), rocblas_datatype_f16_r, 1, &dot,
                      rocblas_datatype_f32_r, rocblas_datatype_f32_r));
  double squares = 0;
  for (int i = 0; i < 9; i++) squares += element(1, i) * element(1, i);
  check.that("dot_ex", dot == squares);
}

void handles() {
  hipStream_t stream, other;
  HIP(hipStreamCreate(&stream));
  BLAS(rocblas_set_stream(handle, stream));
  BLAS(rocblas_get_stream(handle, &other));
  check.that("stream", stream == other);
  vector<float> host = numbers<float>(1, 6);
  Buffer<float> device(6);
  BLAS(rocblas_set_vector(3, sizeof(float), host.data(), 2, device.get(), 1));
  expect("vector", device.host(), [](int i) { return i < 3 ? element(1, 2 * i) : 0; });
  check.that("device", rocblas_pointer_to_mode(device.get()) == rocblas_pointer_mode_device);
  check.that("host", rocblas_pointer_to_mode(host.data()) == rocblas_pointer_mode_host);
  size_t size = 0;
  BLAS(rocblas_get_version_string_size(&size));
  vector<char> version(size);
  BLAS(rocblas_get_version_string(version.data(), size));
  check.that("version", strchr(version.data(), '.') != nullptr);
  float one = 1;
  check.that("no handle", rocblas_saxpy(nullptr, 1, &one, device.get(), 1, device.get(), 1) == rocblas_status_invalid_handle);
  check.that("size", rocblas_sgemm(handle, rocblas_operation_none, rocblas_operation_none, -1, 1, 1, &one, device.get(), 1,
                                   device.get(), 1, &one, device.get(), 1) != rocblas_status_success);
  BLAS(rocblas_set_stream(handle, nullptr));
  HIP(hipStreamDestroy(stream));
}

int main() {
  rocblas_initialize();
  BLAS(rocblas_create_handle(&handle));
  level1();
  level2();
  level3();
  typed();
  handles();
  BLAS(rocblas_destroy_handle(handle));
  return check.end();
}
