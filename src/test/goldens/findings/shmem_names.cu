// NVSHMEM calls with a difference in rocSHMEM, and one that it lacks.
#include <device/tile/nvshmem_tile.h>  // want: API-NVSHMEM
#include <nvshmem.h>
#include <nvshmemx.h>

void exchange(nvshmem_team_t team, int *p, const int *q, uint64_t *signal, cudaStream_t s) {  // want: SHMEM-NAME
  nvshmem_init();  // want: SHMEM-SETUP
  nvshmemx_int_p_on_stream(p, 1, 0, s);  // want: SHMEM-ADDED
  nvshmemx_signal_wait_until_on_stream(signal, NVSHMEM_CMP_EQ, 1, s);
  nvshmemx_int_sum_reduce_on_stream(team, p, q, 4, s);  // want: SHMEM-COLLECTIVE
}

__global__ void put(int *p, const int *q, uint64_t *signal) {  // want: W64-WAVES
  nvshmemx_int_put_warp(p, q, 4, 1);  // want: SHMEM-RMA, W64-SITE
  nvshmemx_int_put_signal_warp(p, q, 4, signal, 1, NVSHMEM_SIGNAL_SET, 1);  // want: SHMEM-SIGNAL, W64-SITE
  nvshmem_int_put(p, q, 4, 1);  // ok: SHMEM-RMA
}
