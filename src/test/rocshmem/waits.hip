// Waits: each PE waits for what its left neighbour writes, by p, in another order.
#include "check.h"

namespace {

constexpr int N = 7;

#define WAITS(T, NAME)                                                                                    \
  __global__ void wait_##NAME(T* cells, T* values, size_t* indices, int* status, unsigned long long* result) { \
    int pe = (rocshmem_my_pe() + 1) % rocshmem_n_pes();                                                   \
    if (threadIdx.x == 64) {                                                                              \
      for (int i = N - 1; i >= 0; i--) rocshmem_##NAME##_p(cells + i, number<T>(i + 2), pe);              \
    }                                                                                                     \
    if (threadIdx.x == 0) {                                                                               \
      rocshmem_##NAME##_wait_until(cells, ROCSHMEM_CMP_EQ, number<T>(2));                                 \
      rocshmem_##NAME##_wait_until(cells + 1, ROCSHMEM_CMP_NE, number<T>(0));                             \
      rocshmem_##NAME##_wait_until(cells + 2, ROCSHMEM_CMP_GT, number<T>(3));                             \
      rocshmem_##NAME##_wait_until(cells + 3, ROCSHMEM_CMP_GE, number<T>(5));                             \
      for (int i = 0; i < N; i++) status[i] = i == 4;                                                     \
      /* Element 6 is 8; 4 is left out. */                                                                \
      result[0] = rocshmem_##NAME##_wait_until_any(cells, N, status, ROCSHMEM_CMP_EQ, number<T>(8));      \
      rocshmem_##NAME##_wait_until_all(cells, N, nullptr, ROCSHMEM_CMP_GE, number<T>(2));                 \
      /* 5 and 6 are above 6. */                                                                          \
      result[1] = rocshmem_##NAME##_wait_until_some(cells, N, indices, status, ROCSHMEM_CMP_GT, number<T>(6)); \
      result[2] = rocshmem_##NAME##_wait_until_any_vector(cells + 2, 3, nullptr, ROCSHMEM_CMP_LT, values);     \
      rocshmem_##NAME##_wait_until_all_vector(cells, N, nullptr, ROCSHMEM_CMP_EQ, values + 3);            \
      result[3] = rocshmem_##NAME##_wait_until_some_vector(cells, 2, indices + 2, nullptr, ROCSHMEM_CMP_LE, values + 3); \
      result[4] = static_cast<unsigned>(rocshmem_##NAME##_test(cells + 5, ROCSHMEM_CMP_EQ, number<T>(7)));            \
      result[5] = static_cast<unsigned>(rocshmem_##NAME##_test(cells + 5, ROCSHMEM_CMP_LT, number<T>(7)));            \
      for (int i = 0; i < N; i++) status[i] = 1;                                                          \
      result[6] = rocshmem_##NAME##_wait_until_any(cells, N, status, ROCSHMEM_CMP_EQ, number<T>(90));     \
      result[7] = rocshmem_##NAME##_wait_until_some(cells, N, indices, status, ROCSHMEM_CMP_EQ, number<T>(90)); \
    }                                                                                                     \
  }
EACH_TYPE(WAITS)

template <typename T>
void checkWaits(Here& here, void (*kernel)(T*, T*, size_t*, int*, unsigned long long*), const char* what) {
  Buffer<T> cells(N);
  Buffer<T> values(3 + N);
  Buffer<size_t> indices(4);
  Buffer<int> status(N);
  Buffer<unsigned long long> result(8);
  cells.write(std::vector<T>(N, number<T>(0)));
  // Only element 4, which is 6, is below what it is compared with.
  std::vector<T> to = {number<T>(4), number<T>(5), number<T>(7)};
  for (int i = 0; i < N; i++) to.push_back(number<T>(i + 2));
  values.write(to);
  done();
  kernel<<<1, 128>>>(cells.data, values.data, indices.data, status.data, result.data);
  HIP(hipGetLastError());
  done();
  same(here, result.read(), {6, 2, 2, 2, 1, 0, ~0ULL, 0}, what, 0);
  same(here, indices.read(), {5, 6, 0, 1}, what, 1);
  done();
}

}  // namespace

void waits(Here& here) {
#define CHECK(T, NAME) checkWaits<T>(here, wait_##NAME, "waits for " #NAME);
  EACH_TYPE(CHECK)
}
