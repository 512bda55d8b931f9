#include <hip/hip_runtime.h>
#include <rocshmem/rocshmem.hpp>

#if ROCSHMEM_VENDOR_MAJOR_VERSION >= 3 // want: SHMEM-NAME
#define HAS_TEAMS 1
#endif
#define ATLEAST 5
enum Operation { kSet = 9, kAdd = 10 };
static const int kEqual = 0;

__global__ void waits(int* flag, uint64_t* sig, int cmp, bool less) {
  rocshmem::rocshmem_int_wait_until(flag, rocshmem::ROCSHMEM_CMP_EQ, 1); // want: SHMEM-LITERAL
  rocshmem::rocshmem_int_wait_until(flag, rocshmem::ROCSHMEM_CMP_GE, 1); // want: SHMEM-LITERAL
  rocshmem::rocshmem_int_wait_until(flag, rocshmem::ROCSHMEM_CMP_LT, 1); // want: SHMEM-LITERAL
  rocshmem::rocshmem_int_wait_until(flag, rocshmem::ROCSHMEM_CMP_LE, 1); // want: SHMEM-LITERAL
  rocshmem::rocshmem_int_wait_until(flag, 6, 1); // want: SHMEM-LITERAL
  rocshmem::rocshmem_int_wait_until(flag, ATLEAST, 1); // want: SHMEM-LITERAL
  rocshmem::rocshmem_int_wait_until(flag, kEqual, 1); // want: SHMEM-LITERAL
  rocshmem::rocshmem_int_wait_until(flag, less ? 4 : 2, 1); // want: SHMEM-LITERAL
  rocshmem::rocshmem_int_wait_until(flag, cmp, 1);
  rocshmem::rocshmem_int_wait_until(flag, less ? rocshmem::ROCSHMEM_CMP_LT : rocshmem::ROCSHMEM_CMP_GT, 1);
  rocshmem::rocshmem_putmem_signal(flag, flag, 4, sig, 1, kAdd, 0); // want: SHMEM-LITERAL
  rocshmem::rocshmem_putmem_signal(flag, flag, 4, sig, 1, 1, 0); // want: SHMEM-LITERAL
  int found = rocshmem::rocshmem_int_test(flag, rocshmem::ROCSHMEM_CMP_GT, 1); // want: SHMEM-LITERAL
  rocshmem::rocshmem_putmem_signal(flag, flag, 4, sig, found, rocshmem::ROCSHMEM_SIGNAL_SET, 0);
}

rocshmem::rocshmem_team_t pick(bool world) {
  if (world) return rocshmem::ROCSHMEM_TEAM_WORLD; // want: SHMEM-LITERAL
  return rocshmem::ROCSHMEM_TEAM_INVALID; // want: SHMEM-LITERAL
}

struct Teams {
  rocshmem::rocshmem_team_t world = rocshmem::ROCSHMEM_TEAM_WORLD; // want: SHMEM-LITERAL
  rocshmem::rocshmem_team_t part{}; // want: SHMEM-LITERAL
};

__global__ void one(int* flag) {
  int how = 3;
  rocshmem::rocshmem_int_wait_until(flag, how, 1); // want: SHMEM-LITERAL
}

__global__ void other(int* flag, int how, bool less) {
  rocshmem::rocshmem_int_wait_until(flag, how, 1);
  int which = 0;
  if (less) which = rocshmem::ROCSHMEM_CMP_LT;
  rocshmem::rocshmem_int_wait_until(flag, which, 1);
}

void teams(int handle, hipStream_t stream) {
  rocshmem::rocshmem_team_t all[2] = {rocshmem::ROCSHMEM_TEAM_WORLD, rocshmem::ROCSHMEM_TEAM_INVALID}; // want: SHMEM-LITERAL, SHMEM-LITERAL
  rocshmem::rocshmem_team_t mine = (rocshmem::rocshmem_team_t)handle; // want: SHMEM-LITERAL
  rocshmem::rocshmem_team_t none = rocshmem::ROCSHMEM_TEAM_INVALID, other = none;
  if (none == rocshmem::ROCSHMEM_TEAM_INVALID || mine != rocshmem::ROCSHMEM_TEAM_WORLD) return; // want: SHMEM-LITERAL, SHMEM-LITERAL
  if (mine < 0) return; // want: SHMEM-LITERAL
  if (other == mine) return;
  memset(&none, 0, sizeof(none)); // want: SHMEM-LITERAL
  rocshmem::rocshmem_barrier_on_stream(2, stream); // want: SHMEM-LITERAL
  rocshmem::rocshmem_barrier_on_stream(all[0], stream);
  rocshmem::rocshmem_team_t whole = rocshmem::ROCSHMEM_TEAM_WORLD; // want: SHMEM-LITERAL
  rocshmem::rocshmem_barrier_on_stream(whole, stream);
  int count = 0;
  if (count == 0) rocshmem::rocshmem_barrier_all();
}
