// ends HOW: two ranks, one of which ends: exit, die, or after a wrong call. The other one waits in a
// kernel for what never comes.
#include "check.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

namespace {

__global__ void forever(uint64_t* flag) { rocshmem_signal_wait_until(flag, ROCSHMEM_CMP_EQ, 1); }

__global__ void offTheHeap(int* to, int* elsewhere) {
  *elsewhere = 1;
  rocshmem_int_put(elsewhere, to, 1, 0);
}

[[noreturn]] void run(int rank, rocshmem_uniqueid_t id, const std::string& how) {
  HIP(hipSetDevice(rank));
  rocshmem_init_attr_t attributes = {};
  rocshmem_set_attr_uniqueid_args(rank, 2, &id, &attributes);
  if (rocshmem_init_attr(ROCSHMEM_INIT_WITH_UNIQUEID, &attributes) != ROCSHMEM_SUCCESS) exit(3);
  auto* flag = static_cast<uint64_t*>(rocshmem_calloc(1, sizeof(uint64_t)));
  if (rank == 0) {
    forever<<<1, 1>>>(flag);
    HIP(hipDeviceSynchronize());
  } else if (how == "exit") {
    rocshmem_global_exit(7);
  } else if (how == "die") {
    raise(SIGKILL);
  } else {
    int* elsewhere = nullptr;
    HIP(hipMalloc(reinterpret_cast<void**>(&elsewhere), sizeof(int)));
    offTheHeap<<<1, 1>>>(reinterpret_cast<int*>(flag), elsewhere);
    HIP(hipDeviceSynchronize());
  }
  exit(0);
}

}  // namespace

int main(int argc, char** argv) {
  rocshmem_uniqueid_t id;
  if (argc < 2 || rocshmem_get_uniqueid(&id) != ROCSHMEM_SUCCESS) return 3;
  for (int rank = 0; rank < 2; rank++) {
    if (fork() == 0) run(rank, id, argv[1]);
  }
  int status = 0;
  std::string codes;
  while (wait(&status) > 0) {
    codes += WIFEXITED(status) ? " code " + std::to_string(WEXITSTATUS(status)) : " signal " + std::to_string(WTERMSIG(status));
  }
  printf("ended:%s\n", codes.c_str());
}
