#include "launch.h"

#include <string.h>

#include "device.h"
#include "event.h"
#include "properties.h"
#include "registration.h"
#include "stream.h"

namespace rocport {
namespace {

void checkShape(const Kernel& kernel, dim3 grid, dim3 block, size_t dynamicLds) {
  const hipDeviceProp_t& limits = propertiesOf(kernel.module->gpu);
  const uint32_t grids[] = {grid.x, grid.y, grid.z};
  const uint32_t blocks[] = {block.x, block.y, block.z};
  uint64_t threads = 1;
  for (int i = 0; i < 3; i++) {
    require(grids[i] > 0 && blocks[i] > 0, hipErrorInvalidConfiguration);
    require(grids[i] <= static_cast<uint32_t>(limits.maxGridSize[i]), hipErrorInvalidConfiguration);
    require(blocks[i] <= static_cast<uint32_t>(limits.maxThreadsDim[i]), hipErrorInvalidConfiguration);
    // The packet that starts a kernel counts work-items of a dimension in 32 bits.
    require(uint64_t{grids[i]} * blocks[i] <= UINT32_MAX, hipErrorInvalidConfiguration);
    threads *= blocks[i];
  }
  require(threads <= static_cast<uint64_t>(limits.maxThreadsPerBlock), hipErrorInvalidConfiguration);
  if (threads > kernel.maxThreads) {
    tell("%s: %llu threads in a block, but it is compiled for at most %u (__launch_bounds__)",
         kernel.name.c_str(), static_cast<unsigned long long>(threads), kernel.maxThreads);
    fail(hipErrorInvalidConfiguration);
  }
  require(kernel.staticLds + dynamicLds <= limits.sharedMemPerBlock, hipErrorInvalidConfiguration);
}

std::vector<char> packed(const Kernel& kernel, void** arguments, void** extra) {
  std::vector<char> bytes(kernel.argumentBytes());
  if (extra != nullptr) {
    require(arguments == nullptr);
    const void* buffer = nullptr;
    size_t size = 0;
    for (void** at = extra; *at != HIP_LAUNCH_PARAM_END; at += 2) {
      if (*at == HIP_LAUNCH_PARAM_BUFFER_POINTER) {
        buffer = at[1];
      } else if (*at == HIP_LAUNCH_PARAM_BUFFER_SIZE) {
        size = *static_cast<const size_t*>(at[1]);
      } else {
        fail(hipErrorInvalidValue);
      }
    }
    require(bytes.empty() || (buffer != nullptr && size >= bytes.size()));
    if (!bytes.empty()) memcpy(bytes.data(), buffer, bytes.size());
    return bytes;
  }
  require(kernel.arguments.empty() || arguments != nullptr);
  for (size_t i = 0; i < kernel.arguments.size(); i++) {
    const Argument& argument = kernel.arguments[i];
    if (argument.type == Argument::DYNAMIC_LDS) continue;
    require(arguments[i] != nullptr);
    memcpy(bytes.data() + argument.offset, arguments[i], argument.size);
  }
  return bytes;
}

void launch(const Kernel& kernel, const void* function, dim3 grid, dim3 block, size_t lds,
            void** arguments, void** extra, hipStream_t stream, bool cooperative) {
  Launch made = launchOf(kernel, grid, block, lds, arguments, extra);
  made.function = function;
  made.cooperative = cooperative;
  submit(stream, std::move(made));
}

/** A host function's kernel on the device that the stream belongs to. */
void launchHost(const void* function, dim3 grid, dim3 block, void** arguments, size_t lds,
                hipStream_t stream, bool cooperative) {
  const Kernel& kernel = kernelFor(function, streamOf(stream)->device);
  launch(kernel, function, grid, block, lds, arguments, nullptr, stream, cooperative);
}

void launchFunction(hipFunction_t function, dim3 grid, dim3 block, size_t lds, hipStream_t stream,
                    void** arguments, void** extra, bool cooperative) {
  const Kernel& kernel = kernelOf(function);
  require(kernel.module->gpu == streamOf(stream)->device, hipErrorInvalidHandle);
  launch(kernel, function, grid, block, lds, arguments, extra, stream, cooperative);
}

/** Calls that count work-items, not blocks. */
dim3 blocksOf(dim3 items, dim3 block) {
  require(block.x > 0 && block.y > 0 && block.z > 0, hipErrorInvalidConfiguration);
  // A partial last block, which the hardware could run, has no counterpart in HIP's own kernels.
  require(items.x % block.x == 0 && items.y % block.y == 0 && items.z % block.z == 0,
          hipErrorInvalidConfiguration);
  return dim3(items.x / block.x, items.y / block.y, items.z / block.z);
}

}  // namespace

Launch launchOf(const Kernel& kernel, dim3 grid, dim3 block, size_t dynamicLds, void** arguments,
                void** extra) {
  checkShape(kernel, grid, block, dynamicLds);
  Launch made;
  made.kernel = &kernel;
  made.grid = grid;
  made.block = block;
  made.dynamicLds = static_cast<uint32_t>(dynamicLds);
  made.arguments = packed(kernel, arguments, extra);
  return made;
}

void perform(const Launch& launch, Stream& stream) {
  constexpr uint32_t COOPERATIVE = 1;
  Writer request;
  request.u64(launch.kernel->module->id()).u32(launch.kernel->index);
  request.u32(launch.grid.x).u32(launch.grid.y).u32(launch.grid.z);
  request.u32(launch.block.x).u32(launch.block.y).u32(launch.block.z);
  request.u32(launch.dynamicLds).u32(launch.cooperative ? COOPERATIVE : 0);
  request.u64(reinterpret_cast<uintptr_t>(&stream));
  request.u32(static_cast<uint32_t>(launch.arguments.size()));
  request.raw(launch.arguments.data(), launch.arguments.size());
  stream.connection().call(Message::LAUNCH, request);
}

}  // namespace rocport

using namespace rocport;

extern "C" {

hipError_t hipLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, size_t lds,
                           hipStream_t stream) {
  return api([&] { launchHost(function, grid, block, arguments, lds, stream, false); });
}

hipError_t hipLaunchKernel_spt(const void* function, dim3 grid, dim3 block, void** arguments,
                               size_t lds, hipStream_t stream) {
  return hipLaunchKernel(function, grid, block, arguments, lds, stream ? stream : hipStreamPerThread);
}

hipError_t hipLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                      unsigned lds, hipStream_t stream) {
  return api([&] {
    const Kernel& kernel = kernelFor(function, streamOf(stream)->device);
    checkCooperative(kernel, grid, block, lds);
    launchHost(function, grid, block, arguments, lds, stream, true);
  });
}

hipError_t hipLaunchCooperativeKernel_spt(const void* function, dim3 grid, dim3 block,
                                          void** arguments, uint32_t lds, hipStream_t stream) {
  return hipLaunchCooperativeKernel(function, grid, block, arguments, lds, stream ? stream : hipStreamPerThread);
}

hipError_t hipExtLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                              size_t lds, hipStream_t stream, hipEvent_t start, hipEvent_t stop, int) {
  return api([&] {
    if (start) recordEvent(*eventOf(start), stream);
    launchHost(function, grid, block, arguments, lds, stream, false);
    if (stop) recordEvent(*eventOf(stop), stream);
  });
}

hipError_t hipModuleLaunchKernel(hipFunction_t function, unsigned gridX, unsigned gridY,
                                 unsigned gridZ, unsigned blockX, unsigned blockY, unsigned blockZ,
                                 unsigned lds, hipStream_t stream, void** arguments, void** extra) {
  return api([&] {
    launchFunction(function, dim3(gridX, gridY, gridZ), dim3(blockX, blockY, blockZ), lds, stream,
                   arguments, extra, false);
  });
}

hipError_t hipModuleLaunchCooperativeKernel(hipFunction_t function, unsigned gridX, unsigned gridY,
                                            unsigned gridZ, unsigned blockX, unsigned blockY,
                                            unsigned blockZ, unsigned lds, hipStream_t stream,
                                            void** arguments) {
  return api([&] {
    dim3 grid(gridX, gridY, gridZ);
    dim3 block(blockX, blockY, blockZ);
    checkCooperative(kernelOf(function), grid, block, lds);
    launchFunction(function, grid, block, lds, stream, arguments, nullptr, true);
  });
}

hipError_t hipExtModuleLaunchKernel(hipFunction_t function, uint32_t itemsX, uint32_t itemsY,
                                    uint32_t itemsZ, uint32_t blockX, uint32_t blockY,
                                    uint32_t blockZ, size_t lds, hipStream_t stream,
                                    void** arguments, void** extra, hipEvent_t start,
                                    hipEvent_t stop, uint32_t) {
  return api([&] {
    dim3 block(blockX, blockY, blockZ);
    dim3 grid = blocksOf(dim3(itemsX, itemsY, itemsZ), block);
    if (start) recordEvent(*eventOf(start), stream);
    launchFunction(function, grid, block, lds, stream, arguments, extra, false);
    if (stop) recordEvent(*eventOf(stop), stream);
  });
}

hipError_t hipHccModuleLaunchKernel(hipFunction_t function, uint32_t itemsX, uint32_t itemsY,
                                    uint32_t itemsZ, uint32_t blockX, uint32_t blockY,
                                    uint32_t blockZ, size_t lds, hipStream_t stream,
                                    void** arguments, void** extra, hipEvent_t start,
                                    hipEvent_t stop) {
  return hipExtModuleLaunchKernel(function, itemsX, itemsY, itemsZ, blockX, blockY, blockZ, lds,
                                  stream, arguments, extra, start, stop, 0);
}

}  // extern "C"
