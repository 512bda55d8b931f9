// Children of fork(): before the first call of HIP they are programs of their own; after it they are
// told that they cannot use HIP, and their parent goes on.
#include <hip/hip_runtime.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "check.h"

__global__ void add(int* x) { atomicAdd(x, 1); }

void work() {
  int* memory = nullptr;
  WORKS(hipMalloc(reinterpret_cast<void**>(&memory), 4));
  WORKS(hipMemset(memory, 0, 4));
  add<<<2, 64>>>(memory);
  int seen = 0;
  WORKS(hipMemcpy(&seen, memory, sizeof seen, hipMemcpyDeviceToHost));
  HOLDS(seen == 128);
  WORKS(hipFree(memory));
}

bool endsWell(pid_t child) {
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int main(int count, char**) {
  if (count > 1) {
    work();
    return failures;
  }
  pid_t early = fork();
  if (early == 0) {
    work();
    std::exit(failures);
  }
  work();
  HOLDS(endsWell(early));

  int words[2];
  HOLDS(pipe(words) == 0);
  std::fflush(stdout);
  pid_t late = fork();
  if (late == 0) {
    dup2(words[1], 2);
    void* memory = nullptr;
    GIVES(hipMalloc(&memory, 4), hipErrorNotInitialized);
    add<<<1, 1>>>(nullptr);
    GIVES(hipGetLastError(), hipErrorNotInitialized);
    GIVES(hipDeviceSynchronize(), hipErrorNotInitialized);
    std::exit(failures);
  }
  close(words[1]);
  HOLDS(endsWell(late));
  char told[1000] = {};
  HOLDS(read(words[0], told, sizeof told - 1) > 0);
  HOLDS(std::strstr(told, "HIP was used before fork()") != nullptr);
  work();

  // A child that becomes a program of its own can.
  pid_t other = fork();
  if (other == 0) {
    execl("/proc/self/exe", "forks", "again", static_cast<char*>(nullptr));
    _exit(127);
  }
  HOLDS(endsWell(other));
  work();
  return done();
}
