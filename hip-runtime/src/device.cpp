#include "device.h"

#include <hip/hip_version.h>

#include <atomic>
#include <map>
#include <mutex>

#include "allocation.h"
#include "capture.h"
#include "memory.h"
#include "pool.h"
#include "registration.h"
#include "stream.h"

namespace rocport {
namespace {

thread_local int current = 0;

struct Settings {
  std::mutex mutex;
  std::map<int, unsigned> flags;
  std::map<hipLimit_t, size_t> limits = {
      {hipLimitStackSize, 1024}, {hipLimitPrintfFifoSize, 1 << 20}, {hipLimitMallocHeapSize, 8 << 20}};
};

Settings& settings() {
  static auto* all = new Settings;
  return *all;
}

/** Frees all that was allocated on a device and forgets its code, as a new process would find it. */
void reset(int device) {
  drainDevice(device);
  forgetLoaded(device);
  resetPools(device);
  for (const Allocation& allocation : Allocations::get().of(device)) {
    switch (allocation.kind) {
      case Kind::DEVICE:
      case Kind::FINE_GRAINED:
      case Kind::HOST:
        release(reinterpret_cast<void*>(allocation.start));
        break;
      default:
        break;  // the program releases managed variables, registered memory and modules
    }
  }
  std::lock_guard lock(settings().mutex);
  settings().flags.erase(device);
}

}  // namespace

int currentDevice() {
  Session::get();
  return current;
}

void useDevice(int device) {
  Session::get().gpu(device);
  current = device;
}

}  // namespace rocport

using namespace rocport;

extern "C" {

hipError_t hipInit(unsigned flags) {
  return api([&] {
    require(flags == 0);
    Session::get();
  });
}

hipError_t hipDriverGetVersion(int* version) {
  return api([&] {
    require(version != nullptr);
    *version = HIP_VERSION;
  });
}

hipError_t hipRuntimeGetVersion(int* version) { return hipDriverGetVersion(version); }

hipError_t hipGetDeviceCount(int* count) {
  return api([&] {
    require(count != nullptr);
    *count = 0;
    *count = Session::get().count();
    require(*count > 0, hipErrorNoDevice);
  });
}

hipError_t hipSetDevice(int device) {
  return api([&] { useDevice(device); });
}

hipError_t hipGetDevice(int* device) {
  return api([&] {
    require(device != nullptr);
    *device = currentDevice();
  });
}

hipError_t hipDeviceGet(hipDevice_t* device, int ordinal) {
  return api([&] {
    require(device != nullptr);
    Session::get().gpu(ordinal);
    *device = ordinal;
  });
}

hipError_t hipSetValidDevices(int* devices, int count) {
  return api([&] {
    require(count == 0 || devices != nullptr);
    for (int i = 0; i < count; i++) Session::get().gpu(devices[i]);
    if (count > 0) useDevice(devices[0]);
  });
}

hipError_t hipDeviceReset() {
  return api([&] { reset(currentDevice()); });
}

hipError_t hipSetDeviceFlags(unsigned flags) {
  return api([&] {
    constexpr unsigned KNOWN = hipDeviceScheduleMask | hipDeviceMapHost | hipDeviceLmemResizeToMax;
    require((flags & ~KNOWN) == 0);
    int device = currentDevice();
    std::lock_guard lock(settings().mutex);
    settings().flags[device] = flags & hipDeviceScheduleMask;  // HIP forgets the others
  });
}

hipError_t hipGetDeviceFlags(unsigned* flags) {
  return api([&] {
    require(flags != nullptr);
    int device = currentDevice();
    std::lock_guard lock(settings().mutex);
    *flags = settings().flags[device];
  });
}

hipError_t hipDeviceGetLimit(size_t* value, hipLimit_t limit) {
  return api([&] {
    require(value != nullptr);
    std::lock_guard lock(settings().mutex);
    auto found = settings().limits.find(limit);
    require(found != settings().limits.end(), hipErrorUnsupportedLimit);
    *value = found->second;
  });
}

// The device provides as much stack, printf buffer and heap as kernels need, so these limits can only be read back.
hipError_t hipDeviceSetLimit(hipLimit_t limit, size_t value) {
  return api([&] {
    require(limit >= hipLimitStackSize && limit < hipLimitRange);
    std::lock_guard lock(settings().mutex);
    auto found = settings().limits.find(limit);
    require(found != settings().limits.end(), hipErrorUnsupportedLimit);
    found->second = value;
  });
}

// The LDS of these GPUs is not part of a cache, and its banks have one size.

hipError_t hipDeviceSetCacheConfig(hipFuncCache_t) {
  return api([&] { Session::get(); });
}

hipError_t hipDeviceGetCacheConfig(hipFuncCache_t* config) {
  return api([&] {
    require(config != nullptr);
    *config = hipFuncCachePreferNone;
  });
}

hipError_t hipDeviceSetSharedMemConfig(hipSharedMemConfig config) {
  return api([&] { require(config >= hipSharedMemBankSizeDefault && config <= hipSharedMemBankSizeEightByte); });
}

hipError_t hipDeviceGetSharedMemConfig(hipSharedMemConfig* config) {
  return api([&] {
    require(config != nullptr);
    *config = hipSharedMemBankSizeFourByte;
  });
}

hipError_t hipFuncSetCacheConfig(const void* function, hipFuncCache_t) {
  return api([&] { kernelFor(function, currentDevice()); });
}

hipError_t hipFuncSetSharedMemConfig(const void* function, hipSharedMemConfig) {
  return api([&] { kernelFor(function, currentDevice()); });
}

hipError_t hipExtGetLinkTypeAndHopCount(int from, int to, uint32_t* type, uint32_t* hops) {
  return api([&] {
    constexpr uint32_t XGMI = 4;
    require(type != nullptr && hops != nullptr);
    require(from >= 0 && to >= 0);
    Session::get().gpu(from);
    Session::get().gpu(to);
    require(from != to);
    *type = XGMI;
    *hops = 1;
  });
}

// No profiler listens. HIP returns hipErrorNotSupported here, which ends programs that check it.
hipError_t hipProfilerStart() { return remember(hipSuccess); }
hipError_t hipProfilerStop() { return remember(hipSuccess); }

}  // extern "C"
