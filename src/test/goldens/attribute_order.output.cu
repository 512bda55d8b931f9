#include <hip/hip_runtime.h>
#include "rocport/atomic.h"
#include "rocport/barrier.h"

#define SMEM alignas(16) __shared__
#define SHARED(T, x) alignas(sizeof(T) * 2) __shared__ T x
#define QUALIFIED static SMEM

struct alignas(16) Grid {
  int n;
  [[nodiscard]] __host__ __device__ int size() const { return n; }
  template <int N> [[nodiscard]] __device__ int at() { return N; }
 private:
   /* no side effects */ [[nodiscard]] __device__
  static int zero() { return 0; }
};

alignas(16) __constant__ float weights[4];
alignas(16) static __device__ float scratch[4];
extern "C" [[nodiscard]] __device__ int external(int);
LIBRARY_API __device__ [[nodiscard]] int unsure(int);

template <typename T, int N>
__global__ void tiles(T* out) {
  alignas(16) __shared__ T x[N], y[N];
  alignas(alignof(double2)) __shared__
      unsigned char raw[sizeof(double2) * 3];
  alignas(128) extern __shared__ unsigned char dynamic[];
  alignas(16) alignas(32) __shared__ float twice[4];
  alignas(rocport::barrier<rocport::thread_scope_block>) __shared__ char barrier[16];
  __shared__ __align__(16) T z[N];
  alignas(16) __shared__ T done[N];
  SMEM float a[4];
  SHARED(float2, b)[4];
  switch (N) { case 1: alignas(16) __shared__ int last; }
  auto first = [=] __device__ [[nodiscard]] (int i) { return x[i]; };
}
