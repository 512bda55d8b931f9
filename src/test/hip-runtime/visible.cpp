// HIP_VISIBLE_DEVICES: which GPUs a process sees, and in which order. Needs a device with two GPUs.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "check.h"

static bool ownMemoryWorks(int gpu) {
  void* memory = nullptr;
  char back[4] = {};
  return hipSetDevice(gpu) == hipSuccess && hipMalloc(&memory, 64) == hipSuccess &&
         hipMemcpy(memory, "abc", 4, hipMemcpyHostToDevice) == hipSuccess &&
         hipMemcpy(back, memory, 4, hipMemcpyDeviceToHost) == hipSuccess &&
         std::strcmp(back, "abc") == 0 && hipFree(memory) == hipSuccess;
}

static bool peersReachEachOther() {
  void *first = nullptr, *second = nullptr;
  return hipSetDevice(0) == hipSuccess && hipMalloc(&first, 64) == hipSuccess &&
         hipSetDevice(1) == hipSuccess && hipMalloc(&second, 64) == hipSuccess &&
         hipMemcpyPeer(second, 1, first, 0, 64) == hipSuccess;
}

// A process reads the variables once, so each case has one of its own.
static void sees(const char* list, int wanted) {
  pid_t child = fork();
  if (child == 0) {
    setenv("HIP_VISIBLE_DEVICES", list, 1);
    int count = -1;
    hipError_t result = hipGetDeviceCount(&count);
    bool right = wanted == 0 ? result == hipErrorNoDevice : result == hipSuccess && count == wanted;
    for (int gpu = 0; right && gpu < wanted; gpu++) right = ownMemoryWorks(gpu);
    if (right && wanted == 2) right = peersReachEachOther();
    if (right && wanted > 0) right = hipSetDevice(wanted) == hipErrorInvalidDevice;
    _exit(right ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (status != 0) {
    std::printf("HIP_VISIBLE_DEVICES=%s: not %d GPUs that work\n", list, wanted);
    failures++;
  }
}

int main() {
  sees("0", 1);
  sees("1", 1);
  sees("1,0", 2);
  sees("0,7", 1);
  sees("", 2);
  sees("-1", 0);
  return done();
}
