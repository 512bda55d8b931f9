// Two processes with one device, and two GPUs: memory by handles and by peer access.
#include <hip/hip_runtime.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

__global__ void add(int* x) { atomicAdd(x, 1); }

int main() {
  int toChild[2], toParent[2];
  HOLDS(pipe(toChild) == 0 && pipe(toParent) == 0);
  hipIpcMemHandle_t handle;
  pid_t child = fork();  // before any call of HIP, so that both are programs of their own
  if (child == 0) {
    char go = 0;
    if (read(toChild[0], &handle, sizeof handle) != static_cast<ssize_t>(sizeof handle)) _exit(9);
    void* memory = nullptr;
    WORKS(hipIpcOpenMemHandle(&memory, handle, hipIpcMemLazyEnablePeerAccess));
    add<<<2, 64>>>(static_cast<int*>(memory));
    int seen = 0;
    WORKS(hipMemcpy(&seen, memory, sizeof seen, hipMemcpyDeviceToHost));
    HOLDS(seen == 1000 + 128);
    WORKS(hipIpcCloseMemHandle(memory));
    GIVES(hipMemcpy(&seen, memory, sizeof seen, hipMemcpyDeviceToHost), hipErrorInvalidValue);
    HOLDS(write(toParent[1], &go, 1) == 1);
    _exit(failures);
  }
  int* memory = nullptr;
  WORKS(hipMalloc(reinterpret_cast<void**>(&memory), 4));
  WORKS(hipMemsetD32(memory, 1000, 1));
  WORKS(hipIpcGetMemHandle(&handle, memory));
  void* again = nullptr;
  GIVES(hipIpcOpenMemHandle(&again, handle, hipIpcMemLazyEnablePeerAccess), hipErrorInvalidContext);
  HOLDS(write(toChild[1], &handle, sizeof handle) == static_cast<ssize_t>(sizeof handle));
  char ended = 0;
  HOLDS(read(toParent[0], &ended, 1) == 1);
  add<<<1, 1>>>(memory);
  int seen = 0;
  WORKS(hipMemcpy(&seen, memory, sizeof seen, hipMemcpyDeviceToHost));
  HOLDS(seen == 1000 + 129);
  int status = 0;
  waitpid(child, &status, 0);
  HOLDS(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  // The other GPU reaches this memory only where it was told so.
  int count = 0;
  WORKS(hipGetDeviceCount(&count));
  if (count > 1) {
    int can = 0;
    WORKS(hipDeviceCanAccessPeer(&can, 1, 0));
    HOLDS(can == 1);
    WORKS(hipSetDevice(1));
    WORKS(hipDeviceEnablePeerAccess(0, 0));
    GIVES(hipDeviceEnablePeerAccess(0, 0), hipErrorPeerAccessAlreadyEnabled);
    add<<<1, 1>>>(memory);
    WORKS(hipDeviceSynchronize());
    WORKS(hipDeviceDisablePeerAccess(0));
    GIVES(hipDeviceDisablePeerAccess(0), hipErrorPeerAccessNotEnabled);
    WORKS(hipSetDevice(0));
    WORKS(hipMemcpy(&seen, memory, sizeof seen, hipMemcpyDeviceToHost));
    HOLDS(seen == 1000 + 130);
    int* other = nullptr;
    WORKS(hipSetDevice(1));
    WORKS(hipMalloc(reinterpret_cast<void**>(&other), 4));
    WORKS(hipMemcpyPeer(other, 1, memory, 0, 4));
    WORKS(hipMemcpy(&seen, other, sizeof seen, hipMemcpyDeviceToHost));
    HOLDS(seen == 1000 + 130);
  }
  WORKS(hipFree(memory));
  return done();
}
