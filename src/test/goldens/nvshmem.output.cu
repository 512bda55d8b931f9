#include <hip/hip_runtime.h>
#include <rocshmem/rocshmem.hpp>

// nvshmem_putmem stays in a comment, and "nvshmem_putmem" in a string.
static const char* const kName = "nvshmem_putmem";

#define CHECK(call) do { if ((call) != 0) abort(); } while (0)

__global__ void exchange(float* dest, const float* source, size_t n, uint64_t* flag, int peer,
                         rocshmem::rocshmem_team_t team) {
  rocshmem::rocshmem_float_put_nbi_wg(dest, source, n / 2, peer);
  rocshmem::rocshmem_fence();
  if (threadIdx.x == 0) {
    rocshmem::rocshmem_ulong_p(flag, 1, peer);
    rocshmem::rocshmem_ulong_wait_until(flag, rocshmem::ROCSHMEM_CMP_GE, 1);
    rocshmem::rocshmem_long_wait_until((int64_t*)flag, rocshmem::ROCSHMEM_CMP_LE, 1); // want: SHMEM-LITERAL
    int k = rocshmem::rocshmem_team_translate_pe(team, 0, rocshmem::ROCSHMEM_TEAM_WORLD);
    rocshmem::rocshmem_putmem_signal(dest + k, source, 16, flag, 1, rocshmem::ROCSHMEM_SIGNAL_SET, peer); // want: SHMEM-LITERAL
  }
  rocshmem::rocshmem_putmem(dest /* there */, source /* here */, (n + 1) * 16, peer);
  rocshmem::rocshmem_ctx_barrier_wg(rocshmem::ROCSHMEM_CTX_DEFAULT, team);
  int status = (rocshmem::rocshmem_ctx_sync_wg(rocshmem::ROCSHMEM_CTX_DEFAULT, team), 0);
  rocshmem::rocshmem_ctx_int_sum_reduce_wg(rocshmem::ROCSHMEM_CTX_DEFAULT, team, (int*)dest, (const int*)source, status);
}

// The value of a call that rocSHMEM's does not have.
int broadcast(rocshmem::rocshmem_team_t team, double* x, size_t n, hipStream_t stream) {
  CHECK((rocshmem::rocshmem_barrier_on_stream(team, stream), 0));
  return (rocshmem::rocshmem_barrier_on_stream(team, stream), (rocshmem::rocshmem_broadcastmem_on_stream(team, x, x, (n) * sizeof(double), 0, stream)), 0);
}

void start(int rank, int size) {
  rocshmem::rocshmem_init_attr_t attr = {};
  rocshmem::rocshmem_uniqueid_t id = {};
  CHECK(rocshmem::rocshmem_get_uniqueid(&id));
  rocshmem::rocshmem_set_attr_uniqueid_args(rank, size, &id, &attr);
  rocshmem::rocshmem_init_attr(rocshmem::ROCSHMEM_INIT_WITH_UNIQUEID, &attr); // want: SHMEM-LITERAL
  rocshmem::rocshmem_team_t half = rocshmem::ROCSHMEM_TEAM_INVALID;
  rocshmem::rocshmem_team_split_strided(rocshmem::ROCSHMEM_TEAM_WORLD, 0, 2, size / 2, nullptr, 0, &half);
  if (half != rocshmem::ROCSHMEM_TEAM_INVALID) rocshmem::rocshmem_barrier(half);
  rocshmem::rocshmem_team_t first = rocshmem::ROCSHMEM_TEAM_WORLD; // want: SHMEM-LITERAL
  if (!first) rocshmem::rocshmem_team_destroy(half); // want: SHMEM-LITERAL
  void* p = rocshmem::rocshmem_malloc(sizeof(kName));
  hipLaunchKernel((const void*)exchange, 1, 512, nullptr, 0, 0);
  nvshmem_int_atomic_inc((int*)p, 0); // want: SHMEM-ATOMIC
  nvshmemx_future_call(p); // want: API-OTHERS
}

struct Comm {
  void nvshmem_quiet();
  void run() { this->nvshmem_quiet(); }
};
