// quick exact: rocport/wmma.h: all types and shapes, whole and divergent waves, blocks with half a wave
#include "../../../hip-runtime/include/rocport/wmma.h"

#include <cfloat>

#include "check.h"

using namespace nvcuda;

constexpr int STEPS = 3;
constexpr int WARPS = 3;  // a wave of two warps, and one of half a wave

template <class T>
struct Stored {
  using Type = T;
};
template <>
struct Stored<wmma::precision::tf32> {
  using Type = float;
};

template <class T_, int M_, int N_, int K_, class A_, class B_, class C_, class D_>
struct Spec {
  using T = T_;
  using LayoutA = A_;
  using LayoutB = B_;
  using C = C_;
  using D = D_;
  using E = typename Stored<T>::Type;
  static constexpr int M = M_, N = N_, K = K_, Depth = STEPS * K_;
  static constexpr bool RowA = std::is_same_v<A_, wmma::row_major>;
  static constexpr bool RowB = std::is_same_v<B_, wmma::row_major>;
  BOTH static int at_a(int i, int k) { return RowA ? i * Depth + k : i + k * M; }
  BOTH static int at_b(int k, int j) { return RowB ? k * N + j : k + j * Depth; }
};

enum Mode { TOGETHER, TRIPS, SKIPS };

/** Steps that a warp does. */
BOTH int trips(Mode mode, int warp) {
  return mode == TOGETHER ? STEPS : mode == TRIPS ? 1 + warp % 3 : warp % 2 ? 0 : STEPS;
}

/** Each warp multiplies tiles of its own; lives holds values of each lane that must survive. */
template <class S>
__global__ void products(const typename S::E* a, const typename S::E* b, const typename S::C* c,
                         typename S::D* d, uint32_t* lives, Mode mode) {
  const int warp = threadIdx.x / 32;
  a += warp * S::M * S::Depth;
  b += warp * S::N * S::Depth;
  c += warp * S::M * S::N;
  d += warp * S::M * S::N;
  uint32_t live[4];
  for (int i = 0; i < 4; i++) live[i] = lives[4 * threadIdx.x + i];
  wmma::fragment<wmma::accumulator, S::M, S::N, S::K, typename S::C> fc;
  wmma::fragment<wmma::accumulator, S::M, S::N, S::K, typename S::D> fd;
  wmma::load_matrix_sync(fc, c, S::N, wmma::mem_row_major);
  wmma::fill_fragment(fd, typename S::D(7));
  const int n = trips(mode, warp);
  for (int s = 0; s < n; s++) {
    wmma::fragment<wmma::matrix_a, S::M, S::N, S::K, typename S::T, typename S::LayoutA> fa;
    wmma::fragment<wmma::matrix_b, S::M, S::N, S::K, typename S::T, typename S::LayoutB> fb;
    wmma::load_matrix_sync(fa, a + S::at_a(0, s * S::K), S::RowA ? S::Depth : S::M);
    wmma::load_matrix_sync(fb, b + S::at_b(s * S::K, 0), S::RowB ? S::N : S::Depth);
    if (s == 0) {
      wmma::mma_sync(fd, fa, fb, fc);
    } else {
      wmma::mma_sync(fd, fa, fb, fd);
    }
    for (int i = 0; i < 4; i++) live[i] = live[i] * 0x9e3779b1u + uint32_t(s + i);
  }
  if (n == 0) {
    for (int i = 0; i < 4; i++) live[i] ^= 0x55555555u;
  }
  for (int i = 0; i < fd.num_elements; i++) fd.x[i] = fd.x[i] + typename S::D(1);
  wmma::store_matrix_sync(d, fd, S::M, wmma::mem_col_major);
  for (int i = 0; i < 4; i++) lives[4 * threadIdx.x + i] = live[i];
}

template <class T>
T number(int v) {
  if constexpr (std::is_same_v<T, __half>) return __float2half(float(v));
  else if constexpr (std::is_same_v<T, __hip_bfloat16>) return __float2bfloat16(float(v));
  else return T(v);
}
template <class T>
double value(T v) {
  if constexpr (std::is_same_v<T, __half>) return __half2float(v);
  else if constexpr (std::is_same_v<T, __hip_bfloat16>) return __bfloat162float(v);
  else return double(v);
}

int small(uint32_t i, bool positive) {
  return positive ? int(bits(i) % 6) + (bits(i) % 4 == 0 ? 250 : 0) : int(bits(i) % 7) - 3;
}

template <class S>
void exact(Check& check, const char* name) {
  using E = typename S::E;
  constexpr bool bytes = std::is_same_v<typename S::T, unsigned char>;
  std::vector<E> a(WARPS * S::M * S::Depth), b(WARPS * S::N * S::Depth);
  std::vector<typename S::C> c(WARPS * S::M * S::N);
  for (size_t i = 0; i < a.size(); i++) a[i] = number<E>(small(uint32_t(i), bytes));
  for (size_t i = 0; i < b.size(); i++) b[i] = number<E>(small(uint32_t(i) + 90000u, bytes));
  for (size_t i = 0; i < c.size(); i++) c[i] = number<typename S::C>(int(bits(i) % 100) - 50);
  for (Mode mode : {TOGETHER, TRIPS, SKIPS}) {
    std::vector<uint32_t> lives(WARPS * 32 * 4);
    for (size_t i = 0; i < lives.size(); i++) lives[i] = bits(uint32_t(i));
    Buffer<E> da(a), db(b);
    Buffer<typename S::C> dc(c);
    Buffer<typename S::D> dd(c.size());
    Buffer<uint32_t> dl(lives);
    products<S><<<1, WARPS * 32>>>(da.get(), db.get(), dc.get(), dd.get(), dl.get(), mode);
    std::vector<typename S::D> d = dd.host();
    std::vector<double> got, want;
    for (int w = 0; w < WARPS; w++) {
      const int n = trips(mode, w);
      for (int i = 0; i < S::M; i++) {
        for (int j = 0; j < S::N; j++) {
          double sum = n == 0 ? 7 : value(c[(w * S::M + i) * S::N + j]);
          for (int k = 0; k < n * S::K; k++) {
            sum += value(a[w * S::M * S::Depth + S::at_a(i, k)]) *
                   value(b[w * S::N * S::Depth + S::at_b(k, j)]);
          }
          want.push_back(sum + 1);
          got.push_back(value(d[w * S::M * S::N + i + j * S::M]));
        }
      }
      for (int t = 32 * w; t < 32 * w + 32; t++) {
        for (int i = 0; i < 4; i++) {
          uint32_t& live = lives[4 * t + i];
          for (int s = 0; s < n; s++) live = live * 0x9e3779b1u + uint32_t(s + i);
          if (n == 0) live ^= 0x55555555u;
        }
      }
    }
    check.same(name, got, want);
    check.same("values of lanes", dl.host(), lives);
  }
}

/** Random floats in shared memory: against double. */
template <class T>
__global__ void tiles(const T* a, const T* b, float* c) {
  __shared__ T left[16 * 24], right[16 * 24];  // lines of 24, as programs have against conflicts
  __shared__ float sums[16 * 20];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) {
    left[i / 16 * 24 + i % 16] = a[i];
    right[i / 16 * 24 + i % 16] = b[i];
  }
  __syncthreads();
  if (threadIdx.x >= 32) return;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, T, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, T, wmma::row_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 0.5f);
  wmma::load_matrix_sync(fa, left, 24);
  wmma::load_matrix_sync(fb, right, 24);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(sums, fc, 20, wmma::mem_row_major);
  for (int i = threadIdx.x; i < 256; i += 32) c[i] = sums[i / 16 * 20 + i % 16];
}

template <class T>
void random(Check& check, const char* name) {
  std::vector<T> a(256), b(256);
  for (int i = 0; i < 256; i++) {
    const float x = 2 * unit(i) - 1, y = 2 * unit(i + 1000) - 1;
    if constexpr (std::is_same_v<T, __half>) {
      a[i] = __float2half(x);
      b[i] = __float2half(y);
    } else {
      a[i] = __float2bfloat16(x);
      b[i] = __float2bfloat16(y);
    }
  }
  Buffer<T> da(a), db(b);
  Buffer<float> dc(256);
  tiles<T><<<1, 64>>>(da.get(), db.get(), dc.get());
  const std::vector<float> c = dc.host();
  for (int i = 0; i < 16; i++) {
    for (int j = 0; j < 16; j++) {
      double sum = 0.5, size = 0.5;
      for (int k = 0; k < 16; k++) {
        sum += value(a[i * 16 + k]) * value(b[k * 16 + j]);
        size += std::fabs(value(a[i * 16 + k]) * value(b[k * 16 + j]));
      }
      check.that(name, std::fabs(c[i * 16 + j] - sum) <= 17 * 0x1p-24 * size);
    }
  }
}

template <class T, class Sum, bool Saturate>
__global__ void limits(const T* a, const Sum* c, Sum* d) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, T, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, T, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, Sum> fc;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, a, 16);
  wmma::load_matrix_sync(fc, c, 16, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc, Saturate);
  wmma::store_matrix_sync(d, fc, 16, wmma::mem_col_major);
}

template <class T, class Sum, bool Saturate>
void limit(Check& check, const char* name, T element, Sum c, Sum want) {
  Buffer<T> da(std::vector<T>(256, element));
  Buffer<Sum> dc(std::vector<Sum>(256, c)), dd(256);
  limits<T, Sum, Saturate><<<1, 32>>>(da.get(), dc.get(), dd.get());
  check.same(name, dd.host(), std::vector<Sum>(256, want));
}

/** Only 19 bits of an element count, and the conversion rounds ties away from zero. */
__global__ void tf32(float* out) {
  using Tf32 = wmma::precision::tf32;
  wmma::fragment<wmma::matrix_a, 16, 16, 8, Tf32, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 8, Tf32, wmma::col_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 8, float> c;
  wmma::fill_fragment(a, 1 + 0x1p-11f + (threadIdx.x / 32 ? 0x1p-12f : 0));
  wmma::fill_fragment(b, 1.0f);
  wmma::fill_fragment(c, 0.0f);
  if (threadIdx.x / 32) {
    for (int i = 0; i < a.num_elements; i++) a.x[i] = wmma::__float_to_tf32(a.x[i]);
  }
  wmma::mma_sync(c, a, b, c);
  wmma::store_matrix_sync(out + threadIdx.x / 32 * 256, c, 16, wmma::mem_row_major);
}

int main() {
  using Row = wmma::row_major;
  using Col = wmma::col_major;
  using Tf32 = wmma::precision::tf32;
  using Bf16 = __hip_bfloat16;
  Check check;
  exact<Spec<__half, 16, 16, 16, Row, Col, float, float>>(check, "half 16x16");
  exact<Spec<__half, 16, 16, 16, Col, Row, float, __half>>(check, "half 16x16 to half");
  exact<Spec<__half, 32, 8, 16, Row, Row, __half, float>>(check, "half 32x8");
  exact<Spec<__half, 8, 32, 16, Col, Col, __half, __half>>(check, "half 8x32");
  exact<Spec<Bf16, 16, 16, 16, Row, Row, float, float>>(check, "bfloat 16x16");
  exact<Spec<Bf16, 32, 8, 16, Col, Col, float, float>>(check, "bfloat 32x8");
  exact<Spec<Bf16, 8, 32, 16, Row, Col, float, float>>(check, "bfloat 8x32");
  exact<Spec<signed char, 16, 16, 16, Col, Col, int, int>>(check, "signed 16x16");
  exact<Spec<signed char, 8, 32, 16, Row, Row, int, int>>(check, "signed 8x32");
  exact<Spec<unsigned char, 16, 16, 16, Row, Col, int, int>>(check, "unsigned 16x16");
  exact<Spec<unsigned char, 32, 8, 16, Col, Col, int, int>>(check, "unsigned 32x8");
  exact<Spec<Tf32, 16, 16, 8, Row, Col, float, float>>(check, "tf32");
  exact<Spec<Tf32, 16, 16, 8, Col, Row, float, float>>(check, "tf32 columns");
  exact<Spec<double, 8, 8, 4, Row, Col, double, double>>(check, "double");
  exact<Spec<double, 8, 8, 4, Col, Row, double, double>>(check, "double columns");
  random<__half>(check, "half");
  random<Bf16>(check, "bfloat");
  limit<signed char, int, true>(check, "saturates", 127, INT32_MAX - 5, INT32_MAX);
  limit<signed char, int, false>(check, "wraps", 127, INT32_MAX, INT32_MIN + 16 * 127 * 127 - 1);
  limit<unsigned char, int, true>(check, "saturates bytes", 255, INT32_MAX - 5, INT32_MAX);
  limit<__half, float, true>(check, "finite", __float2half(60000), FLT_MAX, FLT_MAX);
  limit<__half, __half, true>(check, "finite half", __float2half(60000), __half(1), __half(65504));
  limit<__half, __half, false>(check, "infinite half", __float2half(600), __half(1), __half(INFINITY));
  Buffer<float> t(512);
  tf32<<<1, 64>>>(t.get());
  std::vector<float> want(512, 8.0f);
  for (int i = 256; i < 512; i++) want[i] = 8 * (1 + 0x1p-10f);
  check.same("tf32 bits", t.host(), want);
  return check.end();
}
