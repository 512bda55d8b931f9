// Launches: arguments, symbols, managed variables, output, limits, modules.
#include <hip/hip_runtime.h>
#include <hip/hip_ext.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "check.h"

__constant__ int factors[4];
__device__ int calls = 5;
__managed__ int shared = 11;

struct Pair {
  char first;
  double second;
};

__global__ void mix(int* out, char a, Pair pair, short b, const int* in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] * factors[i % 4] + a + b + pair.first + static_cast<int>(pair.second);
  if (i == 0) {
    calls++;
    shared += 2;
  }
}

__global__ void __launch_bounds__(128) narrow(int* out) { out[threadIdx.x] = 1; }

__global__ void shout(int number) { printf("kernel %d\n", number); }

extern "C" __global__ void fill(int* out, int value) {
  extern __shared__ int words[];
  words[threadIdx.x] = value;
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = words[blockDim.x - 1 - threadIdx.x];
}

__global__ void nothing() {}

/** Ticks of both clocks while one of them counts so many of its own. */
__global__ void count(long long* ticks, long long most) {
  long long start = wall_clock64(), cycles = clock64(), now;
  do {
    now = wall_clock64();
  } while (now - start < most);
  ticks[0] = now - start;
  ticks[1] = clock64() - cycles;
}

static int* deviceWords(size_t count) {
  int* words = nullptr;
  WORKS(hipMalloc(reinterpret_cast<void**>(&words), count * sizeof(int)));
  return words;
}

static void argumentsArriveWhereKernelsReadThem() {
  constexpr int N = 256;
  std::vector<int> in(N), out(N);
  for (int i = 0; i < N; i++) in[i] = i;
  const int table[4] = {1, 2, 3, 4};
  WORKS(hipMemcpyToSymbol(HIP_SYMBOL(factors), table, sizeof table));
  GIVES(hipMemcpyToSymbol(HIP_SYMBOL(factors), table, sizeof table, 4), hipErrorInvalidValue);
  GIVES(hipGetLastError(), hipErrorInvalidValue);
  int* from = deviceWords(N);
  int* to = deviceWords(N);
  WORKS(hipMemcpy(from, in.data(), N * sizeof(int), hipMemcpyHostToDevice));
  HOLDS(shared == 11);
  mix<<<N / 64, 64>>>(to, 100, Pair{7, 2000.5}, -3, from);
  WORKS(hipGetLastError());
  WORKS(hipMemcpy(out.data(), to, N * sizeof(int), hipMemcpyDeviceToHost));
  bool right = true;
  for (int i = 0; i < N; i++) right = right && out[i] == i * table[i % 4] + 100 - 3 + 7 + 2000;
  HOLDS(right);
  int seen = 0;
  WORKS(hipMemcpyFromSymbol(&seen, HIP_SYMBOL(calls), sizeof seen));
  HOLDS(seen == 6 && shared == 13);
  size_t size = 0;
  WORKS(hipGetSymbolSize(&size, HIP_SYMBOL(factors)));
  HOLDS(size == sizeof table);
  GIVES(hipMemcpyToSymbol(table, table, 4), hipErrorInvalidSymbol);
  WORKS(hipFree(from));
  WORKS(hipFree(to));
}

static void clocksCountAtTheRatesOfTheProperties() {
  int wall = 0, full = 0;
  WORKS(hipDeviceGetAttribute(&wall, hipDeviceAttributeWallClockRate, 0));
  WORKS(hipDeviceGetAttribute(&full, hipDeviceAttributeClockRate, 0));
  HOLDS(wall == 100000);
  long long* ticks = nullptr;
  WORKS(hipHostMalloc(reinterpret_cast<void**>(&ticks), 2 * sizeof(long long), 0));
  // Several tries: between the reads of the two clocks, the wave may have to wait.
  double best = 1;
  for (int i = 0; i < 20 && best > 0.02; i++) {
    count<<<1, 1>>>(ticks, 2000000);
    WORKS(hipDeviceSynchronize());
    HOLDS(ticks[0] >= 2000000);
    best = std::min(best, std::fabs(double(ticks[1]) / double(ticks[0]) * wall / full - 1));
  }
  HOLDS(best <= 0.02);
  WORKS(hipHostFree(ticks));
}

static void shapesThatCannotBeAreRefused() {
  int* out = deviceWords(1024);
  mix<<<0, 64>>>(out, 0, Pair{}, 0, out);
  GIVES(hipGetLastError(), hipErrorInvalidValue);
  mix<<<1, 2048>>>(out, 0, Pair{}, 0, out);
  GIVES(hipGetLastError(), hipErrorInvalidConfiguration);
  fill<<<1, 64, 65537>>>(out, 1);
  GIVES(hipGetLastError(), hipErrorInvalidValue);
  narrow<<<1, 256>>>(out);
  GIVES(hipGetLastError(), hipErrorLaunchFailure);
  narrow<<<1 << 25, 128>>>(out);
  GIVES(hipGetLastError(), hipErrorInvalidConfiguration);
  // Only the threads of a dimension are limited.
  narrow<<<dim3(1, 1, 70000), 1>>>(out);
  WORKS(hipGetLastError());
  GIVES(hipLaunchKernel(reinterpret_cast<const void*>(&shapesThatCannotBeAreRefused), dim3(1), dim3(1), nullptr, 0, nullptr),
        hipErrorInvalidDeviceFunction);
  (void)hipGetLastError();
  int value = 1;
  void* arguments[] = {&out, &value};
  GIVES(hipLaunchCooperativeKernel(reinterpret_cast<const void*>(fill), dim3(1 << 20), dim3(1024), arguments, 4096, nullptr),
        hipErrorCooperativeLaunchTooLarge);
  GIVES(hipLaunchCooperativeKernel(reinterpret_cast<const void*>(fill), dim3(0), dim3(64), arguments, 256, nullptr),
        hipErrorInvalidConfiguration);
  hipFunction_t function;
  WORKS(hipGetFuncBySymbol(&function, reinterpret_cast<const void*>(fill)));
  GIVES(hipModuleLaunchKernel(function, 0, 1, 1, 64, 1, 1, 256, nullptr, arguments, nullptr), hipErrorInvalidValue);
  GIVES(hipModuleLaunchKernel(function, 1, 1, 65537, 1, 1, 1, 256, nullptr, arguments, nullptr), hipErrorInvalidValue);
  GIVES(hipModuleLaunchKernel(function, 1, 1, 1, 1025, 1, 1, 256, nullptr, arguments, nullptr), hipErrorInvalidValue);
  GIVES(hipModuleLaunchKernel(function, 1, 1, 1, 64, 1, 1, 65537, nullptr, arguments, nullptr), hipErrorInvalidValue);
  hipStream_t gone;
  WORKS(hipStreamCreate(&gone));
  WORKS(hipStreamDestroy(gone));
  GIVES(hipModuleLaunchKernel(function, 1, 1, 1, 64, 1, 1, 256, gone, arguments, nullptr), hipErrorInvalidValue);
  (void)hipGetLastError();
  hipFuncAttributes attributes;
  WORKS(hipFuncGetAttributes(&attributes, reinterpret_cast<const void*>(narrow)));
  HOLDS(attributes.maxThreadsPerBlock == 128 && attributes.numRegs > 0);
  int blocks = 0, grid = 0, block = 0;
  WORKS(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, narrow, 64, 0));
  HOLDS(blocks > 0 && blocks <= 32);
  GIVES(hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, reinterpret_cast<const void*>(narrow), 64, 0, 0xffff),
        hipErrorInvalidValue);
  WORKS(hipOccupancyMaxPotentialBlockSize(&grid, &block, narrow, 0, 0));
  HOLDS(block > 0 && block <= 128 && grid > 0);
  WORKS(hipFree(out));
}

static void graphsKeepArguments() {
  int* out = deviceWords(128);
  int value = 5;
  void* arguments[] = {&out, &value};
  hipKernelNodeParams params = {};
  params.func = reinterpret_cast<void*>(fill);
  params.gridDim = dim3(2);
  params.blockDim = dim3(64);
  params.sharedMemBytes = 256;
  params.kernelParams = arguments;
  hipGraph_t graph;
  hipGraphNode_t node;
  hipGraphExec_t exec;
  WORKS(hipGraphCreate(&graph, 0));
  WORKS(hipGraphAddKernelNode(&node, graph, nullptr, 0, &params));
  value = 6;  // too late for the graph
  hipKernelNodeParams kept;
  WORKS(hipGraphKernelNodeGetParams(node, &kept));
  HOLDS(kept.func == params.func && *static_cast<int*>(kept.kernelParams[1]) == 5);
  WORKS(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  int seen = 0;
  WORKS(hipGraphLaunch(exec, nullptr));
  WORKS(hipMemcpy(&seen, out + 127, sizeof seen, hipMemcpyDeviceToHost));
  HOLDS(seen == 5);
  WORKS(hipGraphExecKernelNodeSetParams(exec, node, &params));
  WORKS(hipGraphLaunch(exec, nullptr));
  WORKS(hipMemcpy(&seen, out + 127, sizeof seen, hipMemcpyDeviceToHost));
  HOLDS(seen == 6);
  WORKS(hipGraphExecDestroy(exec));
  WORKS(hipGraphDestroy(graph));
  WORKS(hipFree(out));
}

static void modulesAreLaunchedByHandle() {
  hipFunction_t function;
  WORKS(hipGetFuncBySymbol(&function, reinterpret_cast<const void*>(fill)));
  int shared_size = -1;
  WORKS(hipFuncGetAttribute(&shared_size, HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function));
  HOLDS(shared_size == 0);
  int* out = deviceWords(64);
  struct {
    int* out;
    int value;
  } packed = {out, 42};
  size_t size = sizeof packed;
  void* extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &packed, HIP_LAUNCH_PARAM_BUFFER_SIZE, &size, HIP_LAUNCH_PARAM_END};
  WORKS(hipModuleLaunchKernel(function, 1, 1, 1, 64, 1, 1, 256, nullptr, nullptr, extra));
  int seen = 0;
  WORKS(hipMemcpy(&seen, out + 63, sizeof seen, hipMemcpyDeviceToHost));
  HOLDS(seen == 42);
  // ROCm ignores the size. What is left out is zero here.
  size = sizeof packed.out;
  WORKS(hipModuleLaunchKernel(function, 1, 1, 1, 64, 1, 1, 256, nullptr, nullptr, extra));
  WORKS(hipMemcpy(&seen, out + 63, sizeof seen, hipMemcpyDeviceToHost));
  HOLDS(seen == 0);
  extra[2] = HIP_LAUNCH_PARAM_END;
  GIVES(hipModuleLaunchKernel(function, 1, 1, 1, 64, 1, 1, 256, nullptr, nullptr, extra), hipErrorInvalidValue);
  hipModule_t module;
  const char junk[64] = "this is no code";
  GIVES(hipModuleLoadData(&module, junk), hipErrorInvalidImage);
  GIVES(hipModuleLoad(&module, "no/such/file"), hipErrorFileNotFound);
  GIVES(hipModuleLoad(&module, ""), hipErrorInvalidValue);
  GIVES(hipModuleUnload(nullptr), hipErrorInvalidHandle);
  GIVES(hipModuleUnload(reinterpret_cast<hipModule_t>(&module)), hipErrorNotFound);
  WORKS(hipFree(out));
}

static void outputComesBeforeTheCallThatWaits() {
  std::printf("before\n");
  shout<<<1, 1>>>(1);
  WORKS(hipDeviceSynchronize());
  std::printf("between\n");
  shout<<<1, 1>>>(2);
  WORKS(hipStreamSynchronize(nullptr));
  std::printf("after\n");
}

static void emptyKernelsTakeNoTime() {
  int most = 0;
  WORKS(hipDeviceGetAttribute(&most, hipDeviceAttributeMaxGridDimX, 0));
  nothing<<<most, 1024>>>();
  WORKS(hipDeviceSynchronize());
}

// Calls that count work-items.
static void fewerItemsThanABlockAreABlock() {
  hipFunction_t function;
  WORKS(hipGetFuncBySymbol(&function, reinterpret_cast<const void*>(fill)));
  int* words = deviceWords(64);
  int value = 9;
  void* arguments[] = {&words, &value};
  WORKS(hipExtModuleLaunchKernel(function, 1, 1, 1, 64, 1, 1, 256, nullptr, arguments, nullptr, nullptr, nullptr, 0));
  std::vector<int> out(64);
  WORKS(hipMemcpy(out.data(), words, 256, hipMemcpyDeviceToHost));
  HOLDS(out[0] == 9 && out[63] == 9);
  GIVES(hipExtModuleLaunchKernel(function, 65, 1, 1, 64, 1, 1, 256, nullptr, arguments, nullptr, nullptr, nullptr, 0),
        hipErrorInvalidValue);
  GIVES(hipExtModuleLaunchKernel(function, 0, 1, 1, 64, 1, 1, 256, nullptr, arguments, nullptr, nullptr, nullptr, 0),
        hipErrorInvalidValue);
  WORKS(hipFree(words));
}

static void symbolCopiesOfGraphsStayOnTheirGpu() {
  hipGraph_t graph;
  hipGraphNode_t node;
  hipGraphExec_t exec;
  int host[4] = {};
  int* near = deviceWords(4);
  int* far = nullptr;
  WORKS(hipSetDevice(1));
  WORKS(hipMalloc(reinterpret_cast<void**>(&far), 16));
  WORKS(hipSetDevice(0));
  WORKS(hipGraphCreate(&graph, 0));
  WORKS(hipGraphAddMemcpyNodeToSymbol(&node, graph, nullptr, 0, HIP_SYMBOL(factors), near, 16, 0, hipMemcpyDeviceToDevice));
  GIVES(hipGraphMemcpyNodeSetParamsToSymbol(node, HIP_SYMBOL(factors), host, 16, 0, hipMemcpyDeviceToDevice),
        hipErrorInvalidValue);
  WORKS(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  GIVES(hipGraphExecMemcpyNodeSetParamsToSymbol(exec, node, HIP_SYMBOL(factors), far, 16, 0, hipMemcpyDeviceToDevice),
        hipErrorInvalidValue);
  WORKS(hipGraphExecMemcpyNodeSetParamsToSymbol(exec, node, HIP_SYMBOL(factors), near, 8, 0, hipMemcpyDeviceToDevice));
  WORKS(hipGraphExecDestroy(exec));
  WORKS(hipGraphDestroy(graph));
  WORKS(hipFree(near));
  WORKS(hipFree(far));
}

int main() {
  symbolCopiesOfGraphsStayOnTheirGpu();
  emptyKernelsTakeNoTime();
  fewerItemsThanABlockAreABlock();
  argumentsArriveWhereKernelsReadThem();
  clocksCountAtTheRatesOfTheProperties();
  shapesThatCannotBeAreRefused();
  graphsKeepArguments();
  modulesAreLaunchedByHandle();
  outputComesBeforeTheCallThatWaits();
  return done();
}
