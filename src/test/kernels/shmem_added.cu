// What rocSHMEM lacks of NVSHMEM, checked on each PE: prints "PE r of n: ok" or the line that failed.
#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include <nvshmem.h>
#include <nvshmemx.h>

#include <cstdio>
#include <cstdint>
#include <cstdlib>

#define EXPECT(c) do { if (!(c)) { if (atomicCAS(bad, 0, __LINE__) == 0) printf("line %d\n", __LINE__); } } while (0)

constexpr int N = 130;

__global__ void strided(int* a, int* b, int* c, const int* mine, int* bad) {
  int me = nvshmem_my_pe(), n = nvshmem_n_pes(), next = (me + 1) % n;
  nvshmemx_int_iput_block(a, mine, 2, 1, N, next);
  if (threadIdx.x == 0) nvshmem_iput64(c, mine, 3, 1, 5, next);
  if (threadIdx.x == 0) nvshmem_quiet();
  nvshmemx_barrier_all_block();
  int from = (me + n - 1) % n;
  for (int i = threadIdx.x; i < N; i += blockDim.x) {
    EXPECT(a[2 * i] == from * 1000 + i);
    EXPECT(a[2 * i + 1] == -1);
    if (i < 10) EXPECT(c[i / 2 * 6 + i % 2] == from * 1000 + i);
  }
  nvshmemx_barrier_all_block();
  nvshmemx_int_iget_block(b, a, 1, 2, N, next);
  __syncthreads();
  for (int i = threadIdx.x; i < N; i += blockDim.x) EXPECT(b[i] == me * 1000 + i);
  nvshmemx_barrier_all_block();
}

__global__ void scalars(__half* h, uint64_t* sig, int* flags, int* bad) {
  int me = nvshmem_my_pe(), n = nvshmem_n_pes(), next = (me + 1) % n, from = (me + n - 1) % n;
  nvshmem_half_p(h, __float2half(me + 0.5f), next);
  nvshmemx_signal_op(sig, 7, NVSHMEM_SIGNAL_SET, next);
  nvshmem_quiet();
  nvshmem_barrier_all();
  EXPECT(__half2float(*h) == from + 0.5f);
  EXPECT(*sig == 7);
  EXPECT(__half2float(nvshmem_half_g(h, next)) == me + 0.5f);
  nvshmem_barrier_all();
  for (int pe = 0; pe < n; ++pe) nvshmemx_signal_op(sig, 1, NVSHMEM_SIGNAL_ADD, pe);
  nvshmem_quiet();
  nvshmem_barrier_all();
  EXPECT(*sig == 7 + (uint64_t)n);
  // flags of the others: index pe is set to pe + 1 by PE pe
  for (int pe = 0; pe < n; ++pe) nvshmem_int_p(flags + me, me + 1, pe);
  nvshmem_quiet();
  nvshmem_barrier_all();
  int status[8] = {0, 1, 0, 0, 0, 0, 0, 0};
  int values[8];
  for (int i = 0; i < 8; ++i) values[i] = i + 1;
  size_t indices[8];
  EXPECT(nvshmem_int_test_all_vector(flags, n, nullptr, NVSHMEM_CMP_EQ, values) == 1);
  EXPECT(nvshmem_int_test_all(flags, n, nullptr, NVSHMEM_CMP_GE, 1) == 1);
  EXPECT(nvshmem_int_test_all(flags, n, nullptr, NVSHMEM_CMP_GT, 1) == 0);
  EXPECT(nvshmem_int_test_any(flags, n, nullptr, NVSHMEM_CMP_LE, 1) == 0);
  EXPECT(nvshmem_int_test_any(flags, n, nullptr, NVSHMEM_CMP_LE, 0) == SIZE_MAX);
  EXPECT(nvshmem_int_test_some(flags, n, indices, status, NVSHMEM_CMP_GE, 1) == (size_t)(n > 1 ? n - 1 : 1));
  EXPECT(indices[0] == 0 && (n < 3 || indices[1] == 2));
  EXPECT(nvshmem_int_wait_until_any_vector(flags, n, nullptr, NVSHMEM_CMP_EQ, values) == 0);
  EXPECT(nvshmem_int_wait_until_some_vector(flags, n, indices, status, NVSHMEM_CMP_EQ, values) == (size_t)(n > 1 ? n - 1 : 1));
  nvshmem_int_wait_until_all_vector(flags, n, status, NVSHMEM_CMP_EQ, values);
  nvshmem_barrier_all();
}

__global__ void collectives(nvshmem_team_t team, int* to, int* from, unsigned* u, unsigned char* c, __half* h, int* bad) {
  int me = nvshmem_team_my_pe(team), n = nvshmem_team_n_pes(team);
  if (threadIdx.x == 0) {
    for (int i = 0; i < 3 * n; ++i) from[i] = me * 100 + i;
    EXPECT(nvshmem_int_alltoall(team, to, from, 3) == 0);
    for (int p = 0; p < n; ++p) for (int i = 0; i < 3; ++i) EXPECT(to[3 * p + i] == p * 100 + 3 * me + i);
    EXPECT(nvshmem_int_fcollect(team, to, from, 2) == 0);
    for (int p = 0; p < n; ++p) for (int i = 0; i < 2; ++i) EXPECT(to[2 * p + i] == p * 100 + i);
    EXPECT(nvshmem_int_broadcast(team, to, from, 3, n - 1) == 0);
    for (int i = 0; i < 3; ++i) EXPECT(to[i] == (n - 1) * 100 + i);
    EXPECT(nvshmem_int_sum_reduce(team, to, from, 3) == 0);
    for (int i = 0; i < 3; ++i) EXPECT(to[i] == n * (n - 1) / 2 * 100 + n * i);
    nvshmem_int_max_reduce(team, from, from, 3);
    for (int i = 0; i < 3; ++i) EXPECT(from[i] == (n - 1) * 100 + i);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < N; i += blockDim.x) {
    u[i] = 0x80000000u + me * 7 + i;
    c[i] = (unsigned char)(200 + me + i);
    h[i] = __float2half((float)(me + i % 16));
  }
  __syncthreads();
  EXPECT(nvshmemx_uint_max_reduce_block(team, u, u, N) == 0);
  nvshmemx_uchar_sum_reduce_block(team, c, c, N);
  nvshmemx_half_sum_reduce_block(team, h + N, h, N);
  __syncthreads();
  for (int i = threadIdx.x; i < N; i += blockDim.x) {
    EXPECT(u[i] == 0x80000000u + (n - 1) * 7 + i);
    EXPECT(c[i] == (unsigned char)(n * (200 + i) + n * (n - 1) / 2));
    EXPECT(__half2float(h[N + i]) == (float)(n * (i % 16) + n * (n - 1) / 2));
  }
  __syncthreads();
  for (int i = threadIdx.x; i < 5 * n; i += blockDim.x) u[i] = me * 1000 + i;
  __syncthreads();
  nvshmemx_uint_min_reducescatter_block(team, u + 512, u, 5);
  __syncthreads();
  for (int i = threadIdx.x; i < 5; i += blockDim.x) EXPECT(u[512 + i] == (unsigned)(me * 5 + i));
}

__global__ void warps(int* b, const int* mine, unsigned* u, int* bad) {
  int me = nvshmem_my_pe(), n = nvshmem_n_pes(), next = (me + 1) % n, from = (me + n - 1) % n;
  nvshmemx_int_iput_warp(b, mine, 1, 2, N / 2, next);
  nvshmem_quiet();
  nvshmemx_barrier_all_warp();
  for (int i = 0; i < N / 2; ++i) EXPECT(b[i] == from * 1000 + 2 * i);
  if (threadIdx.x == 0) for (int i = 0; i < N; ++i) u[i] = 1u << me;
  nvshmemx_uint_or_reduce_warp(NVSHMEM_TEAM_WORLD, u, u, N);
  for (int i = 0; i < N; ++i) EXPECT(u[i] == (1u << n) - 1);
}

int main() {
  // Each process one GPU: mpirun tells which process of this machine it is.
  const char* local = getenv("OMPI_COMM_WORLD_LOCAL_RANK");
  int gpus = 0;
  cudaGetDeviceCount(&gpus);
  cudaSetDevice(local ? atoi(local) % gpus : 0);
  nvshmem_init();
  int me = nvshmem_my_pe(), n = nvshmem_n_pes();
  int* bad; cudaMallocManaged(&bad, sizeof(int)); *bad = 0;
  int* a = (int*)nvshmem_malloc(4096 * sizeof(int));
  int* mine = (int*)nvshmem_malloc(4096 * sizeof(int));
  uint64_t* sig = (uint64_t*)nvshmem_calloc(64, sizeof(uint64_t));
  static int host[4096];
  for (int i = 0; i < 4096; ++i) host[i] = me * 1000 + i;
  cudaMemset(a, 0xff, 4096 * sizeof(int));
  cudaMemcpy(mine, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaStream_t s; cudaStreamCreate(&s);
  nvshmem_barrier_all();
  strided<<<1, 128, 0, s>>>(a, a + 1024, a + 2048, mine, bad);
  cudaStreamSynchronize(s);
  nvshmem_barrier_all();
  warps<<<1, 32, 0, s>>>(a + 1024, mine, (unsigned*)(a + 2048), bad);
  cudaStreamSynchronize(s);
  nvshmem_barrier_all();
  scalars<<<1, 1, 0, s>>>((__half*)a, sig, (int*)(sig + 8), bad);
  cudaStreamSynchronize(s);
  collectives<<<1, 128, 0, s>>>(NVSHMEM_TEAM_WORLD, a, a + 512, (unsigned*)(a + 1024), (unsigned char*)(a + 2048), (__half*)(a + 3072), bad);
  cudaStreamSynchronize(s);
  if (n > 2) {
    nvshmem_team_t even = NVSHMEM_TEAM_INVALID;
    nvshmem_team_split_strided(NVSHMEM_TEAM_WORLD, 0, 2, (n + 1) / 2, nullptr, 0, &even);
    if (even != NVSHMEM_TEAM_INVALID)
      collectives<<<1, 128, 0, s>>>(even, a, a + 512, (unsigned*)(a + 1024), (unsigned char*)(a + 2048), (__half*)(a + 3072), bad);
    cudaStreamSynchronize(s);
  }
  int line = 0;
  nvshmem_barrier_all();
  int next = (me + 1) % n, from = (me + n - 1) % n;
  nvshmemx_float_p_on_stream((float*)a, me + 0.25f, next, s);
  nvshmemx_barrier_all_on_stream(s);
  float got = nvshmemx_float_g_on_stream((float*)a, me, s);
  if (got != from + 0.25f) line = __LINE__;
  nvshmemx_signal_op_on_stream(sig + 40, 11, NVSHMEM_SIGNAL_SET, next, s);
  nvshmemx_uint64_wait_until_on_stream(sig + 40, NVSHMEM_CMP_EQ, 11, s);
  nvshmemx_barrier_all_on_stream(s);
  nvshmemx_int_iput_on_stream(a, mine, 2, 1, 8, next, s);
  nvshmemx_barrier_all_on_stream(s);
  nvshmemx_int_fcollect_on_stream(NVSHMEM_TEAM_WORLD, a + 64, mine, 4, s);
  nvshmemx_uint_sum_reduce_on_stream(NVSHMEM_TEAM_WORLD, (unsigned*)(a + 256), (const unsigned*)mine, 4, s);
  cudaStreamSynchronize(s);
  cudaMemcpy(host, a, sizeof(host), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 8; ++i) if (host[2 * i] != from * 1000 + i) line = __LINE__;
  for (int i = 0; i < 4 * n; ++i) if (host[64 + i] != i / 4 * 1000 + i % 4) line = __LINE__;
  for (int i = 0; i < 4; ++i) if (host[256 + i] != n * (n - 1) / 2 * 1000 + n * i) line = __LINE__;
  if (*bad) line = *bad;
  nvshmem_barrier_all();
  if (line) printf("PE %d of %d: line %d\n", me, n, line); else printf("PE %d of %d: ok\n", me, n);
  nvshmem_finalize();
  return line != 0;
}
