#include "launch.h"

#include <string.h>

#include <algorithm>
#include <mutex>
#include <set>

#include "capture.h"
#include "clock.h"
#include "device.h"
#include "event.h"
#include "memory.h"
#include "properties.h"
#include "registration.h"
#include "stream.h"
#include "turns.h"

namespace rocport {
namespace {

/** The result of a launch in a stream that was destroyed. */
constexpr hipError_t NO_STREAM = HIP_VERSION_MAJOR >= 7 ? hipErrorContextIsDestroyed : hipErrorInvalidValue;

void checkShape(const Kernel& kernel, dim3 grid, dim3 block, size_t dynamicLds, const Refusal& refusal) {
  const hipDeviceProp_t& limits = propertiesOf(kernel.module->gpu);
  const uint32_t grids[] = {grid.x, grid.y, grid.z};
  const uint32_t blocks[] = {block.x, block.y, block.z};
  uint64_t threads = 1;
  for (int i = 0; i < 3; i++) {
    require(grids[i] > 0 && blocks[i] > 0, refusal.empty);
    require(blocks[i] <= static_cast<uint32_t>(limits.maxThreadsDim[i]), refusal.threads);
    // The packet that starts a kernel counts work-items of a dimension in 32 bits.
    require(uint64_t{grids[i]} * blocks[i] <= UINT32_MAX, hipErrorInvalidConfiguration);
    threads *= blocks[i];
  }
  require(threads <= static_cast<uint64_t>(limits.maxThreadsPerBlock), refusal.threads);
  if (threads > kernel.maxThreads) {
    tell("%s: %llu threads in a block, but it is compiled for at most %u (__launch_bounds__)",
         kernel.name.c_str(), static_cast<unsigned long long>(threads), kernel.maxThreads);
    fail(hipErrorLaunchFailure);
  }
  require(kernel.staticLds + dynamicLds <= limits.sharedMemPerBlock, refusal.lds);
}

/** Said once, since ROCm reads on after the end of the buffer. */
void tellOfShort(const Kernel& kernel, size_t size) {
  static std::once_flag once;
  std::call_once(once, [&] {
    tell("%s: a launch passes %zu of %zu bytes of arguments; the rest is zero here and undefined on a GPU",
         kernel.name.c_str(), size, kernel.argumentBytes());
  });
}

std::vector<char> packed(const Kernel& kernel, void** arguments, void** extra) {
  std::vector<char> bytes(kernel.argumentBytes());
  if (extra != nullptr) {
    require(arguments == nullptr);
    const void* buffer = nullptr;
    const size_t* size = nullptr;
    for (void** at = extra; *at != HIP_LAUNCH_PARAM_END; at += 2) {
      if (*at == HIP_LAUNCH_PARAM_BUFFER_POINTER) {
        buffer = at[1];
      } else if (*at == HIP_LAUNCH_PARAM_BUFFER_SIZE) {
        size = static_cast<const size_t*>(at[1]);
      } else {
        fail(hipErrorInvalidValue);
      }
    }
    require(size != nullptr);
    if (bytes.empty()) return bytes;
    require(buffer != nullptr);
    // Kernels of rocFFT have arguments at their end that they do not use, and the host leaves them out.
    if (*size < bytes.size()) tellOfShort(kernel, *size);
    memcpy(bytes.data(), buffer, std::min(bytes.size(), *size));
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

void launch(const Kernel& kernel, const void* function, dim3 grid, dim3 block, size_t lds, void** arguments,
            void** extra, hipStream_t stream, bool cooperative, const Refusal& refusal) {
  Launch made = launchOf(kernel, grid, block, lds, arguments, extra, refusal);
  if (cooperative) checkCooperative(kernel, grid, block, lds);
  made.function = function;
  made.cooperative = cooperative;
  submit(stream, std::move(made));
}

/** A host function's kernel on the device that the stream belongs to. */
void launchHost(const void* function, dim3 grid, dim3 block, void** arguments, size_t lds,
                hipStream_t stream, bool cooperative) {
  auto target = streamOf(stream, cooperative ? hipErrorContextIsDestroyed : NO_STREAM);
  launch(kernelFor(function, target->device), function, grid, block, lds, arguments, nullptr, stream, cooperative,
         cooperative ? COOPERATIVE : BY_NAME);
}

void launchFunction(hipFunction_t function, dim3 grid, dim3 block, size_t lds, hipStream_t stream,
                    void** arguments, void** extra, bool cooperative) {
  const Kernel& kernel = kernelOf(function);
  require(kernel.module->gpu == streamOf(stream, NO_STREAM)->device, hipErrorInvalidHandle);
  launch(kernel, function, grid, block, lds, arguments, extra, stream, cooperative, BY_HANDLE);
}

/** The events that a launch records before and after itself; null where there is none. */
std::pair<std::shared_ptr<Event>, std::shared_ptr<Event>> eventsAround(hipEvent_t start, hipEvent_t stop) {
  auto event = [](hipEvent_t handle) { return handle ? eventOf(handle, hipErrorInvalidValue) : nullptr; };
  return {event(start), event(stop)};
}

/** The blocks of so many work-items. Fewer than a block are a whole one; more are whole blocks. */
unsigned blocksOf(unsigned items, unsigned block) {
  require(items > 0 && block > 0);
  if (items < block) return 1;
  require(items % block == 0);
  return items / block;
}

/** Calls that count work-items, not blocks. */
dim3 blocksOf(dim3 items, dim3 block) {
  return dim3(blocksOf(items.x, block.x), blocksOf(items.y, block.y), blocksOf(items.z, block.z));
}

uint64_t threadsOf(const Launch& launch) {
  return uint64_t{launch.grid.x} * launch.grid.y * launch.grid.z * launch.block.x * launch.block.y *
         launch.block.z;
}

/** Memory for a barrier; the last launch that has it gives it back. */
std::shared_ptr<void> barrier() {
  constexpr size_t BYTES = 8;
  void* memory = allocate(Kind::HOST, BYTES);
  memset(memory, 0, BYTES);
  return {memory, [](void* address) {
            try {
              release(address);
            } catch (const Failure&) {
              // The device has ended, and its memory is gone.
            }
          }};
}

/** One launch on each of several GPUs, each in its own stream. */
void launchAll(std::vector<Launch> launches, const std::vector<hipStream_t>& handles, unsigned flags) {
  constexpr unsigned KNOWN = hipCooperativeLaunchMultiDeviceNoPreSync | hipCooperativeLaunchMultiDeviceNoPostSync;
  require((flags & ~KNOWN) == 0);
  std::vector<std::shared_ptr<Stream>> streams;
  std::vector<Point> before;
  std::set<int> devices;
  for (size_t i = 0; i < launches.size(); i++) {
    require(handles[i] != nullptr, hipErrorInvalidHandle);  // the null stream belongs to no device
    streams.push_back(streamOf(handles[i]));
    forbidWhileCapturing(*streams[i]);
    require(launches[i].kernel->module->gpu == streams[i]->device, hipErrorInvalidDevice);
    require(devices.insert(streams[i]->device).second, hipErrorInvalidDevice);
    for (const Point& end : streams[i]->ends()) before.push_back(end);
  }
  if (flags & hipCooperativeLaunchMultiDeviceNoPreSync) before.clear();
  std::vector<Point> done;
  for (size_t i = 0; i < launches.size(); i++) done.push_back(streams[i]->enqueue(std::move(launches[i]), before));
  if (flags & hipCooperativeLaunchMultiDeviceNoPostSync) return;
  for (const auto& stream : streams) stream->enqueue(Empty{}, done);
}

void launchTogether(std::vector<Launch> launches, const std::vector<hipStream_t>& streams, unsigned flags) {
  Part part;
  part.barrier = barrier();
  part.count = static_cast<uint32_t>(launches.size());
  for (const Launch& launch : launches) part.threads += threadsOf(launch);
  for (Launch& launch : launches) {
    checkCooperative(*launch.kernel, launch.grid, launch.block, launch.dynamicLds);
    launch.cooperative = true;
    launch.part = part;
    part.number++;
    part.threadsBefore += threadsOf(launch);
  }
  launchAll(std::move(launches), streams, flags);
}

/** The launches of a list, and the streams of each. */
std::pair<std::vector<Launch>, std::vector<hipStream_t>> listed(const hipLaunchParams* list, int count) {
  require(list != nullptr && count > 0);
  require(count <= Session::get().count(), hipErrorInvalidDevice);
  std::pair<std::vector<Launch>, std::vector<hipStream_t>> all;
  for (int i = 0; i < count; i++) {
    const hipLaunchParams& one = list[i];
    const Kernel& kernel = kernelFor(one.func, streamOf(one.stream)->device);
    all.first.push_back(launchOf(kernel, one.gridDim, one.blockDim, one.sharedMem, one.args, nullptr));
    all.first.back().function = one.func;
    all.second.push_back(one.stream);
  }
  return all;
}

}  // namespace

Launch launchOf(const Kernel& kernel, dim3 grid, dim3 block, size_t dynamicLds, void** arguments, void** extra,
                const Refusal& refusal) {
  checkShape(kernel, grid, block, dynamicLds, refusal);
  Launch made;
  made.kernel = &kernel;
  made.grid = grid;
  made.block = block;
  made.dynamicLds = static_cast<uint32_t>(dynamicLds);
  made.arguments = packed(kernel, arguments, extra);
  return made;
}

Writer requestOf(const Launch& launch, const Stream& stream) {
  constexpr uint32_t COOPERATIVE = 1;
  constexpr uint32_t PART = 2;
  Writer request;
  request.u64(launch.kernel->module->id()).u32(launch.kernel->index);
  request.u32(launch.grid.x).u32(launch.grid.y).u32(launch.grid.z);
  request.u32(launch.block.x).u32(launch.block.y).u32(launch.block.z);
  const Part& part = launch.part;
  request.u32(launch.dynamicLds);
  request.u32((launch.cooperative ? COOPERATIVE : 0) | (part.barrier ? PART : 0));
  request.u64(reinterpret_cast<uintptr_t>(&stream));
  request.u32(static_cast<uint32_t>(launch.arguments.size()));
  request.raw(launch.arguments.data(), launch.arguments.size());
  if (part.barrier) {
    request.u64(reinterpret_cast<uintptr_t>(part.barrier.get())).u32(part.number).u32(part.count);
    request.u64(part.threadsBefore).u64(part.threads);
  }
  if (const Stamp* stamp = Stamp::current()) stamp->write(request);
  return request;
}

void perform(const Launch& launch, Stream& stream) {
  Writer request = requestOf(launch, stream);
  tellOfCopies(stream.connection());
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
  return api([&] { launchHost(function, grid, block, arguments, lds, stream, true); });
}

hipError_t hipLaunchCooperativeKernel_spt(const void* function, dim3 grid, dim3 block,
                                          void** arguments, uint32_t lds, hipStream_t stream) {
  return hipLaunchCooperativeKernel(function, grid, block, arguments, lds, stream ? stream : hipStreamPerThread);
}

hipError_t hipExtLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                              size_t lds, hipStream_t stream, hipEvent_t start, hipEvent_t stop, int) {
  return api([&] {
    auto ends = eventsAround(start, stop);
    if (ends.first) recordEvent(*ends.first, stream);
    launchHost(function, grid, block, arguments, lds, stream, false);
    if (ends.second) recordEvent(*ends.second, stream);
  });
}

hipError_t hipModuleLaunchKernel(hipFunction_t function, unsigned gridX, unsigned gridY,
                                 unsigned gridZ, unsigned blockX, unsigned blockY, unsigned blockZ,
                                 unsigned lds, hipStream_t stream, void** arguments, void** extra) {
  return api([&] {
    const int* most = propertiesOf(currentDevice()).maxGridSize;
    const unsigned grid[] = {gridX, gridY, gridZ};
    for (int i = 0; i < 3; i++) require(grid[i] <= static_cast<unsigned>(most[i]));
    launchFunction(function, dim3(gridX, gridY, gridZ), dim3(blockX, blockY, blockZ), lds, stream,
                   arguments, extra, false);
  });
}

hipError_t hipModuleLaunchCooperativeKernel(hipFunction_t function, unsigned gridX, unsigned gridY,
                                            unsigned gridZ, unsigned blockX, unsigned blockY,
                                            unsigned blockZ, unsigned lds, hipStream_t stream,
                                            void** arguments) {
  return api([&] {
    launchFunction(function, dim3(gridX, gridY, gridZ), dim3(blockX, blockY, blockZ), lds, stream, arguments, nullptr,
                   true);
  });
}

hipError_t hipLaunchCooperativeKernelMultiDevice(hipLaunchParams* list, int count, unsigned flags) {
  return api([&] {
    auto [launches, streams] = listed(list, count);
    launchTogether(std::move(launches), streams, flags);
  });
}

hipError_t hipExtLaunchMultiKernelMultiDevice(hipLaunchParams* list, int count, unsigned flags) {
  return api([&] {
    auto [launches, streams] = listed(list, count);
    launchAll(std::move(launches), streams, flags);
  });
}

hipError_t hipModuleLaunchCooperativeKernelMultiDevice(hipFunctionLaunchParams* list, unsigned count,
                                                       unsigned flags) {
  return api([&] {
    require(list != nullptr && count > 0);
    require(count <= static_cast<unsigned>(Session::get().count()), hipErrorInvalidDevice);
    std::vector<Launch> launches;
    std::vector<hipStream_t> streams;
    for (unsigned i = 0; i < count; i++) {
      const hipFunctionLaunchParams& one = list[i];
      dim3 grid(one.gridDimX, one.gridDimY, one.gridDimZ);
      dim3 block(one.blockDimX, one.blockDimY, one.blockDimZ);
      launches.push_back(launchOf(kernelOf(one.function), grid, block, one.sharedMemBytes, one.kernelParams, nullptr));
      launches.back().function = one.function;
      streams.push_back(one.hStream);
    }
    launchTogether(std::move(launches), streams, flags);
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
    auto ends = eventsAround(start, stop);
    if (ends.first) recordEvent(*ends.first, stream);
    launchFunction(function, grid, block, lds, stream, arguments, extra, false);
    if (ends.second) recordEvent(*ends.second, stream);
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
