#include <cuda_runtime.h>
#include <nvshmem.h>
#include <nvshmemx.h>

#if NVSHMEM_VENDOR_MAJOR_VERSION >= 3 // want: SHMEM-NAME
#define HAS_TEAMS 1
#endif
#define ATLEAST 5
enum Operation { kSet = 9, kAdd = 10 };
static const int kEqual = 0;

__global__ void waits(int* flag, uint64_t* sig, int cmp, bool less) {
  nvshmem_int_wait_until(flag, 0, 1); // want: SHMEM-LITERAL
  nvshmem_int_wait_until(flag, static_cast<int>(5), 1); // want: SHMEM-LITERAL
  nvshmem_int_wait_until(flag, (int)4, 1); // want: SHMEM-LITERAL
  nvshmem_int_wait_until(flag, 0x3, 1); // want: SHMEM-LITERAL
  nvshmem_int_wait_until(flag, 6, 1); // want: SHMEM-LITERAL
  nvshmem_int_wait_until(flag, ATLEAST, 1); // want: SHMEM-LITERAL
  nvshmem_int_wait_until(flag, kEqual, 1); // want: SHMEM-LITERAL
  nvshmem_int_wait_until(flag, less ? 4 : 2, 1); // want: SHMEM-LITERAL
  nvshmem_int_wait_until(flag, cmp, 1);
  nvshmem_int_wait_until(flag, less ? NVSHMEM_CMP_LT : NVSHMEM_CMP_GT, 1);
  nvshmem_putmem_signal(flag, flag, 4, sig, 1, kAdd, 0); // want: SHMEM-LITERAL
  nvshmem_putmem_signal(flag, flag, 4, sig, 1, 1, 0); // want: SHMEM-LITERAL
  int found = nvshmem_int_test(flag, 2, 1); // want: SHMEM-LITERAL
  nvshmem_putmem_signal(flag, flag, 4, sig, found, NVSHMEM_SIGNAL_SET, 0);
}

nvshmem_team_t pick(bool world) {
  if (world) return 0; // want: SHMEM-LITERAL
  return -1; // want: SHMEM-LITERAL
}

struct Teams {
  nvshmem_team_t world = 0; // want: SHMEM-LITERAL
  nvshmem_team_t part{}; // want: SHMEM-LITERAL
};

__global__ void one(int* flag) {
  int how = 3;
  nvshmem_int_wait_until(flag, how, 1); // want: SHMEM-LITERAL
}

__global__ void other(int* flag, int how, bool less) {
  nvshmem_int_wait_until(flag, how, 1);
  int which = 0;
  if (less) which = NVSHMEM_CMP_LT;
  nvshmem_int_wait_until(flag, which, 1);
}

void teams(int handle, cudaStream_t stream) {
  nvshmem_team_t all[2] = {0, -1}; // want: SHMEM-LITERAL, SHMEM-LITERAL
  nvshmem_team_t mine = (nvshmem_team_t)handle; // want: SHMEM-LITERAL
  nvshmem_team_t none = NVSHMEM_TEAM_INVALID, other = none;
  if (none == -1 || mine != 0) return; // want: SHMEM-LITERAL, SHMEM-LITERAL
  if (mine < 0) return; // want: SHMEM-LITERAL
  if (other == mine) return;
  memset(&none, 0, sizeof(none)); // want: SHMEM-LITERAL
  nvshmemx_barrier_on_stream(2, stream); // want: SHMEM-LITERAL
  nvshmemx_barrier_on_stream(all[0], stream);
  nvshmem_team_t whole = 0; // want: SHMEM-LITERAL
  nvshmemx_barrier_on_stream(whole, stream);
  int count = 0;
  if (count == 0) nvshmem_barrier_all();
}
