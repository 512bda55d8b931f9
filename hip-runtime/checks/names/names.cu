// Names, types and includes of CUDA that HIP lacks or has in another form. To be ported and compiled
// only.
#define N 4  // a name that parameters of templates have
extern "C" {
#include <cuda_runtime.h>
}
#undef N
#include <cublas_v2.h>
#include <cuda.h>
#include <cufftXt.h>
#include <curand_kernel.h>
#include <curand_mtgp32_host.h>
#include <curand_mtgp32dc_p_11213.h>
#include <nvrtc.h>
#include <nvtx3/nvToolsExtCudaRt.h>

#include <cstdio>

constexpr int N = 4;

// ---- atomics -------------------------------------------------------------------------------------

struct Pair {
  int first, second;
};

__device__ int scoped(int* i, unsigned* u, unsigned long long* l, float* f, Pair* p) {
  __shared__ int shared;
  __nv_atomic_store_n(&shared, 0, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
  __nv_atomic_add(&shared, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
  __nv_atomic_fetch_sub(f, 1.0f, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_fetch_or(u, 1, __NV_ATOMIC_RELAXED);
  __nv_atomic_and(u, ~0u, __NV_ATOMIC_RELEASE);
  __nv_atomic_max(i, 3, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_CLUSTER);
  unsigned long long expected = 5;
  bool done = __nv_atomic_compare_exchange_n(
      l, &expected, 6, true, __NV_ATOMIC_SEQ_CST, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_SYSTEM);
  Pair old, next = {1, 2};
  __nv_atomic_load(p, &old, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_exchange(p, &next, &old, __NV_ATOMIC_RELAXED);
  done |= __nv_atomic_compare_exchange(p, &old, &next, false, __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_ACQUIRE);
  __nv_atomic_thread_fence(__NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);
  return __nv_atomic_exchange_n(i, 1, __NV_ATOMIC_RELAXED) + __nv_atomic_load_n(i, __NV_ATOMIC_ACQUIRE) + done;
}

template <typename T>
__global__ void sum(T* total, T value) {
  __shared__ T local[1];
  atomicAdd(local, value);
  atomicAdd(total, __ldg(&value));
}
template __global__ void sum(half*, half);
template __global__ void sum(half2*, half2);
template __global__ void sum(__nv_bfloat16*, __nv_bfloat16);
template __global__ void sum(__nv_bfloat162*, __nv_bfloat162);
template __global__ void sum(float*, float);
template __global__ void sum(float2*, float2);
template __global__ void sum(float4*, float4);

__device__ bool take(unsigned short* lock) { return atomicCAS(lock, 0, 1) == 0; }

// ---- numbers -------------------------------------------------------------------------------------

__device__ void small(half* h, half2* h2, __nv_bfloat16* __restrict__ b, nv_bfloat162* b2) {
  h2[0] = {};
  b2[0] = {};
  h2[2] = {h[0], h[1]};
  b2[3] = {b[0], b[1]};
  b[0] = (__nv_bfloat16)h[0];
  b[1] = static_cast<__nv_bfloat16>(h[1]);
  h[1] = half(b[0]);
  b2[1] = make_bfloat162(htanh(b[0]), b[1]);
  h2[1] = h2tanh_approx(h2[0]);
  b2[2] = h2tanh(b2[1]);
}

__host__ __device__ unsigned extremes(unsigned u, int i, long long l, unsigned long long v) {
  return umin(u, 3u) + umax(max(u, i), 1u) + unsigned(llmax(l, 1)) + unsigned(ullmin(v, 2));
}

// ---- declarations --------------------------------------------------------------------------------

struct Parameters {
  float factor;
};
__global__ void scale(const __grid_constant__ Parameters p, float* x) {
  x[threadIdx.x] *= p.factor;
  std::printf("%g\n", x[0]);
}

__global__ void draw(curandStateMtgp32* states, float* out) { out[threadIdx.x] = curand_uniform(&states[0]); }

// ---- host ----------------------------------------------------------------------------------------

__constant__ float table[N];
__global__ void fill(uint3 at, float* x) { x[at.x] = table[threadIdx.x]; }

dim3 rounded(uint3 n) {
  n.x += 31;
  return n;
}

/// Calls that use the default arguments of function templates in the CUDA headers, and kernels as arguments.
int defaults(cudaGraph_t graph, cudaExternalSemaphore_t semaphore, dim3 grid, uint3 block, float* x) {
  fill<<<grid, {unsigned(N), 1, 1}>>>(block, x);
  fill<<<{N}, block>>>(grid, x);
  float h[N];
  int failed = 0;
  failed |= cudaMemcpyToSymbolAsync(table, h, sizeof h);
  failed |= cudaMemcpyToSymbolAsync(table, h, 4, 8);
  failed |= cudaMemcpyFromSymbolAsync(h, table, sizeof h);
  failed |= cudaMemcpyFromSymbolAsync(h, table, 4, 8);
  void* arguments[] = {&block, &x};
  failed |= cudaLaunchCooperativeKernel(fill, rounded(grid), grid, arguments);
  failed |= cudaLaunchCooperativeKernel(fill, grid, grid, arguments, 0);
  cudaGraphExec_t exec;
  failed |= cudaGraphInstantiateWithFlags(&exec, graph);
  cudaUserObject_t object;
  Parameters* state = new Parameters;
  failed |= cudaUserObjectCreate(&object, state, 1, cudaUserObjectNoDestructorSync);
  cudaExternalSemaphoreWaitParams wait = {};
  return failed | cudaWaitExternalSemaphoresAsync(&semaphore, &wait, 1);
}

dim3 shape(uint3 n) {
  dim3 grid = make_uint3(1, 2, 3);
  dim3 block(n);
  uint3 size = grid;
  grid = n;
  block = make_uint3(size.x, 1, 1);
  return grid.x > 1 ? grid : block;
}

cudaError_t move(void* p, size_t bytes, int device, cudaStream_t stream) {
  cudaMemLocation gpu = {cudaMemLocationTypeDevice, device};
  cudaMemLocation host = {};
  host.type = cudaMemLocationTypeHost;
  if (cudaMemPrefetchAsync(p, bytes, gpu, 0) || cudaMemPrefetchAsync(p, bytes, host, 0, stream)) {
    return cudaErrorInvalidValue;
  }
  return cudaMemAdvise(p, bytes, cudaMemAdviseSetPreferredLocation, gpu);
}

int affinities(const CUctxCreateParams& parameters) { return parameters.numExecAffinityParams; }

const char* text(cufftResult result) {
  switch (result) {
    case CUFFT_SUCCESS: return "success";
    case CUFFT_MISSING_DEPENDENCY: return "missing dependency";
    case CUFFT_NVRTC_FAILURE: return "NVRTC";
    default: return cublasGetStatusString(CUBLAS_STATUS_SUCCESS);
  }
}

int libraries(cublasHandle_t blas, cufftHandle fft, nvrtcProgram program, cudaStream_t stream) {
  half one = __float2half(1.0f), *a = nullptr, *const *list = nullptr;
  cublasHgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, N, N, N, &one, a, N, a, N, &one, a, N);
  cublasHgemmStridedBatched(blas, CUBLAS_OP_N, CUBLAS_OP_N, N, N, N, &one, a, N, 16, a, N, 16, &one, a, N, 16, 2);
  cublasHgemmBatched(blas, CUBLAS_OP_N, CUBLAS_OP_N, N, N, N, &one, list, N, list, N, &one, list, N, 2);
  int gpus[] = {0};
  cudaLibXtDesc* data;
  cufftXtSetGPUs(fft, 1, gpus);
  cufftXtMalloc(fft, &data, CUFFT_XT_FORMAT_INPLACE);
  cufftXtMemcpy(fft, data, &one, CUFFT_COPY_HOST_TO_DEVICE);
  cufftXtExecDescriptorC2C(fft, data, data, CUFFT_FORWARD);
  curandStateMtgp32* states = nullptr;
  mtgp32_kernel_params* parameters = nullptr;
  curandMakeMTGP32Constants(mtgp32dc_params_fast_11213, parameters);
  curandMakeMTGP32KernelState(states, mtgp32dc_params_fast_11213, parameters, 1, 7);
  char option[] = "-DX", *options[] = {option};
  nvtxNameCudaStreamA(stream, "stream");
  nvtxNameOsThreadA(1, "thread");
  return nvrtcCompileProgram(program, 1, options);
}
