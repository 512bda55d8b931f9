// One launch on several GPUs: in one order with what is in all streams, and with a barrier for all.
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_runtime.h>

#include "check.h"

namespace cg = cooperative_groups;

/** Each GPU counts its threads; after the barrier each sees the sum of all. */
__global__ void meet(int* counters, int* seen) {
  cg::multi_grid_group all = cg::this_multi_grid();
  if (threadIdx.x == 0) atomicAdd_system(&counters[all.grid_rank()], static_cast<int>(blockDim.x));
  all.sync();
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    int sum = 0;
    for (unsigned i = 0; i < all.num_grids(); i++) {
      sum += __hip_atomic_load(&counters[i], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
    }
    seen[all.grid_rank()] = sum;
    seen[2 + all.grid_rank()] = static_cast<int>(all.size());
  }
  if (all.thread_rank() == all.size() - 1) seen[4] = static_cast<int>(all.grid_rank());
}

__global__ void store(int* to, int value) { *to = value; }

int main() {
  int together = 0;
  WORKS(hipDeviceGetAttribute(&together, hipDeviceAttributeCooperativeMultiDeviceLaunch, 0));
  HOLDS(together == 1);
  int *counters = nullptr, *seen = nullptr;
  WORKS(hipHostMalloc(reinterpret_cast<void**>(&counters), 64, 0));
  WORKS(hipHostMalloc(reinterpret_cast<void**>(&seen), 64, 0));
  for (int i = 0; i < 16; i++) counters[i] = seen[i] = 0;
  hipStream_t streams[2];
  for (int i = 0; i < 2; i++) {
    WORKS(hipSetDevice(i));
    WORKS(hipStreamCreate(&streams[i]));
  }
  void* arguments[] = {&counters, &seen};
  hipLaunchParams list[2];
  for (int i = 0; i < 2; i++) {
    list[i] = {reinterpret_cast<void*>(meet), dim3(3), dim3(128), arguments, 0, streams[i]};
  }
  list[1].gridDim = dim3(5);
  WORKS(hipLaunchCooperativeKernelMultiDevice(list, 2, 0));
  for (hipStream_t stream : streams) WORKS(hipStreamSynchronize(stream));
  HOLDS(counters[0] == 3 * 128 && counters[1] == 5 * 128);
  HOLDS(seen[0] == 8 * 128 && seen[1] == 8 * 128);
  HOLDS(seen[2] == 8 * 128 && seen[3] == 8 * 128);
  HOLDS(seen[4] == 1);

  // By module functions.
  hipFunction_t functions[2];
  hipFunctionLaunchParams named[2] = {};
  for (int i = 0; i < 2; i++) {
    WORKS(hipSetDevice(i));
    WORKS(hipGetFuncBySymbol(&functions[i], reinterpret_cast<void*>(meet)));
    named[i].function = functions[i];
    named[i].gridDimX = 2;
    named[i].gridDimY = named[i].gridDimZ = named[i].blockDimY = named[i].blockDimZ = 1;
    named[i].blockDimX = 64;
    named[i].hStream = streams[i];
    named[i].kernelParams = arguments;
  }
  WORKS(hipModuleLaunchCooperativeKernelMultiDevice(named, 2, 0));
  for (hipStream_t stream : streams) WORKS(hipStreamSynchronize(stream));
  HOLDS(seen[0] == 8 * 128 + 4 * 64 && seen[2] == 4 * 64);

  // Without a barrier: any kernels.
  int values[2] = {7, 8};
  int* places[2] = {&seen[8], &seen[9]};
  void* each[2][2] = {{&places[0], &values[0]}, {&places[1], &values[1]}};
  for (int i = 0; i < 2; i++) {
    list[i] = {reinterpret_cast<void*>(store), dim3(1), dim3(1), each[i], 0, streams[i]};
  }
  WORKS(hipExtLaunchMultiKernelMultiDevice(list, 2, 0));
  for (hipStream_t stream : streams) WORKS(hipStreamSynchronize(stream));
  HOLDS(seen[8] == 7 && seen[9] == 8);

  GIVES(hipLaunchCooperativeKernelMultiDevice(nullptr, 2, 0), hipErrorInvalidValue);
  GIVES(hipLaunchCooperativeKernelMultiDevice(list, 3, 0), hipErrorInvalidDevice);
  GIVES(hipLaunchCooperativeKernelMultiDevice(list, 2, 8), hipErrorInvalidValue);
  list[1].stream = streams[0];
  GIVES(hipLaunchCooperativeKernelMultiDevice(list, 2, 0), hipErrorInvalidDevice);
  list[1].stream = nullptr;
  GIVES(hipLaunchCooperativeKernelMultiDevice(list, 2, 0), hipErrorInvalidHandle);
  list[1].stream = streams[1];
  list[1].gridDim = dim3(1 << 20);
  GIVES(hipLaunchCooperativeKernelMultiDevice(list, 2, 0), hipErrorCooperativeLaunchTooLarge);
  WORKS(hipHostFree(counters));
  WORKS(hipHostFree(seen));
  return done();
}
