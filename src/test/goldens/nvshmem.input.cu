#include <cuda_runtime.h>
#include <nvshmem.h>
#include <nvshmemx.h>

// nvshmem_putmem stays in a comment, and "nvshmem_putmem" in a string.
static const char* const kName = "nvshmem_putmem";

#define CHECK(call) do { if ((call) != 0) abort(); } while (0)

__global__ void exchange(float* dest, const float* source, size_t n, uint64_t* flag, int peer,
                         nvshmem_team_t team) {
  nvshmemx_float_put_nbi_block(dest, source, n / 2, peer);
  nvshmem_fence();
  if (threadIdx.x == 0) {
    nvshmem_uint64_p(flag, 1, peer);
    nvshmem_uint64_wait_until(flag, NVSHMEM_CMP_GE, 1);
    nvshmem_int64_wait_until((int64_t*)flag, 3, 1); // want: SHMEM-LITERAL
    int k = nvshmem_team_translate_pe(team, 0, NVSHMEM_TEAM_WORLD);
    nvshmem_putmem_signal(dest + k, source, 16, flag, 1, 9, peer); // want: SHMEM-LITERAL
  }
  nvshmem_put128(dest /* there */, source /* here */, n + 1, peer);
  nvshmemx_barrier_block(team);
  int status = nvshmemx_sync_block(team);
  nvshmemx_int_sum_reduce_block(team, (int*)dest, (const int*)source, status);
}

// The value of a call that rocSHMEM's does not have.
int broadcast(nvshmem_team_t team, double* x, size_t n, cudaStream_t stream) {
  CHECK(nvshmemx_barrier_on_stream(team, stream));
  return nvshmemx_double_broadcast_on_stream(team, x, x, n, 0, stream);
}

void start(int rank, int size) {
  nvshmemx_init_attr_t attr = NVSHMEMX_INIT_ATTR_INITIALIZER;
  nvshmemx_uniqueid_t id = NVSHMEMX_UNIQUEID_INITIALIZER;
  CHECK(nvshmemx_get_uniqueid(&id));
  nvshmemx_set_attr_uniqueid_args(rank, size, &id, &attr);
  nvshmemx_init_attr(8, &attr); // want: SHMEM-LITERAL
  nvshmem_team_t half = NVSHMEM_TEAM_INVALID;
  nvshmem_team_split_strided(NVSHMEM_TEAM_WORLD, 0, 2, size / 2, nullptr, 0, &half);
  if (half != NVSHMEM_TEAM_INVALID) nvshmem_barrier(half);
  nvshmem_team_t first = 0; // want: SHMEM-LITERAL
  if (!first) nvshmem_team_destroy(half); // want: SHMEM-LITERAL
  void* p = nvshmem_malloc(sizeof(kName));
  nvshmemx_collective_launch((const void*)exchange, 1, 512, nullptr, 0, 0);
  nvshmem_int_atomic_inc((int*)p, 0); // want: SHMEM-ATOMIC
  nvshmemx_future_call(p); // want: API-OTHERS
}

struct Comm {
  void nvshmem_quiet();
  void run() { this->nvshmem_quiet(); }
};
