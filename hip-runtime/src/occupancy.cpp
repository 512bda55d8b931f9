// Resources of a kernel, and how many of its blocks fit.
#include <cxxabi.h>
#include <stdlib.h>

#include <algorithm>

#include "caller.h"
#include "device.h"
#include "properties.h"
#include "registration.h"
#include "session.h"

namespace rocport {

unsigned blocksPerUnit(const Kernel& kernel, uint64_t threads, size_t dynamicLds) {
  const hipDeviceProp_t& limits = propertiesOf(kernel.module->gpu);
  if (threads > static_cast<uint64_t>(limits.maxThreadsPerBlock) || threads > kernel.maxThreads) return 0;
  if (kernel.staticLds + dynamicLds > limits.sharedMemPerBlock) return 0;
  Writer request;
  request.u64(kernel.module->id()).u32(kernel.index).u32(static_cast<uint32_t>(threads));
  request.u32(static_cast<uint32_t>(dynamicLds));
  return Session::get().call(Message::OCCUPANCY, request).u32();
}

namespace {

std::string readable(const std::string& name) {
  int status = 0;
  std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), free);
  return text ? text.get() : name;
}

void tellTooLarge(const Kernel& kernel, uint64_t blocks, uint64_t fit) {
  int units = propertiesOf(kernel.module->gpu).multiProcessorCount;
  found(Check::SYNC, true, "a cooperative launch has more blocks than can be resident at once",
        readable(kernel.name) + ": " + std::to_string(blocks) + " blocks, of which " + std::to_string(fit) + " fit on " +
            std::to_string(units) +
            " compute units: the blocks could never all reach a grid barrier, and the launch fails with "
            "hipErrorCooperativeLaunchTooLarge",
        "call hipOccupancyMaxActiveBlocksPerMultiprocessor to find how many blocks fit on a compute unit of this "
        "GPU, launch at most that number times multiProcessorCount, and let each block process several parts of the "
        "work",
        {{"cooperative launch of " + std::to_string(blocks) + " blocks", callsNow()}});
}

}  // namespace

void checkCooperative(const Kernel& kernel, dim3 grid, dim3 block, size_t dynamicLds) {
  uint64_t blocks = uint64_t{grid.x} * grid.y * grid.z;
  uint64_t threads = uint64_t{block.x} * block.y * block.z;
  require(blocks > 0 && threads > 0, hipErrorInvalidConfiguration);
  auto units = static_cast<uint64_t>(propertiesOf(kernel.module->gpu).multiProcessorCount);
  if (threads > kernel.maxThreads) return;  // the launch itself reports that
  uint64_t fit = blocksPerUnit(kernel, threads, dynamicLds) * units;
  if (blocks <= fit) return;
  if (Session::get().checks(Check::SYNC)) tellTooLarge(kernel, blocks, fit);
  fail(hipErrorCooperativeLaunchTooLarge);
}

namespace {

// The caches that the flag is about do not depend on occupancy.
void checkFlags(unsigned flags) { require(flags == hipOccupancyDefault || flags == hipOccupancyDisableCachingOverride); }

void active(int* blocks, const Kernel& kernel, int threads, size_t dynamicLds) {
  require(blocks != nullptr && threads > 0);
  *blocks = static_cast<int>(blocksPerUnit(kernel, static_cast<uint64_t>(threads), dynamicLds));
}

/** The largest block that fills a compute unit most, and a grid that fills the GPU with it. */
void potential(int* grid, int* block, const Kernel& kernel, size_t dynamicLds, int limit) {
  require(grid != nullptr && block != nullptr && limit >= 0);
  const hipDeviceProp_t& limits = propertiesOf(kernel.module->gpu);
  int most = std::min<int>(limits.maxThreadsPerBlock, static_cast<int>(kernel.maxThreads));
  if (limit > 0) most = std::min(most, limit);
  int best = 0;
  int bestBlocks = 0;
  int size = most;
  while (size > 0) {
    int blocks = static_cast<int>(blocksPerUnit(kernel, static_cast<uint64_t>(size), dynamicLds));
    if (blocks * size > best * bestBlocks) {
      best = size;
      bestBlocks = blocks;
    }
    size = (size - 1) / limits.warpSize * limits.warpSize;
  }
  *block = best;
  *grid = bestBlocks * limits.multiProcessorCount;
}

int attributeOf(const Kernel& kernel, hipFunction_attribute name) {
  const hipDeviceProp_t& limits = propertiesOf(kernel.module->gpu);
  switch (name) {
    case HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      return static_cast<int>(kernel.maxThreads);
    case HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
      return static_cast<int>(kernel.staticLds);
    case HIP_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
      return 0;
    case HIP_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
      return static_cast<int>(kernel.scratch);
    case HIP_FUNC_ATTRIBUTE_NUM_REGS:
      return static_cast<int>(kernel.vgprs);
    case HIP_FUNC_ATTRIBUTE_PTX_VERSION:
    case HIP_FUNC_ATTRIBUTE_BINARY_VERSION:
      return limits.major * 10 + limits.minor;
    case HIP_FUNC_ATTRIBUTE_CACHE_MODE_CA:
      return 0;
    case HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      return static_cast<int>(limits.sharedMemPerBlock - kernel.staticLds);
    case HIP_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      return 0;
    default:
      fail(hipErrorInvalidValue);
  }
}

}  // namespace
}  // namespace rocport

using namespace rocport;

extern "C" {

hipError_t hipFuncGetAttributes(hipFuncAttributes* attributes, const void* function) {
  return api([&] {
    require(attributes != nullptr);
    const Kernel& kernel = kernelFor(function, currentDevice());
    *attributes = {};
    attributes->binaryVersion = attributeOf(kernel, HIP_FUNC_ATTRIBUTE_BINARY_VERSION);
    attributes->ptxVersion = attributeOf(kernel, HIP_FUNC_ATTRIBUTE_PTX_VERSION);
    attributes->localSizeBytes = kernel.scratch;
    attributes->sharedSizeBytes = kernel.staticLds;
    attributes->maxThreadsPerBlock = static_cast<int>(kernel.maxThreads);
    attributes->numRegs = static_cast<int>(kernel.vgprs);
    attributes->maxDynamicSharedSizeBytes = attributeOf(kernel, HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
  });
}

hipError_t hipFuncGetAttribute(int* value, hipFunction_attribute name, hipFunction_t function) {
  return api([&] {
    require(value != nullptr);
    *value = attributeOf(kernelOf(function), name);
  });
}

// All of the LDS is available without opt-in; a larger amount is not.
hipError_t hipFuncSetAttribute(const void* function, hipFuncAttribute name, int value) {
  return api([&] {
    const Kernel& kernel = kernelFor(function, currentDevice());
    switch (name) {
      case hipFuncAttributeMaxDynamicSharedMemorySize:
        require(value >= 0 && value <= attributeOf(kernel, HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES));
        return;
      case hipFuncAttributePreferredSharedMemoryCarveout:
        require(value >= -1 && value <= 100);
        return;
      default:
        fail(hipErrorInvalidValue);
    }
  });
}

hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function,
                                                        int threads, size_t dynamicLds) {
  return api([&] { active(blocks, kernelFor(function, currentDevice()), threads, dynamicLds); });
}

hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function,
                                                                 int threads, size_t dynamicLds,
                                                                 unsigned flags) {
  return api([&] {
    checkFlags(flags);
    active(blocks, kernelFor(function, currentDevice()), threads, dynamicLds);
  });
}

hipError_t hipOccupancyMaxPotentialBlockSize(int* grid, int* block, const void* function,
                                             size_t dynamicLds, int limit) {
  return api([&] { potential(grid, block, kernelFor(function, currentDevice()), dynamicLds, limit); });
}

hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, hipFunction_t function,
                                                              int threads, size_t dynamicLds) {
  return api([&] { active(blocks, kernelOf(function), threads, dynamicLds); });
}

hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks,
                                                                       hipFunction_t function,
                                                                       int threads,
                                                                       size_t dynamicLds, unsigned flags) {
  return api([&] {
    checkFlags(flags);
    active(blocks, kernelOf(function), threads, dynamicLds);
  });
}

hipError_t hipModuleOccupancyMaxPotentialBlockSize(int* grid, int* block, hipFunction_t function,
                                                   size_t dynamicLds, int limit) {
  return api([&] { potential(grid, block, kernelOf(function), dynamicLds, limit); });
}

hipError_t hipModuleOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block,
                                                            hipFunction_t function,
                                                            size_t dynamicLds, int limit, unsigned flags) {
  return api([&] {
    checkFlags(flags);
    potential(grid, block, kernelOf(function), dynamicLds, limit);
  });
}

}  // extern "C"
