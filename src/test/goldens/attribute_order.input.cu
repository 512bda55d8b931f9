#include <cuda_runtime.h>
#include <cuda/barrier>

#define SMEM __shared__ alignas(16)
#define SHARED(T, x) __shared__ alignas(sizeof(T) * 2) T x
#define QUALIFIED static SMEM

struct alignas(16) Grid {
  int n;
  __host__ __device__ [[nodiscard]] int size() const { return n; }
  template <int N> __device__ [[nodiscard]] int at() { return N; }
 private:
  __device__ /* no side effects */ [[nodiscard]]
  static int zero() { return 0; }
};

__constant__ alignas(16) float weights[4];
static __device__ alignas(16) float scratch[4];
extern "C" __device__ [[nodiscard]] int external(int);
LIBRARY_API __device__ [[nodiscard]] int unsure(int);

template <typename T, int N>
__global__ void tiles(T* out) {
  __shared__ alignas(16) T x[N], y[N];
  __shared__ alignas(alignof(double2))
      unsigned char raw[sizeof(double2) * 3];
  extern __shared__ alignas(128) unsigned char dynamic[];
  __shared__ alignas(16) alignas(32) float twice[4];
  __shared__ alignas(cuda::barrier<cuda::thread_scope_block>) char barrier[16];
  __shared__ __align__(16) T z[N];
  alignas(16) __shared__ T done[N];
  SMEM float a[4];
  SHARED(float2, b)[4];
  switch (N) { case 1: __shared__ alignas(16) int last; }
  auto first = [=] __device__ [[nodiscard]] (int i) { return x[i]; };
}
