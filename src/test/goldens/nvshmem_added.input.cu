#include <cuda_runtime.h>
#include <nvshmem.h>
#include <nvshmemx.h>
#include "nvshmem_host.h"

#define SYNC(team) nvshmem_team_sync(team)
#define RETURN_IF(call) do { int s = (call); if (s) return; } while (0)

__global__ void helpers(float* d, const float* s, unsigned* u, uint64_t* sig, int op, int pe, // want: W64-WAVES
                        nvshmem_team_t team, size_t n) {
  nvshmem_float_iput(d, s, 1, /* rows */ 4, n, pe);
  nvshmemx_iget16_warp(d, s, 1, 2, n, pe);
  nvshmemx_signal_op(sig, 1, op, pe);
  RETURN_IF(nvshmemx_uint32_max_reduce_block(team, u, u, n));
  RETURN_IF(nvshmemx_float_alltoall_block(team, d, s, n));
  nvshmem_int16_sum_reduce(team, (short*)d, (const short*)s, n);
  nvshmem_broadcastmem(team, d, s, n * sizeof(float), 0);
  SYNC(team);
}

__host__ __device__ void both(nvshmem_team_t team) {
  nvshmem_barrier(team);
  ::nvshmem_quiet();
}

void streams(nvshmem_team_t team, double* d, const double* s, int* flags, cudaStream_t stream) {
  double first = nvshmemx_double_g_on_stream(s, 1, stream);
  nvshmemx_double_p_on_stream(d, first + 1, 1, stream);
  nvshmemx_int_wait_until_all_on_stream(flags, 4, nullptr, NVSHMEM_CMP_NE, 0, stream);
  nvshmemx_double_fcollect_on_stream(team, d, s, 8, stream);
  void (*put)(void*, const void*, size_t, int) = nvshmem_putmem;
  auto wide = nvshmem_put64; // want: SHMEM-RMA
}
